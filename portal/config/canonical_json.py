"""JSON as one text, which can be hashed and compared, and a field that stores it so."""

import json
from typing import Any

from django.db import models
from django.utils.functional import Promise

from portal.translation.stored import in_english


class CanonicalJson(models.TextField[Any, Any]):
    """JSON as the one text that is hashed; jsonb would store another one and refuses NUL."""

    def from_db_value(self, value: str | None, *_args: object) -> Any:
        return None if value is None else json.loads(value)

    def get_prep_value(self, value: object) -> str | None:
        return None if value is None else canonical(value)


def canonical(value: object) -> str:
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, default=_in_english
    )


def _in_english(value: object) -> str:
    """Words that are looked up when they are shown, as they are stored."""
    if not isinstance(value, Promise):
        raise TypeError(f"{type(value).__name__} is no JSON")
    with in_english():
        return str(value)
