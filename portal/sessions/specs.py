"""Differences between meetings and webinars: words, operations, models, declared by each domain."""

from dataclasses import dataclass
from typing import Any

from portal.client import Api
from portal.contract.choices import NumberChoice
from portal.contract.model import Model
from portal.contract.operation import Operation
from portal.contract.polls import MeetingPolls, WebinarPolls
from portal.contract.registrants import MeetingRegistrants, WebinarRegistrants
from portal.translation import pgettext

RegistrantFamily = type[MeetingRegistrants] | type[WebinarRegistrants]

# By their names, as long work keeps them.
REGISTRANT_FAMILIES: dict[str, RegistrantFamily] = {
    MeetingRegistrants.name: MeetingRegistrants,
    WebinarRegistrants.name: WebinarRegistrants,
}


@dataclass(frozen=True)
class SessionTab:
    """A tab of the session page, under the name of its URL in the domain's namespace.

    It is shown to those whose role allows `needs`.
    """

    name: str
    label: str
    needs: Operation[Any, Any]


@dataclass(frozen=True)
class Past:
    """The operations that report the past instances of a session; a time goes by its UUID."""

    instances: Operation[Any, Any]
    get: Operation[Any, Any]
    participants: Operation[Any, Any]


@dataclass(frozen=True)
class SessionSettingGroup:
    """Settings that stand together in a form, by their names; the `rare` ones are folded."""

    title: str
    fields: tuple[str, ...]
    rare: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)  # known by itself, whatever its words are in a language
class SessionSpec:
    """Meetings or webinars.

    `family` is the name of their operations, and of their URLs' namespace; `noun`, `plural` and
    `title`, a heading, are for people, in their language. `live` reports one that is live now.
    `fixed` are the types that take place at fixed times, `recurring` those that take place several
    times.
    """

    family: str
    noun: str
    plural: str
    title: str
    icon: str
    types: type[NumberChoice]
    once: NumberChoice
    recurring: frozenset[NumberChoice]
    fixed: frozenset[NumberChoice]
    instant: NumberChoice | None
    new: type[Model]
    change: type[Model]
    of_user: Operation[Any, Any]
    create: Operation[Any, Any]
    get: Operation[Any, Any]
    update: Operation[Any, Any]
    delete: Operation[Any, Any]
    end: Operation[Any, Any]
    live: Operation[Any, Any]
    registrants: RegistrantFamily
    polls: type[MeetingPolls] | type[WebinarPolls]
    past: Past
    tabs: tuple[SessionTab, ...]
    setting_groups: tuple[SessionSettingGroup, ...]
    has_invitation: bool = False

    @property
    def code(self) -> str:
        """Returns the name of one in files and calendars, in any language: `meeting`."""
        return self.family.removesuffix("s")

    @property
    def series(self) -> NumberChoice:
        """The type that takes place several times at fixed times, by its recurrence."""
        return next(iter(self.recurring & self.fixed))

    @property
    def reports_password(self) -> bool:
        """Returns whether the interface reports the password of an existing session."""
        return bool(self.get.returns and "password" in self.get.returns.model_fields)

    @property
    def fixed_values(self) -> str:
        """The numbers of the types at fixed times, as the form's script reads them."""
        return ",".join(str(one.value) for one in sorted(self.fixed))

    @property
    def id_name(self) -> str:
        """Returns the name of its number in a sentence: "meeting ID"."""
        return pgettext("session", "%(noun)s ID") % {"noun": self.noun}

    @property
    def id_title(self) -> str:
        """Returns the name of the id as a label: "Meeting ID"."""
        return pgettext("session", "%(noun)s ID") % {"noun": self.noun.capitalize()}

    def called(self, number: str) -> str:
        """One that has no topic, by its number."""
        return f"{self.noun.capitalize()} {number}"

    def calls(self, api: Api) -> Any:
        """The family's operations, bound to a connection."""
        return getattr(api, self.family)


def has_page(session_id: str) -> bool:
    """Returns whether a session of this id can be asked for: by its number alone."""
    return session_id.isascii() and session_id.isdigit()
