"""A service that answers every operation, with an object of whichever kind it returns.

Nothing is kept: what is asked for is there, and what is changed stays as it was.
"""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from portal.client.answers import identity_of
from portal.contract import operations
from portal.contract.operation import Call, Operation
from portal.contract.path import decoded
from tests.support.fault_server import Behaviour, Seen, answer, depending
from tests.support.samples import sample

Word = Callable[[str, str], str]  # the name of a field, and its text in the sample
_BY_NUMBER = {"page_count": 1, "page_number": 1, "page_size": 300, "total_records": 1}
_PAGING = {**_BY_NUMBER, "next_page_token": ""}
# `/users/email` is no person: paths with fewer ids are looked at first.
_OPERATIONS = [
    (one, re.compile("/v2" + re.sub(r"\{\w+\}", "[^/]+", one.path) + "$"))
    for one in sorted(operations(), key=lambda one: len(one.path_parameters))
]


def answering(word: Word) -> Behaviour:
    """Answers with `word` in place of every text."""

    def choose(request: Seen) -> Behaviour:
        operation = asked(request)
        if operation is None:
            return answer(404, {"code": 404, "message": "No such operation."})
        if operation.returns is None:
            return answer(operation.status)
        named = identity_in(request.path, operation)
        return answer(operation.status, {**document(operation, word), **named})

    return depending(choose)


def document(operation: Operation[Any, Any], word: Word) -> dict[str, Any]:
    """Returns what such a service answers an operation that returns something."""
    assert operation.returns
    worded: dict[str, Any] = _worded(sample(operation.returns), word)
    return worded


def identity_in(path: str, operation: Operation[Any, Any]) -> dict[str, str]:
    """Returns what the object of a path is called, where an answer is about it: its own id."""
    parts = zip(operation.path.split("/"), path.removeprefix("/v2").split("/"), strict=True)
    ids = tuple(decoded(given) for name, given in parts if name.startswith("{"))
    identity = identity_of(Call(operation, ids))
    return dict([identity]) if identity and operation.returns else {}


def asked(request: Seen) -> Operation[Any, Any] | None:
    """The operation that a request is."""
    for operation, path in _OPERATIONS:
        if operation.method == request.method and path.match(request.path):
            return operation
    return None


def _worded(value: Any, word: Word, name: str = "") -> Any:
    if isinstance(value, dict):
        return {key: _PAGING.get(key, _worded(each, word, key)) for key, each in value.items()}
    if isinstance(value, list):
        return [_worded(each, word, name) for each in value]
    if not isinstance(value, str) or _is_moment(value):
        return value
    return word(name, value)


def _is_moment(text: str) -> bool:
    try:
        return datetime.fromisoformat(text).replace(tzinfo=UTC).year > 0
    except ValueError:
        return False
