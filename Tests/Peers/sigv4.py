"""The packages botocore and awscrt: Signature Version 4."""

import base64
import datetime
import time
from types import SimpleNamespace

import awscrt.auth
import awscrt.http
import botocore.auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

CLASSES = {
    ("header", True): botocore.auth.S3SigV4Auth,
    ("header", False): botocore.auth.SigV4Auth,
    ("query", True): botocore.auth.S3SigV4QueryAuth,
    ("query", False): botocore.auth.SigV4QueryAuth,
}


def sign(question):
    """Signs one request with botocore; gives the signed URL, or the value of Authorization."""
    signer, request = prepare(question)
    signer.add_auth(request)
    if question["form"] == "query":
        return {"url": request.url}
    return {"authorization": request.headers["Authorization"]}


def time_botocore(question):
    """Signs one request many times; a request that is signed again loses its old signature."""
    signer, request = prepare(question)
    start = time.perf_counter_ns()
    for _ in range(question["times"]):
        signer.add_auth(request)
    return {"nanoseconds": (time.perf_counter_ns() - start) // question["times"]}


def time_awscrt(question):
    """Signs as many equal requests with awscrt; making them is not part of the time."""
    moment = datetime.datetime.fromtimestamp(question["date"], datetime.timezone.utc)
    host, _, path = question["url"].removeprefix("https://").partition("/")
    fields = [("Host", host), *map(tuple, question["fields"])]
    provider = awscrt.auth.AwsCredentialsProvider.new_static(question["id"], question["secret"])
    payload = awscrt.auth.AwsSignedBodyValue.EMPTY_SHA256
    config = awscrt.auth.AwsSigningConfig(
        algorithm=awscrt.auth.AwsSigningAlgorithm.V4,
        signature_type=awscrt.auth.AwsSignatureType.HTTP_REQUEST_HEADERS,
        credentials_provider=provider,
        region=question["region"],
        service=question["service"],
        date=moment,
        use_double_uri_encode=False,
        should_normalize_uri_path=False,
        signed_body_value=payload,
        signed_body_header_type=awscrt.auth.AwsSignedBodyHeaderType.X_AMZ_CONTENT_SHA_256,
    )
    requests = [
        awscrt.http.HttpRequest(question["method"], "/" + path, awscrt.http.HttpHeaders(fields))
        for _ in range(question["times"])
    ]
    start = time.perf_counter_ns()
    for request in requests:
        awscrt.auth.aws_sign_request(request, config).result()
    elapsed = time.perf_counter_ns() - start
    signed = dict(requests[-1].headers)["Authorization"]
    return {"nanoseconds": elapsed // question["times"], "authorization": signed}


def prepare(question):
    moment = datetime.datetime.fromtimestamp(question["date"], datetime.timezone.utc)
    botocore.auth.get_current_datetime = lambda: moment
    request = AWSRequest(
        method=question["method"], url=question["url"], data=base64.b64decode(question["body"])
    )
    for name, value in question["fields"]:
        # An assignment adds a line.
        request.headers[name] = value
    if question["unsigned"]:
        settings = SimpleNamespace(s3={"payload_signing_enabled": False})
        request.context["client_config"] = settings
    credentials = Credentials(question["id"], question["secret"], question.get("token"))
    kind = CLASSES[question["form"], question["isObjectStore"]]
    more = {"expires": question["expires"]} if question["form"] == "query" else {}
    return kind(credentials, question["service"], question["region"], **more), request
