"""Remediations of sessions that break a rule: their requests, and whether they still apply."""

import secrets
import string
from dataclasses import dataclass
from typing import Any

from portal.contract.meetings import Meetings, MeetingUpdate
from portal.contract.operation import Operation
from portal.contract.sessions import ApprovalType
from portal.contract.webinars import Webinars, WebinarUpdate
from portal.sessions.policy.rules import EARLY, HOST, PASSWORD, REGISTRATION, Rule
from portal.translation import gettext as _
from portal.translation import gettext_lazy, pgettext

PASSWORD_GIVEN = gettext_lazy("New password")
PASSWORD_LENGTH = 10  # the most that the service takes
# Without those that are mistaken for each other when they are read aloud or copied by hand.
_ALPHABET = "".join(c for c in string.ascii_letters + string.digits if c not in "0O1lI")
# The parameters of a job: `approval_type`, or `person` and `name`; `host_id` is who hosted it then.
Parameters = dict[str, Any]
Change = tuple[str, str, str]


@dataclass(frozen=True, eq=False)  # known by itself, whatever its words are in a language
class Remediation:
    """`webinars` says whether it can be done to them. One that removes sends no change."""

    name: str
    rule: Rule
    label: str
    icon: str
    webinars: bool = False
    removes: bool = False
    consequences: tuple[tuple[str, str], ...] = ()

    @property
    def needs(self) -> list[Operation[Any, Any]]:
        if self.removes:
            return [Meetings.delete, Webinars.delete]
        return [Meetings.update, Webinars.update] if self.webinars else [Meetings.update]

    def is_needed(self, details: Any, data: Parameters) -> bool:
        """Returns whether the session, as the service reports it, still lacks the remediation."""
        if self is SET_PASSWORD:
            return not details.password
        if self is WAIT:
            return bool(details.settings and details.settings.join_before_host)
        if self is REGISTER:
            settings = details.settings
            return not settings or settings.approval_type == ApprovalType.NONE
        if details.host_id != data.get("host_id", details.host_id):
            return False  # somebody else hosts it by now
        return self.removes or bool(details.host_id != data["person"])

    def change(self, data: Parameters, host: str) -> Change:
        """Returns the change in words; `host` is the present host."""
        if self is SET_PASSWORD:
            return (pgettext("meeting", "Password"), _("None"), PASSWORD_GIVEN)
        if self is WAIT:
            return (_("Join before host"), _("On"), _("Off"))
        if self is REGISTER:
            after = ApprovalType(data["approval_type"]).label
            return (_("Registration"), ApprovalType.NONE.label, after)
        if self is REASSIGN:
            return (_("Host"), host, data["name"])
        return (_("Session"), _("Hosted by %(host)s") % {"host": host}, _("Deleted"))

    def values(self, data: Parameters, secret: Parameters) -> Parameters:
        """The one field that is sent."""
        if self is SET_PASSWORD:
            return {"password": secret["password"]}
        if self is WAIT:
            return {"settings": {"join_before_host": False}}
        if self is REGISTER:
            return {"settings": {"approval_type": data["approval_type"]}}
        return {"schedule_for": data["person"]}

    def update(
        self, family: str, data: Parameters, secret: Parameters
    ) -> MeetingUpdate | WebinarUpdate:
        """The body of the request."""
        return self.body_of(family).model_validate(self.values(data, secret))

    @staticmethod
    def body_of(family: str) -> type[MeetingUpdate] | type[WebinarUpdate]:
        return MeetingUpdate if family == Meetings.name else WebinarUpdate


def new_password() -> str:
    return "".join(secrets.choice(_ALPHABET) for _each in range(PASSWORD_LENGTH))


def remediated(details: Any, values: Parameters) -> Any:
    """The session as it is once these values were sent."""
    after = details.model_copy(deep=True)
    for name, value in values.get("settings", {}).items():
        if after.settings is not None:
            setattr(after.settings, name, value)
    if "password" in values:
        after.password = values["password"]
    if "schedule_for" in values:
        after.host_id = values["schedule_for"]
    return after


SET_PASSWORD = Remediation(
    "password",
    PASSWORD,
    gettext_lazy("Set passwords"),
    "key-round",
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
    "hourglass",
    consequences=(("hourglass", gettext_lazy("Participants who join early wait for the host.")),),
)
REGISTER = Remediation(
    "register",
    REGISTRATION,
    gettext_lazy("Require registration"),
    "user-check",
    webinars=True,
    consequences=(
        (
            "user-check",
            gettext_lazy(
                "Participants must register to get a join link. People who already have the link "
                "must register too."
            ),
        ),
    ),
)
REASSIGN = Remediation(
    "reassign",
    HOST,
    gettext_lazy("Reassign"),
    "user-round-pen",
    consequences=(
        (
            "user-round-pen",
            gettext_lazy(
                "Meetings keep their ID, time and settings. Webinars cannot be reassigned and are "
                "skipped."
            ),
        ),
    ),
)
DELETE = Remediation(
    "delete",
    HOST,
    gettext_lazy("Delete"),
    "trash-2",
    webinars=True,
    removes=True,
    consequences=(
        (
            "trash-2",
            gettext_lazy(
                "They are deleted with all their occurrences, and their links stop working."
            ),
        ),
    ),
)
REMEDIATIONS = {
    remediation.name: remediation
    for remediation in (SET_PASSWORD, WAIT, REGISTER, REASSIGN, DELETE)
}
