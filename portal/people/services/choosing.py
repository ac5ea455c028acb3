"""The people selected in the list: single ones, or all that match its filters."""

from dataclasses import asdict, dataclass
from typing import Any

from django.db.models import QuerySet

from portal.access.scope import Scope
from portal.directory import users as mirror
from portal.directory.models import MirroredUser
from portal.directory.users import UserFilter
from portal.people.filters import PeopleFilter
from portal.ui.selection import Selection


@dataclass(frozen=True)
class PeopleSelection:
    """The selected people. `words` describes the filters, where all that match are selected;
    the filter itself is kept, so that nothing which is no filter any more can widen it."""

    wanted: UserFilter
    words: str = ""

    def rows(self, scope: Scope, order: str = "name") -> QuerySet[MirroredUser]:
        """Those of them who are on the account as far as the mirror knows."""
        return mirror.find(scope, self.wanted, order)

    def as_parameters(self) -> dict[str, Any]:
        """As JSON keeps it."""
        return {"wanted": asdict(self.wanted), "words": self.words}

    @classmethod
    def of(cls, parameters: dict[str, Any]) -> "PeopleSelection":
        return cls(UserFilter(**parameters["wanted"]), parameters["words"])


def resolve(selection: Selection, scope: Scope) -> PeopleSelection:
    """Returns the people of a selection. Raises `SelectionRefused` if a filter is not
    understood."""
    filters = selection.filters(lambda data: PeopleFilter(data, scope))
    if filters is None:
        return one_by_one(selection)
    return PeopleSelection(filters.wanted, filters.in_words)


def one_by_one(selection: Selection) -> PeopleSelection:
    return PeopleSelection(UserFilter(ids=list(selection.ids)))
