"""The state that a form was made from: flat, by dotted names, and signed to travel with the form.

A form that changes something carries what the fields held when it was opened. When it comes back,
that separates what the person changed from what somebody else changed in between.
"""

import json
from collections.abc import Mapping
from enum import Enum
from typing import Any

from django.core import signing
from django.utils.crypto import salted_hmac

from portal.contract.model import Model

_SALT = "portal.ui.forms.state"

Flat = dict[str, Any]


def flat(state: Model | Mapping[str, Any] | None) -> Flat:
    """`{"in_meeting.chat": True}` of a model or of nested values; what is not known is left out."""
    if isinstance(state, Model):
        state = state.model_dump(mode="json", by_alias=True, warnings=False)
    return dict(_flat("", state or {}))


def _flat(prefix: str, value: Any) -> Any:
    if isinstance(value, Model):
        value = value.model_dump(mode="json", by_alias=True, warnings=False)
    if isinstance(value, Mapping):
        for name, item in value.items():
            yield from _flat(f"{prefix}.{name}" if prefix else str(name), item)
    elif value is not None:
        yield prefix, value.value if isinstance(value, Enum) else value


def nested(values: Mapping[str, Any]) -> dict[str, Any]:
    """The reverse of `flat`."""
    tree: dict[str, Any] = {}
    for name, value in values.items():
        *path, last = name.split(".")
        object_spec = tree
        for step in path:
            object_spec = object_spec.setdefault(step, {})
        object_spec[last] = value
    return tree


def sign(state: Flat, secret: frozenset[str]) -> str:
    """The state as a hidden field carries it; of secret values only a keyed hash."""
    kept = {name: _hash(value) if name in secret else value for name, value in state.items()}
    return signing.dumps(kept, salt=_SALT, compress=True)


def unsign(text: str) -> Flat | None:
    """Returns the values that `sign` signed; None for anything else."""
    try:
        state = signing.loads(text, salt=_SALT)
    except signing.BadSignature:
        return None
    return state if isinstance(state, dict) else None


def is_same(was: Any, now: Any, *, secret: bool) -> bool:
    return bool(was == (_hash(now) if secret and now is not None else now))


def _hash(value: Any) -> str:
    return salted_hmac(_SALT, json.dumps(value, sort_keys=True), algorithm="sha256").hexdigest()
