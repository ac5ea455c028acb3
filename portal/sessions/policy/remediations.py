"""Remediations of sessions that break a rule: the value that each changes, as it is read of a
session, worded, and sent."""

import secrets
import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.crypto import salted_hmac

from portal.contract.model import Model
from portal.contract.operation import AnyOperation
from portal.contract.session_kinds import PlannedSession
from portal.contract.sessions import ApprovalType
from portal.imports.columns import field_specs
from portal.sessions.kinds import all_kinds, heading_of, kind_of
from portal.sessions.policy.finding import EARLY, HOST, PASSWORD, Rule
from portal.sessions.specs import SessionSpec
from portal.translation import gettext as _, gettext_lazy, lazily

_SALT = "portal.sessions.policy.password"
_PASSWORD_LENGTH = 10  # the most that the service takes
# Without those that are mistaken for each other when they are read aloud or copied by hand.
_ALPHABET = "".join(c for c in string.ascii_letters + string.digits if c not in "0O1lI")
# The parameters of a job: `approval_type`, or `person` and `name`; `host_id` is who hosted it then.
Parameters = dict[str, Any]
Details = PlannedSession


@dataclass(frozen=True)
class Field:
    """A value of a session: how it is `read`, and the field of a change that `sends` it."""

    title: str
    read: Callable[[Any], Any]
    sends: str

    def is_of(self, spec: SessionSpec) -> bool:
        """Returns whether sessions of the kind have the value, and it can be changed."""
        is_known = self.sends != "password" or spec.reports_password
        return is_known and self.sends in field_specs(spec.change)

    def body(self, value: object) -> dict[str, Any]:
        section, _dot, name = self.sends.rpartition(".")
        return {section: {name: value}} if section else {name: value}


def mark(session_id: object, password: str) -> str:
    """Shows whether a password is the same one later, and cannot be turned back into it."""
    return salted_hmac(_SALT, f"{session_id}:{password}").hexdigest() if password else ""


def _setting(name: str, default: object) -> Callable[[Any], Any]:
    def read(details: Details) -> Any:
        value = getattr(details.settings, name, None)
        return default if value is None else getattr(value, "value", value)

    return read


FIELDS = {
    "password": Field(
        gettext_lazy("Password"),
        lambda details: mark(details.id, details.password or ""),
        sends="password",
    ),
    "join_before_host": Field(
        gettext_lazy("Join before host"),
        _setting("join_before_host", default=False),
        sends="settings.join_before_host",
    ),
    "approval_type": Field(
        gettext_lazy("Registration"),
        _setting("approval_type", ApprovalType.NONE.value),
        sends="settings.approval_type",
    ),
    "host_id": Field(gettext_lazy("Host"), lambda details: details.host_id, sends="schedule_for"),
}


@dataclass(frozen=True, eq=False)  # known by itself, whatever its words are in a language
class Remediation:
    """`asks` has it done to `what`, such as 2 sessions. `changes` is one of `FIELDS`, whose value
    `breaks` the rule; any host breaks that one. Without a field it deletes the session."""

    name: str
    rule: Rule
    label: str
    asks: str
    icon: str
    changes: str = ""
    breaks: Any = None
    consequences: tuple[tuple[str, str], ...] = ()

    @property
    def removes(self) -> bool:
        return not self.changes

    @property
    def needs(self) -> list[AnyOperation]:
        return [spec.delete if self.removes else spec.update for spec in self.kinds]

    @property
    def kinds(self) -> list[SessionSpec]:
        """Returns the kinds of sessions that it can be done to."""
        return [one for one in all_kinds() if self.removes or FIELDS[self.changes].is_of(one)]

    def wanted(self, details: Details, data: Parameters, password: str) -> Parameters:
        """Returns the value that a session is to have; none if it is as it should be."""
        now = FIELDS[self.changes].read(details)
        if self.breaks is not None and now != self.breaks:
            return {}
        after = {
            "password": mark(details.id, password),
            "join_before_host": False,
            "approval_type": data.get("approval_type"),
            "host_id": data.get("person"),
        }
        return {self.changes: after[self.changes]}


def body_of(family: str, values: Parameters) -> Model:
    """Returns the body of the request that sends values of `FIELDS`."""
    sent: dict[str, object] = {}
    for name, value in values.items():
        sent |= FIELDS[name].body(value)
    return kind_of(family).change.model_validate(sent)


def new_password() -> str:
    return "".join(secrets.choice(_ALPHABET) for _each in range(_PASSWORD_LENGTH))


def remediated(details: Details, values: Parameters) -> Details:
    """The session as it is once these values were sent."""
    after = details.model_copy(deep=True)
    for name, value in values.items():
        if name in ("password", "host_id"):
            setattr(after, name, value)
        elif after.settings is not None:
            setattr(after.settings, name, value)
    return after


def words_of(name: str, after: Any, names: Mapping[str, str]) -> Callable[[Any], str]:
    """Returns a function that words values of a field; `names` are those of hosts by their ids."""

    def say(value: object) -> str:
        if name == "password":
            return (_("New password") if value == after else _("changed")) if value else _("None")
        if name == "approval_type":
            member = ApprovalType._value2member_map_.get(value)
            return str(getattr(member, "label", value if value is not None else ""))
        if name == "host_id":
            return names.get(str(value), str(value))
        return _("On") if value else _("Off")

    return say


SET_PASSWORD = Remediation(
    "password",
    PASSWORD,
    gettext_lazy("Set passwords"),
    gettext_lazy("Set passwords of %(what)s"),
    "key-round",
    changes="password",
    breaks="",
    consequences=(
        (
            "key-round",
            gettext_lazy(
                "Each meeting gets its own password of 10 letters and digits. It appears in the "
                "meeting and its invitation. You can export all passwords once after the changes "
                "are applied."
            ),
        ),
        ("mail", gettext_lazy("Participants who have only the meeting ID will need the password.")),
    ),
)
WAIT = Remediation(
    "wait",
    EARLY,
    gettext_lazy("Disable join before host"),
    gettext_lazy("Disable join before host in %(what)s"),
    "hourglass",
    changes="join_before_host",
    breaks=True,
    consequences=(("hourglass", gettext_lazy("Participants who join early wait for the host.")),),
)
# Not offered: jobs of release 0.1 have it, and are shown and undone by it.
_REGISTER = Remediation(
    "register",
    Rule("registration", gettext_lazy("No registration"), ""),
    gettext_lazy("Require registration"),
    gettext_lazy("Require registration for %(what)s"),
    "user-check",
    changes="approval_type",
    breaks=ApprovalType.NONE.value,
)


def _on_reassigning() -> str:
    """Says what stays, and which kinds cannot be reassigned."""
    words = _("%(plurals)s keep their ID, time and settings.")
    sentences = [words % {"plurals": heading_of(REASSIGN.kinds)}]
    if others := [one for one in all_kinds() if one not in REASSIGN.kinds]:
        words = _("%(plurals)s cannot be reassigned and are skipped.")
        sentences.append(words % {"plurals": heading_of(others)})
    return " ".join(sentences)


REASSIGN = Remediation(
    "reassign",
    HOST,
    gettext_lazy("Reassign"),
    gettext_lazy("Reassign %(what)s"),
    "user-round-pen",
    changes="host_id",
    consequences=(
        (
            "user-round-pen",
            lazily(_on_reassigning),
        ),
    ),
)
DELETE = Remediation(
    "delete",
    HOST,
    gettext_lazy("Delete"),
    gettext_lazy("Delete %(what)s"),
    "trash-2",
    consequences=(
        (
            "trash-2",
            gettext_lazy(
                "They are deleted with all their occurrences, and their links stop working."
            ),
        ),
    ),
)
OFFERED = (SET_PASSWORD, WAIT, REASSIGN, DELETE)
REMEDIATIONS = {remediation.name: remediation for remediation in (*OFFERED, _REGISTER)}
