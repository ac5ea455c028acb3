"""Faults of an input, field by field, in words that a person can act on.

The sandbox answers with these (`errors` of a 400), and the portal's forms show them.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import ValidationError, model_validator

from portal.contract.model import Model, unset
from portal.contract.words import gettext, gettext_noop as _

_WORDS = {
    "missing": _("This field is required."),
    "string_too_short": _("Use at least %(min_length)s characters."),
    "string_too_long": _("Use at most %(max_length)s characters."),
    "string_type": _("This must be text."),
    "bytes_type": _("This must be a file."),
    "too_long": _("List at most %(max_length)s."),
    "too_short": _("List at least %(min_length)s."),
    "greater_than_equal": _("This must be at least %(ge)s."),
    "less_than_equal": _("This must be at most %(le)s."),
    "enum": _("Choose one of: %(expected)s."),
    "literal_error": _("Choose one of: %(expected)s."),
    "int_parsing": _("This must be a whole number."),
    "int_type": _("This must be a whole number."),
    "int_from_float": _("This must be a whole number."),
    "int_parsing_size": _("This number is too large."),
    "bool_parsing": _("This must be true or false."),
    "bool_type": _("This must be true or false."),
    "date_from_datetime_inexact": _("Write the date as YYYY-MM-DD."),
    "extra_forbidden": _("The service has no such field."),
    "json_invalid": _("The body is not valid JSON."),
    "model_type": _("This must be an object."),
    "model_attributes_type": _("This must be an object."),
    "list_type": _("This must be a list."),
}


@dataclass(frozen=True)
class FieldProblem:
    """One broken field: its dotted name on the wire (`user_info.email`) and what to do."""

    field: str
    message: str


class BrokenRule(ValueError):
    """A broken rule over several fields; `field` is the one to change."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


def problems(error: ValidationError) -> list[FieldProblem]:
    return list(_problems(error))


def _problems(error: ValidationError) -> Iterator[FieldProblem]:
    for error_details in error.errors(include_url=False):
        context = error_details.get("ctx", {})
        steps = [str(step) for step in error_details["loc"]]
        rule = context.get("error")
        if isinstance(rule, BrokenRule):
            steps.append(rule.field)
        yield FieldProblem(
            ".".join(steps), _say(error_details["type"], context, error_details["msg"])
        )


def _say(kind: str, context: dict[str, object], fallback: str) -> str:
    if kind in _WORDS:
        return gettext(_WORDS[kind]) % {"expected": "", **context}
    if kind == "value_error":
        return str(context.get("error", fallback))
    return fallback if fallback.endswith(".") else f"{fallback}."


class PersonReference(Model):
    """A person, named by id or by email; with an id the email is ignored."""

    id: str | None = unset("User ID", "Goes before the email.")
    email: str | None = unset("Email", "Used where there is no ID.")

    @model_validator(mode="after")
    def _has_a_name(self) -> "PersonReference":
        if not self.id and not self.email:
            raise BrokenRule("email", gettext("Give an ID or an email."))
        return self
