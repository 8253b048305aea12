"""The package http-sfv (RFC 9651), with values in the JSON forms of the public test suite.

Decimals have a form of their own here, {"__type": "decimal"}, since JSON keeps neither their type nor their digits.
"""

import base64
import os
import time
from datetime import datetime
from decimal import Decimal

# The peer reads and writes dates in local time.
os.environ["TZ"] = "UTC"
time.tzset()

import http_sfv as peer  # noqa: E402

KINDS = {"item": peer.Item, "list": peer.List, "dictionary": peer.Dictionary}


def parse(question):
    """Parses a text; gives its value, and the text that the peer writes for it."""
    field = KINDS[question["kind"]]()
    field.parse(question["text"].encode("ascii"))
    return {"value": json_of(field), "text": str(field)}


def serialize(question):
    """Gives the text of a value."""
    return {"text": str(field_of(question["kind"], question["value"]))}


def json_of(field):
    if isinstance(field, peer.Dictionary):
        return [[key, json_of(member)] for key, member in field.items()]
    if isinstance(field, peer.List):
        return [json_of(member) for member in field]
    parameters = [[key, json_of_bare(value)] for key, value in field.params.items()]
    if isinstance(field, peer.InnerList):
        return [[json_of(item) for item in field], parameters]
    return [json_of_bare(field.value), parameters]


def json_of_bare(value):
    for kind, name, text in (
        (bytes, "binary", lambda: base64.b32encode(value).decode()),
        (peer.Token, "token", lambda: str(value)),
        (peer.DisplayString, "displaystring", lambda: str(value)),
        (datetime, "date", lambda: int(value.timestamp())),
        (Decimal, "decimal", lambda: int(value * 1000)),
    ):
        if isinstance(value, kind):
            return {"__type": name, "value": text()}
    return value


def field_of(kind, value):
    if kind == "item":
        return item_of(value)
    field = KINDS[kind]()
    if kind == "list":
        field.extend(member_of(member) for member in value)
    else:
        for key, member in value:
            field[key] = member_of(member)
    return field


def member_of(value):
    content, parameters = value
    if not isinstance(content, list):
        return item_of(value)
    return with_parameters(peer.InnerList([item_of(item) for item in content]), parameters)


def item_of(value):
    content, parameters = value
    return with_parameters(peer.Item(bare_of(content)), parameters)


def with_parameters(field, parameters):
    for key, value in parameters:
        field.params[key] = bare_of(value)
    return field


def bare_of(value):
    if not isinstance(value, dict):
        return value
    content = value["value"]
    return {
        "binary": lambda: base64.b32decode(content),
        "token": lambda: peer.Token(content),
        "displaystring": lambda: peer.DisplayString(content),
        "date": lambda: datetime.fromtimestamp(content),
        "decimal": lambda: Decimal(content) / 1000,
    }[value["__type"]]()
