"""A call as it is stored until it was approved: whole, and encrypted."""

import json
from base64 import b64decode, b64encode

from django.utils.crypto import salted_hmac

from portal.access import tokens
from portal.access.models.audit import canonical
from portal.contract import operations
from portal.contract.model import JsonDict, Model
from portal.contract.operation import AnyOperation, Call

_OPERATIONS = {operation.name: operation for operation in operations()}


class NoSuchCall(Exception):
    """Another release has stored the call, and this one does not have the operation, or has it
    with other fields."""


def seal(call: Call[object]) -> str:
    """The call with its secrets, encrypted."""
    return tokens.seal(json.dumps(_data(call)))


def unseal(sealed: str) -> Call[object]:
    """The call as it was stored. Raises `NoSuchCall`, and `TokenUnreadable`."""
    data = json.loads(tokens.unseal(sealed).value)
    operation = _OPERATIONS.get(data["operation"])
    if operation is None:
        raise NoSuchCall
    try:
        query, body = _model(operation.query, data["query"]), _model(operation.body, data["body"])
    except ValueError:  # pydantic's, whose text would have the values
        raise NoSuchCall from None
    return Call(operation, tuple(data["ids"]), query, body)


def digest(call: Call[object]) -> str:
    """Returns a digest of the call that tells nothing of its secrets."""
    return salted_hmac(
        "portal.approvals.stored_calls", canonical(_data(call)), algorithm="sha256"
    ).hexdigest()


def operation_named(name: str) -> AnyOperation | None:
    return _OPERATIONS.get(name)


def _data(call: Call[object]) -> JsonDict:
    return {
        "operation": call.operation.name,
        "ids": list(call.ids),
        "query": _fields(call.query),
        "body": _fields(call.body),
    }


def _fields(model: Model | None) -> JsonDict | None:
    """Returns the fields that were set, by their names on the wire; files as text."""
    if model is None:
        return None
    if model.content_type == "application/json":
        return model.sent()
    return {name: b64encode(file).decode() for name, file in model.model_dump().items()}


def _model(model: type[Model] | None, data: JsonDict | None) -> Model | None:
    if model is None or data is None:
        return None
    if model.content_type == "application/json":
        return model.model_validate_json(json.dumps(data))
    return model.model_validate({name: b64decode(file) for name, file in data.items()})
