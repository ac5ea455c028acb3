"""A call as the audit trail stores it: its models, with every secret masked."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from portal.contract.model import MASK, Model, mask
from portal.contract.operation import Call


def sent_by(call: Call[Any]) -> dict[str, Any]:
    """The query and the body of a call, masked; files by their size."""
    kept: dict[str, Any] = call.query.masked() if call.query else {}
    if call.body is None:
        return kept
    if call.body.content_type == "multipart/form-data":
        for name, content in call.body.model_dump().items():
            kept[name] = f"{len(content)} bytes"  # untranslated: stored in one language
        return kept
    return kept | call.body.masked()


def state(model: Model) -> dict[str, Any]:
    """Returns a model that was read, masked, with the service's fields beyond its document."""
    return mask(type(model), model.sent() | (model.model_extra or {}))


def touched(
    before: dict[str, Any], sent: dict[str, Any], read_as: Mapping[str, str] = MappingProxyType({})
) -> dict[str, Any]:
    """The part of `before` that `sent` writes to; all of it where their fields are not the same.

    `read_as` are names of fields that are read under another one.
    """
    others = {read_as[name] for name in sent if read_as.get(name) in before}
    common = {name: before[name] for name in others} | {
        name: touched(before[name], value)
        if isinstance(value, dict) and isinstance(before[name], dict)
        else before[name]
        for name, value in sent.items()
        if name in before
    }
    return common or before


def without_secrets(text: str, call: Call[Any]) -> str:
    """A message of the service, in case it repeats a secret that it was sent."""
    for model in (call.query, call.body):
        if model is not None and model.content_type == "application/json":
            for secret in _secrets(model.sent(), model.masked()):
                text = text.replace(secret, MASK)
    return text


def _secrets(sent: Any, masked: Any) -> list[str]:
    if masked == MASK and sent != MASK:
        return [str(sent)]
    if isinstance(sent, dict):
        return [found for key, item in sent.items() for found in _secrets(item, masked[key])]
    if isinstance(sent, list) and isinstance(masked, list):
        pairs = zip(sent, masked, strict=True)
        return [found for item, hidden in pairs for found in _secrets(item, hidden)]
    return []
