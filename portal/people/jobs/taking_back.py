"""Taking back what jobs did to people: each value returns to what it was before, unless somebody
has changed it since."""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from django.db.models import QuerySet

from portal.client import NotFound
from portal.contract.users import UserDetails, UserStatus
from portal.jobs.kinds import NewItem
from portal.jobs.models import ItemState, Job, JobItem
from portal.jobs.planning import Planning
from portal.mirror.memberships import GROUP_IDS
from portal.mirror.models import GroupKind
from portal.people.imports.account import Account, Known, read_people
from portal.people.imports.columns import UNTOLD
from portal.people.imports.compare import held
from portal.people.jobs.of_people import OfPeople
from portal.people.services.status import RESULT
from portal.people.words import status_label

INSIDE, OUTSIDE = "In the group", "Not in the group"
ACTION_TO = {after.value: action.value for action, after in RESULT.items()}
# What has no value that means none: it can be changed, but not emptied.
_NEVER_EMPTY = frozenset({"type", "timezone", "language", "pmi", "use_pmi", "vanity_name"})
_TOGETHER = 500

# A value of somebody as it is now, by name.
Held = Callable[[str], Any]
# What is there now of the people of some items, in their order; None for who is gone.
Look = Callable[[Sequence[JobItem]], Iterable[Held | None]]


@dataclass(frozen=True)
class Value:
    """Something that a job changed; `words` says a value as people read it."""

    name: str
    title: str
    before: Any
    after: Any
    words: Callable[[Any], str]

    @property
    def is_restorable(self) -> bool:
        if self.name == "status":
            return self.before in ACTION_TO
        if "." in self.name:
            return self.before is not None
        return self.before not in (None, "") or self.name not in _NEVER_EMPTY

    @property
    def why_not(self) -> str:
        """Why it cannot be restored."""
        if self.before in (None, ""):
            return "Had no value before, and cannot be emptied."
        return f"Was “{self.words(self.before)}” before, which cannot be set."


@dataclass
class Back:
    """What can be taken back of an item: `values` are to be sent, `replaced` what is there now,
    `left` is named with the reason."""

    values: dict[str, Any] = field(default_factory=dict)
    replaced: dict[str, Any] = field(default_factory=dict)
    changes: list[tuple[str, str, str]] = field(default_factory=list)
    left: list[tuple[str, str]] = field(default_factory=list)


def status_value(before: str, action: str) -> Value:
    """A status that an action has changed."""
    after = next(result.value for each, result in RESULT.items() if each.value == action)
    return Value("status", "Status", before, after, status_label)


def group_value(kind: GroupKind, group_id: str, name: str, was_member: bool) -> Value:
    """A group that somebody has joined or left."""
    words: Callable[[Any], str] = lambda inside: INSIDE if inside else OUTSIDE  # noqa: E731
    key = f"{GROUP_IDS[kind]} {group_id}"
    return Value(key, name, was_member, not was_member, words)


class TakesBack(OfPeople):
    """A kind that keeps what was `before` in the data of its items."""

    @abstractmethod
    def values(self, item: JobItem) -> Iterator[Value]:
        """What a done item has changed."""

    @abstractmethod
    def data_back(self, item: JobItem, back: Back) -> dict[str, Any]:
        """The data of the item that takes this one back."""

    def action_back(self, item: JobItem, back: Back) -> str:  # noqa: ARG002
        return item.action

    def batch_key_back(self, item: JobItem) -> str:  # noqa: ARG002
        return ""

    def looking(self, planning: Planning) -> Look:
        """Looks at people as the lists of the service tell them, or one by one where these do
        not tell enough."""
        account = Account()
        for read in read_people(planning.api, account):
            planning.progress(read, 0, f"Reading who is on the account: {read:,} people")
        people = {known.user.id: known for known in account.people.values()}

        def ask(item: JobItem) -> Held | None:
            known = people.get(item.object_id)
            if known is None or not any(value.name in UNTOLD for value in self.values(item)):
                return _holder(known, None)
            try:
                return _holder(known, planning.api.users.get(item.object_id))
            except NotFound:
                return None

        return lambda items: planning.concurrently(ask, items)

    def undo(self, job: Job) -> Iterable[NewItem] | None:
        items = changed_by(job)
        if not items.exists():
            return None
        return (self._item_back(item, _as_left(self.values(item))) for item in items.iterator())

    def plan_back(self, planning: Planning, earlier: Job) -> None:
        look, items = self.looking(planning), list(changed_by(earlier))
        for start in range(0, len(items), _TOGETHER):
            some = items[start : start + _TOGETHER]
            for item, now in zip(some, look(some), strict=True):
                planning.add(self._item_back(item, now))
            planning.progress(start + len(some), len(items), "Comparing people")

    def _item_back(self, item: JobItem, now: Held | None) -> NewItem:
        back = Back(left=[("Person", "They are not on the account any more.")])
        if now:
            back = _sorted_out(self.values(item), now)
        made = NewItem(item.number, item.label, item.action, item.object_id, problems=back.left)
        if not back.changes:
            made.state = ItemState.INVALID if back.left else ItemState.UNCHANGED
            return made
        made.action, made.changes = self.action_back(item, back), back.changes
        made.batch_key = self.batch_key_back(item)
        made.data = self.data_back(item, back)
        if back.left:
            made.data["left"] = " ".join(f"Left alone: {title}. {why}" for title, why in back.left)
        return made


def changed_by(job: Job) -> QuerySet[JobItem]:
    """The items that changed something of which it is known what it was before."""
    return job.items.filter(state=ItemState.DONE, data__has_key="before")


def _sorted_out(values: Iterable[Value], now: Held) -> Back:
    back = Back()
    for value in values:
        present = _plain(now(value.name))
        if _is_same(present, value.before):
            continue
        if not _is_same(present, value.after):
            words = value.words(present) or "nothing"
            back.left.append((value.title, f"Changed since, to {words}."))
        elif not value.is_restorable:
            back.left.append((value.title, value.why_not))
        else:
            restored = "" if value.before is None else value.before
            back.values[value.name], back.replaced[value.name] = restored, present
            back.changes.append((value.title, value.words(present), value.words(restored)))
    return back


def _as_left(values: Iterable[Value]) -> Held:
    """As if nobody had changed anything since."""
    return {value.name: value.after for value in values}.get


def _holder(known: Known | None, details: UserDetails | None) -> Held | None:
    if known is None:
        return None
    user, status = known.user, UserStatus(known.status)

    def told(name: str) -> Any:
        if name == "status":
            return status
        ids, _, group_id = name.partition(" ")
        if group_id:
            return group_id in (getattr(user, ids) or ())
        return held(name, user, details)

    return told


def _is_same(one: Any, other: Any) -> bool:
    return bool(one == other) or (one in (None, "") and other in (None, ""))


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, Enum) else value
