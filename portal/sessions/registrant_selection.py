"""Which registrants are meant by what was chosen in their list."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from django.http import QueryDict

from portal.client import Api
from portal.contract.registrants import RegistrantDetails
from portal.contract.sessions import Occurrence
from portal.sessions.registrant_filter import RegistrantFilter
from portal.sessions.services.registrants import RegistrantLookup, called, everyone
from portal.sessions.specs import RegistrantFamily
from portal.ui.selection import MATCHING, Selection


@dataclass(frozen=True)
class RegistrantSelection:
    """`wanted` is the list they were chosen in; `ids` are those ticked, where not all are meant."""

    wanted: RegistrantLookup
    ids: tuple[str, ...]
    is_all: bool

    def people(
        self, api: Api, family: RegistrantFamily, session_id: str, most: int | None = None
    ) -> list[RegistrantDetails]:
        """Those who are meant and still in that list, at most so many. Raises `ApiError`."""
        if self.is_all:
            return list(islice(everyone(api, family, session_id, self.wanted), most))
        same = RegistrantLookup(self.wanted.status, self.wanted.occurrence_id)
        return called(api, family, session_id, same, self.ids[:most])


def chosen(
    selection: Selection, data: QueryDict, occurrences: Iterable[Occurrence]
) -> RegistrantSelection:
    """Returns the selection of a list's form. Raises `SelectionRefused`.

    The status under which they were listed is always named: the service lists one at a time.
    """
    filters = selection.filters(lambda query: RegistrantFilter(query, occurrences))
    is_all = filters is not None
    filters = filters or RegistrantFilter(QueryDict(data.get(MATCHING, "")), occurrences)
    return RegistrantSelection(filters.wanted, selection.ids, is_all)
