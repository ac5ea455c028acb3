"""The list of people: read from the mirror, so that it can be searched, sorted and exported."""

from collections.abc import Collection
from functools import cached_property
from typing import ClassVar

from django.db.models import QuerySet
from django.http import QueryDict

from portal.contract.users import Users, UserStatus
from portal.directory import users as mirror
from portal.directory.groups import GROUPS
from portal.directory.models import MirroredUser
from portal.directory.settings import PEOPLE as SUBJECTS
from portal.directory.users import UserFilter
from portal.mirror.models import MirrorState
from portal.mirror.views.listing import MirroredListView
from portal.people.tables import PEOPLE, PeopleFilter, PeopleTable
from portal.translation import gettext as _
from portal.ui.filters import FilterTab
from portal.ui.settings.views import COMPARING, ComparedListView


class PeopleListView(ComparedListView, MirroredListView):
    """Everybody on the account, by search, status, licence, department and more."""

    methods: ClassVar[dict[str, tuple[str, ...]]] = {
        **MirroredListView.methods,
        "compare": COMPARING,
    }
    compares, subject_key = SUBJECTS, "user_id"
    needs = Users.list
    spec = PEOPLE
    mirrored = mirror.USERS
    namespace = "people"
    template_name = "people/list.html"

    @cached_property
    def counts(self) -> dict[str, int]:
        return mirror.counts_by_status(self.request.scope)

    def look(self) -> MirrorState:
        self.mark_viewed(GROUPS)  # which the filters and a column show
        return super().look()

    def get_filters(self, data: QueryDict) -> PeopleFilter:
        return PeopleFilter(data, self.request.scope)

    def rows(self, filters: PeopleFilter) -> QuerySet[MirroredUser]:
        return mirror.find(self.request.scope, filters.wanted, filters.order)

    def rows_of(self, ids: Collection[str]) -> QuerySet[MirroredUser]:
        return mirror.find(self.request.scope, UserFilter(ids=list(ids)))

    def get_table(self, rows: object, **options: object) -> PeopleTable:
        return PeopleTable(rows, scope=self.request.scope, **options)

    def get_tabs(self, filters: PeopleFilter) -> list[FilterTab]:
        chosen = filters.chosen_status
        return [
            FilterTab("", _("All"), not chosen, self.total()),
            *(
                FilterTab(
                    each.value, each.label, each.value == chosen, self.counts.get(each.value, 0)
                )
                for each in UserStatus
            ),
        ]

    def known_count(self, filters: PeopleFilter) -> int | None:
        """The tabs have counted these already; a count of 50,000 rows is not for nothing."""
        if filters.chips:
            return None
        chosen = filters.chosen_status
        return self.counts.get(chosen, 0) if chosen else self.total()

    def total(self) -> int:
        return sum(self.counts.values())
