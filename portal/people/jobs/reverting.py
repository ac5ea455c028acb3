"""Undoing what jobs did to people."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from portal.client import NotFound
from portal.directory.memberships import GROUP_IDS
from portal.directory.models import GroupKind
from portal.jobs import reverting
from portal.jobs.models import JobItem
from portal.jobs.planning import Planning
from portal.jobs.reverting import Held, Look, Reversal
from portal.people.imports.account import NOT_LISTED, ImportAccount
from portal.people.jobs.base import OfPeopleJob
from portal.people.labels import status_label
from portal.people.services.status import RESULT
from portal.translation import gettext as _
from portal.translation import gettext_lazy

__all__ = ["ACTION_TO", "Held", "Look", "PeopleUndoJob", "PersonValue", "Reversal"]

INSIDE, OUTSIDE = gettext_lazy("In the group"), gettext_lazy("Not in the group")
ACTION_TO = {after.value: action.value for action, after in RESULT.items()}
# What has no value that means none: it can be changed, but not emptied.
_NEVER_EMPTY = frozenset({"type", "timezone", "language", "pmi", "use_pmi", "vanity_name"})


@dataclass(frozen=True)
class PersonValue(reverting.ItemValue):
    """A value of a person."""

    @property
    def obstacle(self) -> str:
        if self._is_restorable:
            return ""
        if self.before in (None, ""):
            return _("There was no previous value, and it cannot be cleared.")
        return _("Was “%(words)s” before, which cannot be set.") % {
            "words": self.words(self.before)
        }

    @property
    def _is_restorable(self) -> bool:
        if self.name == "status":
            return self.before in ACTION_TO
        if "." in self.name:
            return self.before is not None
        return self.before not in (None, "") or self.name not in _NEVER_EMPTY


def status_value(before: str, action: str) -> PersonValue:
    """A status that an action has changed."""
    after = next(result.value for each, result in RESULT.items() if each.value == action)
    return PersonValue("status", _("Status"), before, after, status_label)


def group_value(kind: GroupKind, group_id: str, name: str, was_member: bool) -> PersonValue:
    """A group that somebody has joined or left."""
    words: Callable[[Any], str] = lambda inside: str(INSIDE if inside else OUTSIDE)  # noqa: E731
    key = f"{GROUP_IDS[kind]} {group_id}"
    return PersonValue(key, name, was_member, not was_member, words)


class PeopleUndoJob(OfPeopleJob, reverting.RevertibleJob):
    """A job type about people that can be undone."""

    gone = (gettext_lazy("Person"), gettext_lazy("They are not on the account any more."))

    def looking(self, planning: Planning) -> Look:
        """Looks at people as the lists of the service report them, or one by one where these do
        not contain enough."""
        account = ImportAccount()
        account.read_people(planning)
        people = {known.user.id: known for known in account.people.values()}

        def ask(item: JobItem) -> Held | None:
            known = people.get(item.object_id)
            if known is None:
                return None
            if not any(value.name in NOT_LISTED for value in self.values(item)):
                return known.value
            try:
                return replace(known, details=planning.api.users.get(item.object_id)).value
            except NotFound:
                return None

        return lambda items: planning.concurrently(ask, items)

    def undo_context(self, item: JobItem) -> dict[str, Any]:
        return {"name": item.data["name"]} if "name" in item.data else {}
