"""Query and body of a request, checked by the operation's models."""

from collections.abc import Iterator, Mapping
from io import BytesIO
from itertools import islice
from typing import Any

from django.core.exceptions import SuspiciousOperation
from django.core.files.uploadhandler import MemoryFileUploadHandler
from django.http.multipartparser import MultiPartParser, MultiPartParserError
from pydantic import ValidationError
from pydantic_core import from_json, to_json

from portal.contract.model import Model, fields
from portal.contract.problems import FieldProblem, problems
from portal.sandbox.errors import (
    InvalidInput,
    PayloadTooLarge,
    WrongMediaType,
    invalid,
)
from portal.sandbox.http import Request

JSON_LIMIT = 2**20
FILE_LIMIT = 2 * 2**20
_FRAME = 2**14
_MOST_PROBLEMS = 50
_INT64 = 2**63


def read_query(model: type[Model], parameters: dict[str, list[str]]) -> Model:
    """Returns the query. Unknown parameters are ignored; a repeated one is refused."""
    given = {name: parameters[name] for name, _ in fields(model) if name in parameters}
    twice = [name for name, values in given.items() if len(values) > 1]
    if twice:
        raise InvalidInput(*(FieldProblem(name, "Give this once.") for name in twice))
    try:
        query = model.model_validate_strings({name: values[0] for name, values in given.items()})
    except ValidationError as error:
        raise _input_error(error) from None
    _refuse_what_cannot_be_kept(query)
    return query


def read_body(model: type[Model], request: Request) -> Model:
    read = _read_form if model.content_type == "multipart/form-data" else _read_json
    try:
        body = read(model, request)
    except ValidationError as error:
        raise _input_error(error) from None
    _refuse_what_cannot_be_kept(body)
    return body


def _input_error(error: ValidationError) -> InvalidInput:
    found = islice(problems(error), _MOST_PROBLEMS)
    return InvalidInput(
        *(FieldProblem(problem.field or "body", problem.message) for problem in found)
    )


def _read_json(model: type[Model], request: Request) -> Model:
    if request.media_type not in {"", "application/json"}:
        raise WrongMediaType("application/json")
    content = request.body(JSON_LIMIT)
    if request.names or request.left_out or (request.drops_nulls and b"null" in content):
        content = _completed(content, request)
    return model.accept(content)


def _completed(content: bytes, request: Request) -> bytes:
    """Returns a body under the document's names, without null fields, which count as not sent, and
    with the defaults of fields that may be left out."""
    try:
        document = from_json(content)
    except ValueError:
        return content  # no JSON, which the reader reports
    document = renamed(document, request.names)
    sent = _sent(document) if request.drops_nulls else document
    return to_json({**request.left_out, **sent} if isinstance(sent, dict) else sent)


def renamed(value: Any, names: Mapping[str, str]) -> Any:
    """Returns the value with other keys, at any depth; a renamed one goes before one of the same
    name."""
    if not names:
        return value
    if isinstance(value, dict):
        taken = {names[key] for key in value if key in names}
        kept = {key: each for key, each in value.items() if key in names or key not in taken}
        return {names.get(key, key): renamed(each, names) for key, each in kept.items()}
    return [renamed(each, names) for each in value] if isinstance(value, list) else value


def _sent(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _sent(each) for name, each in value.items() if each is not None}
    return [_sent(each) for each in value] if isinstance(value, list) else value


def _read_form(model: type[Model], request: Request) -> Model:
    """Returns the files of a form for the fields of the model; raises for a file over the limit."""
    if request.media_type != "multipart/form-data":
        raise WrongMediaType("multipart/form-data")
    content = request.body(FILE_LIMIT + _FRAME)
    meta = {"CONTENT_TYPE": request.environ["CONTENT_TYPE"], "CONTENT_LENGTH": str(len(content))}
    try:
        parser = MultiPartParser(meta, BytesIO(content), [MemoryFileUploadHandler()])
        _, files = parser.parse()
    except (MultiPartParserError, SuspiciousOperation, ValueError) as error:
        raise invalid("body", "The body is not valid form data.") from error
    found = {}
    for name, _ in fields(model):
        parts = files.getlist(name)
        if len(parts) > 1:
            raise invalid(name, "Give this once.")
        if parts:
            found[name] = parts[0].read()
            if len(found[name]) > FILE_LIMIT:
                raise PayloadTooLarge(FILE_LIMIT)
    return model.model_validate(found)


def _refuse_what_cannot_be_kept(model: Model) -> None:
    broken = list(islice(_unkeepable(model, ""), _MOST_PROBLEMS))
    if broken:
        raise InvalidInput(*broken)


def _unkeepable(value: Any, name: str) -> Iterator[FieldProblem]:
    """Yields a problem for NUL in text and for numbers over 64 bits, which no database column
    takes."""
    if isinstance(value, str) and "\0" in value:
        yield FieldProblem(name, "This holds a character that cannot be stored.")
    elif isinstance(value, int) and not -_INT64 <= value < _INT64:
        yield FieldProblem(name, "This number is too large.")
    elif isinstance(value, list):
        for at, item in enumerate(value):
            yield from _unkeepable(item, f"{name}.{at}")
    elif isinstance(value, Model):
        for field in value.model_fields_set:
            below = type(value).model_fields[field].alias or field
            yield from _unkeepable(getattr(value, field), f"{name}.{below}" if name else below)
