"""Answers that keep to the document and make no sense: any text, any number, any choice."""

import random
from functools import cache
from typing import Any

import pytest

from portal.contract.openapi import document
from tests.support.fault_server import Behaviour, Seen, answer
from tests.support.sample_service import asked, identity_in

# Easily found on a page.
NEGATIVE = -4711
TEXTS = (
    *("", "x", "..", ".", "a/b==", "//", "0", "Zoë", "設計", "<b>bold</b>", "nobody@north.example"),
    *("2026-02-30", "1/0", "http://[", "javascript:alert(1)", "%2e%2e%2f", "a b\tc\nd", "?#&="),
)
IDS = ("x7", "Zoë", "a b", "?#&=", "nobody@north.example", "%2e%2e", "..", "a/b==", "//", "~x", "")
TIMES = ("2026-01-31T09:00:00Z", "1970-01-01T00:00:00Z", "9999-12-31T23:59:59Z")
Schema = dict[str, Any]


@cache
def _document() -> Schema:
    return document()


def seeds(*shown: int, all_of: int) -> list[Any]:
    """Parameters of a test for these seeds, and of a deep one for the others."""
    others = [seed for seed in range(all_of) if seed not in shown]
    return [*shown, *(pytest.param(seed, marks=pytest.mark.deep) for seed in others)]


class RandomService:
    """The same answers to the same questions in the same order, for the same seed."""

    def __init__(self, seed: int) -> None:
        data = _document()
        self._chance = random.Random(seed)  # noqa: S311
        self._schemas: Schema = data["components"]["schemas"]
        self._operations = [
            (path.strip("/").split("/"), method.upper(), one)
            for path, of_path in data["paths"].items()
            for method, one in of_path.items()
        ]

    def __call__(self, seen: Seen) -> Behaviour:
        operation = self._asked(seen)
        for status, described in operation["responses"].items():
            if status.startswith("2"):
                content = described.get("content", {}).get("application/json")
                drawn = content and self._drawn(content["schema"], seen)
                return answer(int(status), drawn and {**drawn, **self._named(seen)})
        raise AssertionError(seen.target)

    def _named(self, seen: Seen) -> dict[str, str]:
        operation = asked(seen)
        return identity_in(seen.path, operation) if operation else {}

    def _asked(self, seen: Seen) -> Schema:
        parts = seen.path.removeprefix("/v2/").split("/")
        fitting = [
            (sum(part.startswith("{") for part in path), at, one)
            for at, (path, method, one) in enumerate(self._operations)
            if method == seen.method and len(path) == len(parts)
            if all(a == b or a.startswith("{") for a, b in zip(path, parts, strict=True))
        ]
        assert fitting, seen.target
        _, _, operation = min(fitting, key=lambda each: each[:2])
        described: Schema = operation
        return described

    def _drawn(self, schema: Schema, seen: Seen, name: str = "", depth: int = 0) -> Any:
        schema = self._resolved(schema)
        if "enum" in schema or "const" in schema:
            return self._chance.choice(schema.get("enum") or [schema["const"]])
        match schema.get("type"):
            case "object":
                return self._object(schema, seen, depth)
            case "array":
                # A list ends, by page and by token.
                later = seen.query.get("page_number", "1") != "1"
                number = 0 if later or depth > 4 else self._chance.choice((0, 1, 3))
                return [self._drawn(schema.get("items", {}), seen, "", depth + 1)] * number
            case "string" | None:
                return self._text(schema, name)
        return self._plain(schema, name)

    def _resolved(self, schema: Schema) -> Schema:
        while True:
            if "$ref" in schema:
                schema = self._schemas[schema["$ref"].split("/")[-1]]
            elif "anyOf" in schema:
                schema = self._chance.choice(schema["anyOf"])
            elif "allOf" in schema:
                [schema] = schema["allOf"]
            else:
                return schema

    def _plain(self, schema: Schema, name: str) -> Any:
        chance = self._chance
        match schema["type"]:
            case "integer":
                own = (7, 2**40) if name.endswith("id") else (NEGATIVE, NEGATIVE, 0, 1, 7, 2**31)
                drawn = chance.choice(own)
                return min(schema.get("maximum", drawn), max(schema.get("minimum", drawn), drawn))
            case "number":
                return chance.choice((float(NEGATIVE), 0.0, 2.5))
            case "boolean":
                return chance.random() < 0.5
        return None

    def _object(self, schema: Schema, seen: Seen, depth: int) -> Schema:
        needed = schema.get("required", ())
        return {
            name: self._drawn(each, seen, name, depth + 1)
            for name, each in schema.get("properties", {}).items()
            if name in needed or self._chance.random() < 0.85
        }

    def _text(self, schema: Schema, name: str) -> str:
        if name == "next_page_token":
            return ""
        if name.endswith("id"):
            return self._chance.choice(IDS)
        match schema.get("format"):
            case "date":
                return "2026-01-31"
            case "date-time":
                return self._chance.choice(TIMES)
        return "123456" if "pattern" in schema else self._chance.choice(TEXTS)
