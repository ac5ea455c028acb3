"""A made-up service: each of its lists has three good records, and one that cannot be read."""

import re
from typing import Any

from portal.client.answers import identity_of
from portal.contract import operations
from portal.contract.model import Model, fields, submodel
from portal.contract.operation import Call
from tests.support.fault_server import Behaviour, Seen, answer, depending
from tests.support.samples import sample

_SPREAD = ("id", "uuid", "name", "email", "webhook_id", "topic", "session_id", "host_id")


def one_bad_record(*, bad: Any = 7) -> Behaviour:
    """Answers all reads."""
    served = [
        (re.compile(re.sub(r"\{\w+\}", "([^/]+)", operation.path)), operation)
        for operation in sorted(operations(), key=lambda one: one.path.count("{"))
        if operation.method == "GET" and operation.returns
    ]

    def choose(seen: Seen) -> Behaviour:
        path = seen.path.removeprefix("/v2")
        for pattern, operation in served:
            if found := pattern.fullmatch(path):
                call = Call(operation, found.groups())
                return answer(200, _content(call, seen.query, bad))
        return answer(404, {"code": 404, "message": path})

    return depending(choose)


def _content(call: Call[Any], query: dict[str, str], bad: Any) -> dict[str, Any]:
    operation = call.operation
    assert operation.returns
    made = sample(operation.returns)
    if "host_id" in made:
        made["host_id"] = "id1"
    made |= dict([identity_of(call) or ("", "")])
    is_empty = query.get("status", "active") not in ("active", "approved") or (
        query.get("trash") == "true"
    )
    for name, field in fields(operation.returns):
        kind = submodel(field.annotation)
        if kind and "list[" in str(field.annotation):
            made[name] = [] if is_empty else records_of(kind, operation.path, bad)
            made = {each: value for each, value in made.items() if each not in ("from", "to")}
            made |= {"total_records": len(made[name]), "page_number": 1, "next_page_token": ""}
    return made


def records_of(kind: type[Model], path: str, bad: Any) -> list[Any]:
    """Three that differ, and a bad one; without it, a fourth."""
    names = [name for name, _field in fields(kind) if name in _SPREAD]
    good = [
        sample(kind) | {name: _named(name, number, path) for name in names}
        for number in (1, 2, 3, 4)
    ]
    return good if bad is None else [good[0], bad, *good[1:3]]


def _named(name: str, number: int, path: str) -> str | int:
    if name == "host_id":
        return "id1"
    if name == "email":
        return f"person{number}@example.com"
    is_number = name == "id" and ("meetings" in path or "webinars" in path)
    return 86_000_000_000 + number if is_number else f"{name}{number}"
