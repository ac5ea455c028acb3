"""Property of people who leave: each domain declares its own kinds.

class Meetings(Holding):
    name = "meetings"
    ...

DOMAIN = Domain(holdings=(Meetings(),), steps=(DeleteMeeting(),), ...)
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from portal.access.scope import Scope
from portal.client import Api
from portal.contract.choices import TextChoice
from portal.contract.operation import AnyOperation
from portal.contract.words import gettext_noop
from portal.jobs.steps import NewStep

# Choices for a leaver's property; each domain has its own words for them.
LEAVE, TRANSFER, REMOVE, HAND_OVER = "leave", "transfer", "remove", "hand_over"
SHOWN = 5  # objects of a kind that are shown by name


class Ending(TextChoice):
    """Way in which a person leaves."""

    DEACTIVATE = (
        "deactivate",
        gettext_noop("Deactivate"),
        gettext_noop(
            "They stay on the account and cannot sign in. Can be undone. Nothing is transferred: "
            "the service transfers only when a person is removed."
        ),
    )
    DISASSOCIATE = (
        "disassociate",
        gettext_noop("Disassociate"),
        gettext_noop(
            "Removes the person from this account. They keep their own account and what is not "
            "transferred. Cannot be undone."
        ),
    )
    DELETE = (
        "delete",
        gettext_noop("Delete permanently"),
        gettext_noop("Deletes the person and what is not transferred. Cannot be undone."),
    )

    @property
    def removes(self) -> bool:
        return self is not Ending.DEACTIVATE


class Phase:
    """The order of steps: the sign-in ends first, the account last."""

    SIGN_IN, CONTENT, RELATIONS, ACCOUNT = range(4)


@dataclass(frozen=True)
class Leaver:
    """Person who leaves, as the service reports them."""

    id: str
    email: str
    name: str
    licence: int | None = None
    group_ids: Sequence[str] = ()
    im_group_ids: Sequence[str] = ()


@dataclass(frozen=True)
class Recipient:
    """Person who receives transferred property."""

    id: str
    email: str
    name: str


@dataclass(frozen=True)
class Leaving:
    """Departure of a person: `choices` are by kind of property."""

    ending: Ending
    choices: Mapping[str, str] = field(default_factory=dict)
    recipient: Recipient | None = None

    def choice(self, name: str) -> str:
        return self.choices.get(name, LEAVE)

    def as_parameters(self) -> dict[str, object]:
        """Returns the departure as JSON, for `of`."""
        return {
            "ending": self.ending.value,
            "choices": dict(self.choices),
            "recipient": asdict(self.recipient) if self.recipient else None,
        }

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "Leaving":
        to = data["recipient"]
        return cls(Ending(data["ending"]), data["choices"], Recipient(**to) if to else None)


@dataclass(frozen=True)
class Inventory:
    """A leaver's property of one kind: `data` is the result of `Holding.read`."""

    scope: Scope
    leaver: Leaver
    data: Any


@dataclass(frozen=True)
class HoldingSummary:
    """A leaver's property of one kind, in words. `count` is None if it could not be read.

    `amount` is shown beside the count, such as a size; `first` are the first objects, `SHOWN` at
    most, each with details; `obstacle` says why the person cannot be removed with them.
    """

    count: int | None
    amount: str = ""
    first: Sequence[tuple[str, str]] = ()
    obstacle: str = ""


@dataclass(frozen=True)
class Option:
    """A choice for one kind of a leaver's property."""

    value: str
    label: str


class Holding(ABC):
    """Kind of people's property, shown to users who may call `needs`.

    `transferred_by` is the field of `UserRemoval` by which a removal can transfer it. The first of
    the `options` is suggested. With `ends_with_removal` there is no choice for a person who is
    removed; with `may_be_more` there is a choice even if nothing could be read. The steps of
    `REMOVE` call the operations `removed_by`.
    """

    name: str
    title: str
    icon: str
    place: int
    phase: int = Phase.RELATIONS
    transferred_by: str = ""
    ends_with_removal: bool = False
    may_be_more: bool = False
    removed_by: Sequence[AnyOperation] = ()
    options: Sequence[Option] = ()
    hint: str = ""

    @property
    def options_staying(self) -> Sequence[Option]:
        """Returns the choices for a person who stays on the account: those without a transfer."""
        return [one for one in self.options if one.value != TRANSFER]

    @property
    @abstractmethod
    def needs(self) -> AnyOperation:
        """Returns the operation that reads the property."""

    def calls(self, choice: str) -> Sequence[AnyOperation]:
        """Returns the operations that the steps of this choice call."""
        return self.removed_by if choice == REMOVE else ()

    def read(self, api: Api, leaver: Leaver) -> Any:  # noqa: B027 - not all of it is read
        """Reads it from the service, perhaps in a thread: does not use the database. Raises
        `ApiError`."""

    @abstractmethod
    def summary(self, inventory: Inventory) -> HoldingSummary:
        """Returns the property in words, with the portal's own data about it."""

    def steps(self, inventory: Inventory, leaving: Leaving) -> Iterable[NewStep]:
        """Returns the steps of the choice made for this kind of property."""
        return self.removal(inventory) if leaving.choice(self.name) == REMOVE else ()

    @abstractmethod
    def removal(self, inventory: Inventory) -> Iterable[NewStep]:
        """Returns the steps of the choice `REMOVE`."""


_HOLDINGS: dict[str, Holding] = {}


def register(*holdings: Holding) -> None:
    _HOLDINGS.update({one.name: one for one in holdings})


def holdings() -> list[Holding]:
    """Returns all kinds, in their order."""
    return sorted(_HOLDINGS.values(), key=lambda one: one.place)


def in_order() -> Iterator[Holding]:
    """Yields the holdings in the order in which their steps are carried out."""
    yield from sorted(_HOLDINGS.values(), key=lambda one: (one.phase, one.place))
