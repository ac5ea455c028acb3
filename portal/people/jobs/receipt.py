"""The receipt of people who left: for each what was transferred, revoked and removed, what was not
and why."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from portal.jobs.labels import state_of_item
from portal.jobs.models import ItemState, Job, JobItem
from portal.jobs.offboarding import Ending, Leaving
from portal.jobs.steps import step_called
from portal.people.jobs.offboarding import STAYS
from portal.people.jobs.steps import REMOVE
from portal.translation import gettext as _, pgettext


@dataclass(frozen=True)
class ReceiptLine:
    """A step as the receipt shows it; `why` is the reason where it was not carried out."""

    verb: str
    title: str
    after: str
    at: datetime | None = None
    before: str = ""
    why: str = ""


@dataclass
class PersonReceipt:
    """One person: what was done, what stayed as it is, and what was not done."""

    user_id: str
    name: str
    done: list[ReceiptLine] = field(default_factory=list)
    left: list[ReceiptLine] = field(default_factory=list)
    not_done: list[ReceiptLine] = field(default_factory=list)


@dataclass(frozen=True)
class Receipt:
    people: list[PersonReceipt]
    leaving: Leaving
    is_whole: bool

    @property
    def ending(self) -> Ending:
        return self.leaving.ending

    @property
    def recipient(self) -> str:
        to = self.leaving.recipient
        if to is None:
            return ""
        return f"{to.name}, {to.email}" if to.email and to.email != to.name else to.name


def receipt_of(job: Job, user_id: str = "") -> Receipt:
    """Of all people of a job, or of one of them."""
    people: dict[int, PersonReceipt] = {}
    for item in job.items.order_by("number", "pk"):
        whose = str(item.data.get("user_id", ""))
        person = people.setdefault(item.number, PersonReceipt(whose, item.label))
        _add(person, job, item)
    wanted = [one for one in people.values() if user_id in ("", one.user_id)]
    return Receipt(wanted, Leaving.of(job.parameters["leaving"]), not user_id)


def _add(person: PersonReceipt, job: Job, item: JobItem) -> None:
    state = ItemState(item.state)
    if item.action == STAYS:
        person.left += _lines(item, pgettext("stays as it is", "Left"))
    elif state == ItemState.DONE:
        person.done += _lines(item, step_called(item.action).verb)
    elif state != ItemState.UNCHANGED:
        problems = " ".join(words for _, words in item.problems)
        why = item.message or problems or state_of_item(job, state)
        verb = step_called(item.action).verb if item.action else ""
        person.not_done += _lines(item, verb, why) or [ReceiptLine(verb, _("Person"), "", why=why)]


def _lines(item: JobItem, verb: str, why: str = "") -> list[ReceiptLine]:
    """One for each change; what a removal transfers is a line of its own."""
    return list(_each(item, verb, why))


def _each(item: JobItem, verb: str, why: str) -> Iterator[ReceiptLine]:
    for title, before, after in item.changes:
        is_transfer = item.action == REMOVE and title != item.data["title"]
        what = _("Transfer") if is_transfer else verb
        yield ReceiptLine(
            what, title, after, None if why or item.action == STAYS else item.ended_at, before, why
        )
