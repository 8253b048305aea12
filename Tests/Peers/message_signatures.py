"""The package http-message-signatures (RFC 9421 and RFC 9530)."""

import base64
import datetime
import time

import http_message_signatures as peer

ALGORITHMS = {
    algorithm.algorithm_id: algorithm
    for algorithm in (
        peer.algorithms.ECDSA_P256_SHA256,
        peer.algorithms.ECDSA_P384_SHA384,
        peer.algorithms.HMAC_SHA256,
        peer.algorithms.ED25519,
        peer.algorithms.RSA_PSS_SHA512,
        peer.algorithms.RSA_V1_5_SHA256,
    )
}
keys = peer.MappingKeyResolver(public_keys={}, private_keys={})


class Fields:
    """Field lines in their order, with what the peer needs of a mapping; an octet is a character of Latin-1."""

    def __init__(self, lines):
        self.lines = [tuple(line) for line in lines]

    def items(self):
        return list(self.lines)

    def __iter__(self):
        return iter([name for name, _ in self.lines])

    def __contains__(self, name):
        return any(name.lower() == other.lower() for other in self)

    def __getitem__(self, name):
        return ", ".join(value for other, value in self.lines if name.lower() == other.lower())

    def __setitem__(self, name, value):
        self.lines = [line for line in self.lines if line[0].lower() != name.lower()] + [(name, value)]

    def __delitem__(self, name):
        self.lines = [line for line in self.lines if line[0].lower() != name.lower()]


class Message:
    def __init__(self, members):
        self.headers = Fields(members["fields"])
        if "status" in members:
            self.status_code = members["status"]
            self.request = Message(members["request"])
        else:
            self.method = members["method"]
            self.url = members["url"]


def key(question):
    """Takes the key that the later questions with the algorithm mean."""
    name = question["algorithm"]
    if "secret" in question:
        keys.private_keys[name] = keys.public_keys[name] = base64.b64decode(question["secret"])
    else:
        algorithm = ALGORITHMS[name](
            public_key=question["public"].encode(), private_key=question["private"].encode()
        )
        keys.private_keys[name] = algorithm.private_key
        keys.public_keys[name] = algorithm.public_key
    return {}


def sign(question):
    """Signs a message, so many times, and gives its fields and the nanoseconds of one signature."""
    signer = peer.HTTPMessageSigner(
        signature_algorithm=ALGORITHMS[question["algorithm"]], key_resolver=keys
    )
    body = body_of(question)
    times = question.get("times", 1)
    start = time.perf_counter_ns()
    for _ in range(times):
        message = Message(question["message"])
        signer.sign(
            message,
            key_id=question["algorithm"],
            created=date(question["created"]),
            expires=date(question.get("expires")),
            nonce=question.get("nonce"),
            tag=question.get("tag"),
            label=question["label"],
            include_alg=question["statesAlgorithm"],
            covered_component_ids=question["components"],
            body=body,
            use_existing_digest="Content-Digest" in message.headers,
        )
    return {"fields": message.headers.items(), "nanoseconds": (time.perf_counter_ns() - start) // times}


def verify(question):
    """Verifies a message, so many times, and gives what is covered and the nanoseconds of one verification."""
    verifier = peer.HTTPMessageVerifier(
        signature_algorithm=ALGORITHMS[question["algorithm"]], key_resolver=keys
    )
    body = body_of(question)
    message = Message(question["message"])
    times = question.get("times", 1)
    start = time.perf_counter_ns()
    for _ in range(times):
        (result,) = verifier.verify(message, max_age=None, body=body)
    taken = time.perf_counter_ns() - start
    covered = [[name, value] for name, value in result.covered_components.items()]
    return {"label": result.label, "covered": covered, "nanoseconds": taken // times}


def body_of(question):
    """The body where its digest is covered or to be made, else None."""
    return base64.b64decode(question["body"]) if "body" in question else None


def date(seconds):
    return None if seconds is None else datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
