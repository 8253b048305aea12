"""The package pyattest: attestations and assertions of App Attest."""

import asyncio
import base64
import time

from cryptography.hazmat.primitives.asymmetric import ec
from pyattest.assertion import Assertion
from pyattest.attestation import Attestation
from pyattest.configs.apple import AppleConfig


def attestation(question):
    """Verifies an attestation at the present time, so many times, and gives the nanoseconds of one."""
    raw, challenge = octets(question, "object"), octets(question, "challenge")
    config = AppleConfig(
        key_id=octets(question, "keyID"),
        app_id=question["appID"],
        production=True,
        root_ca=question["root"].encode(),
    )

    async def verify():
        for _ in range(times):
            await Attestation(raw, challenge, config).verify()

    times = question.get("times", 1)
    start = time.perf_counter_ns()
    asyncio.run(verify())
    return {"nanoseconds": (time.perf_counter_ns() - start) // times}


def assertion(question):
    """Verifies an assertion, so many times, and gives the nanoseconds of one."""
    raw, expected = octets(question, "object"), octets(question, "clientDataHash")
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), octets(question, "point"))
    config = AppleConfig(key_id=b"", app_id=question["appID"], production=True)
    times = question.get("times", 1)
    start = time.perf_counter_ns()
    for _ in range(times):
        Assertion(raw, expected, key, config).verify()
    return {"nanoseconds": (time.perf_counter_ns() - start) // times}


def octets(question, name):
    return base64.b64decode(question[name])
