"""The field of everything that is stored encrypted, so that a change of keys finds all of it."""

from typing import Any

from django.apps import apps
from django.db import models

from portal.access.tokens import is_sealed


class SealedText(models.TextField):  # type: ignore[type-arg]
    """A text encrypted by `tokens.seal`, or none. Whatever is kept encrypted has such a field:
    `rotate_token_keys` goes through those of every app. To the database it is any text."""

    def get_prep_value(self, value: Any) -> Any:
        """Raises `ValueError` for a text that nobody encrypted."""
        text = super().get_prep_value(value)
        if isinstance(text, str) and text and not is_sealed(text):
            raise ValueError(f"{self} takes encrypted texts alone.")
        return text

    def deconstruct(self) -> Any:
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.TextField", args, kwargs


def sealed_fields() -> dict[type[models.Model], list[str]]:
    """The names of the encrypted fields, by their models."""
    found = {
        model: [
            field.attname for field in model._meta.concrete_fields if isinstance(field, SealedText)
        ]
        for model in apps.get_models()
    }
    return {model: names for model, names in found.items() if names}
