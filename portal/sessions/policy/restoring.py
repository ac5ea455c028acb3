"""The values that remediations change, each as it is read of a session, said, and sent again."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.crypto import salted_hmac

from portal.contract.sessions import ApprovalType
from portal.sessions.policy.remediations import (
    PASSWORD_GIVEN,
    REASSIGN,
    REGISTER,
    SET_PASSWORD,
    WAIT,
    Remediation,
)
from portal.translation import gettext as _
from portal.translation import gettext_lazy, pgettext_lazy

_SALT = "portal.sessions.policy.password"


@dataclass(frozen=True)
class Field:
    """A value of a session: how it is `read` and what is sent to have it (`body`)."""

    title: str
    read: Callable[[Any], Any]
    body: Callable[[Any], dict[str, Any]]


def mark(session_id: object, password: str) -> str:
    """Shows whether a password is the same one later, and cannot be turned back into it."""
    return salted_hmac(_SALT, f"{session_id}:{password}").hexdigest() if password else ""


def _setting(name: str) -> Callable[[Any], Any]:
    def read(details: Any) -> Any:
        value = getattr(details.settings, name, None)
        return getattr(value, "value", value)

    return read


FIELDS = {
    "password": Field(
        pgettext_lazy("meeting", "Password"),
        lambda details: mark(details.id, details.password or ""),
        lambda value: {"password": value},
    ),
    "join_before_host": Field(
        gettext_lazy("Join before host"),
        _setting("join_before_host"),
        lambda value: {"settings": {"join_before_host": value}},
    ),
    "approval_type": Field(
        gettext_lazy("Registration"),
        _setting("approval_type"),
        lambda value: {"settings": {"approval_type": value}},
    ),
    "host_id": Field(
        gettext_lazy("Host"), lambda details: details.host_id, lambda value: {"schedule_for": value}
    ),
}


def before_and_after(
    remediation: Remediation, details: Any, data: Mapping[str, Any], password: str
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Returns the values before and after a remediation; nothing if it has no way back."""
    name, after = {
        SET_PASSWORD: ("password", mark(details.id, password)),
        WAIT: ("join_before_host", False),
        REGISTER: ("approval_type", data.get("approval_type")),
        REASSIGN: ("host_id", data.get("person")),
    }.get(remediation, ("", None))
    return ({name: FIELDS[name].read(details)}, {name: after}) if name else ({}, {})


def words_of(name: str, after: Any, names: Mapping[str, str]) -> Callable[[Any], str]:
    """Returns a function that words values of a field; `names` are those of hosts by their ids."""

    def say(value: Any) -> str:
        if name == "password":
            return (str(PASSWORD_GIVEN) if value == after else _("changed")) if value else _("None")
        if name == "approval_type":
            known = ApprovalType._value2member_map_.get(value)
            return str(getattr(known, "label", value if value is not None else ""))
        if name == "host_id":
            return names.get(str(value), str(value))
        return _("On") if value else _("Off")

    return say
