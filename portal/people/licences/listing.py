"""The list of licensed people by use, with suggestions and seats."""

from collections.abc import Collection, Iterable, Iterator
from operator import attrgetter
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.http import HttpResponse, QueryDict
from django.utils.html import format_html
from django.utils.safestring import SafeString

from portal.access.http import origin_of
from portal.access.models import Connection
from portal.contract.meetings import Meetings
from portal.contract.users import Users
from portal.directory import users as mirror
from portal.directory.groups import GROUPS
from portal.mirror import hosting
from portal.mirror.models import MirrorState
from portal.mirror.views.listing import MirroredListView
from portal.people.licences import plans
from portal.people.licences.forms import LicencesFilter
from portal.people.licences.use import EVERYBODY, Facts, Use, facts_of, listed_protections
from portal.people.licences.words import suggestions, unknown_in_words, use_in_words
from portal.people.listing import PersonTable
from portal.people.models import SeatCounting
from portal.people.services import seats
from portal.sessions.jobs.reading import READING, next_time
from portal.translation import gettext as _, gettext_lazy
from portal.ui.exports import ExportColumn, of
from portal.ui.filters import FilterTab
from portal.ui.listing import ListSpec
from portal.ui.pages import go, page, toast, wants_fragment
from portal.ui.selection import Action, export_actions
from portal.ui.tables import SortedColumn, TableColumn

_EXPORT = "people:licences-export"
LICENCES = ListSpec(
    "licences",
    gettext_lazy("person"),
    gettext_lazy("people"),
    actions=(
        Action(
            gettext_lazy("Move to Basic"),
            "badge-minus",
            "people:licences-reclaim",
            Users.update,
            counted=True,
        ),
        Action(gettext_lazy("Protect"), "shield", "people:licences-protect", Users.update),
        *export_actions(_EXPORT, Users.list),
    ),
    export_url_name=_EXPORT,
    file="licences",
)
_AT_ONCE = 2000
_RARE = frozenset({Use.PROTECTED, Use.UNKNOWN})  # which have a tab if there are any


class LicencesTable(PersonTable):
    caption = gettext_lazy("Licences")

    last_login_time = SortedColumn(
        gettext_lazy("Last sign-in"),
        default=gettext_lazy("Never"),
        css="cell-narrow",
        is_moment=True,
    )
    hosted = TableColumn(
        gettext_lazy("Hosted"), empty_values=(), export="hosted", css="cell-length"
    )
    next_time = TableColumn(
        gettext_lazy("Next session"),
        default=gettext_lazy("None"),
        export=[ExportColumn("next_session", attrgetter("next_time"))],
        css="cell-narrow",
        is_moment=True,
    )
    created_at = SortedColumn(
        gettext_lazy("Added"), default=gettext_lazy("Unknown"), is_moment=True
    )
    why = TableColumn(
        gettext_lazy("Reason"),
        empty_values=(),
        accessor="user_id",
        css="cell-narrow cell-why",
        export=[
            ExportColumn("use", lambda person: Use(person.use).label, gettext_lazy("Use")),
            of("why", gettext_lazy("Reason")),
        ],
    )

    optional = ("email", "status", "created_at")
    fixed = ("why",)
    later = ("dept",)

    class Meta(PersonTable.Meta):
        pass

    def __init__(self, rows: object, *, facts: Facts, **options: object) -> None:
        super().__init__(rows, scope=facts.scope, **options)
        self._facts = facts

    def render_hosted(self, value: bool) -> str:
        if value:
            return _("Yes")
        return _("Nothing") if self._facts.hosted.is_complete else _("Not known")

    def render_why(self, record: Any) -> SafeString:
        words, use = use_in_words(self._facts, record), Use(record.use).label
        return format_html(
            '<span title="{}">{}<span class="visually-hidden">. {}</span></span>', words, use, words
        )


class LicencesView(MirroredListView[LicencesFilter, QuerySet[Any]]):
    """Everybody with a licence, by their use of it; those who do not use theirs come first."""

    methods: ClassVar[dict[str, tuple[str, ...]]] = {
        **MirroredListView.methods,
        "read": ("POST",),
        "facts": ("GET", "HEAD"),
    }
    needs = Users.list
    spec = LICENCES
    mirrored = mirror.USERS
    namespace = "people"
    template_name = "people/licences.html"

    _facts: Facts  # by which the rows were found

    def url_name(self, endpoint: str) -> str:
        return "people:licences" if endpoint == "list" else f"people:licences-{endpoint}"

    def refresh_if_old(self) -> MirrorState:
        """Requests a refresh of the mirrored lists of the page that are old, or were never read."""
        self.mark_viewed(GROUPS)
        if self.request.scope.can_call(Meetings.of_user):
            READING.mark_viewed(self.request.connection)
        return super().refresh_if_old()

    def get_filters(self, data: QueryDict) -> LicencesFilter:
        return LicencesFilter(data, self.request.scope)

    def rows(self, filters: LicencesFilter) -> QuerySet[Any]:
        self._facts = filters.facts
        return _with_next_time(self._facts.find(filters.order), self.request.connection)

    def rows_of(self, ids: Collection[str]) -> QuerySet[Any]:
        wanted = self.get_filters(QueryDict(self.request.POST.get("matching", ""))).wanted
        self._facts = facts_of(self.request.scope, wanted.of_people(ids))
        return _with_next_time(self._facts.find(), self.request.connection)

    def get_table(self, rows: object, **options: object) -> LicencesTable:
        return LicencesTable(rows, facts=self._facts, **options)

    def counted(self, rows: QuerySet[Any]) -> tuple[int, Iterable[object]]:
        return rows.count(), self._explained(rows.iterator(chunk_size=_AT_ONCE))

    def _explained(self, rows: Iterable[Any]) -> Iterator[Any]:
        for row in rows:
            row.why = use_in_words(self._facts, row)
            yield row

    def get_tabs(self, filters: LicencesFilter) -> list[FilterTab]:
        chosen, counts = filters.chosen_use, filters.facts.counts
        return [
            *(
                FilterTab(
                    "" if use is Use.UNUSED else use.value,
                    use.label,
                    use.value == chosen,
                    counts.get(use.value, 0),
                )
                for use in Use
                if use not in _RARE or use.value == chosen or counts.get(use.value)
            ),
            FilterTab(EVERYBODY, _("All"), chosen == EVERYBODY, sum(counts.values())),
        ]

    def precounted(self, filters: LicencesFilter) -> int | None:
        """Returns the count of a tab, if one has counted these rows."""
        if filters.wanted.reason:
            return None
        use = filters.wanted.use
        counts = filters.facts.counts
        return counts.get(use, 0) if use else sum(counts.values())

    def total(self) -> int:
        return sum(mirror.counts_by_status(self.request.scope).values())

    def page_context(self, filters: LicencesFilter, table: object) -> dict[str, object]:
        connection, facts = self.request.connection, filters.facts
        report = hosting.report()
        may_read = report and self.request.scope.can_call(report.operation)
        if report and may_read and not facts.hosted.is_complete:
            report.request(connection, origin_of(self.request), facts.since.first_day)
        whole = facts.of_everybody()
        seats_now = seats.seats_of(self.request.scope)
        return {
            "seats": seats_now,
            "trend": None if self.request.scope.is_narrow else plans.trend(connection),
            "suggestions": list(suggestions(whole, seats_now)) if whole.is_complete else [],
            "protected": listed_protections(self.request.scope).count(),
            **self.facts_context(facts),
        }

    def facts_context(self, facts: Facts) -> dict[str, object]:
        """Returns the context on the page's data and its age."""
        connection = self.request.connection
        report = hosting.report()
        sessions = facts.coming.state if facts.coming else None
        is_read = bool(report and report.is_requested(connection))
        return {
            "hosted": facts.hosted,
            "hosted_is_read": is_read,
            "sessions": sessions,
            "plan": plans.reading_of(connection),
            "counting": SeatCounting.objects.filter(connection=connection).first(),
            "unknown": list(unknown_in_words(facts)),
            "since": facts.since.used,
            "is_read": is_read or bool(sessions and sessions.is_wanted),
        }

    def answer_facts(self, *_args: object, **_kwargs: object) -> HttpResponse:
        """Shows the age of the data, which the page polls until all of it is read."""
        if not wants_fragment(self.request):
            return go(self.request, self.list_url())
        filters = self.get_filters(self.request.GET)
        context = self.facts_context(filters.facts)
        answer = page(self.request, self.template_name, context, fragment="facts")
        if not context["is_read"]:
            answer["HX-Trigger"] = "mirror-refreshed"
        return answer

    def answer_read(self, *_args: object, **_kwargs: object) -> HttpResponse:
        """Refreshes the data of the page: the plan at once, the rest by jobs."""
        connection, filters = self.request.connection, self.get_filters(self.request.GET)
        self.refresh_by_hand()
        if self.request.scope.can_call(Meetings.of_user):
            READING.request(connection)
        report = hosting.report()
        if report and self.request.scope.can_call(report.operation):
            first = filters.facts.since.first_day
            report.request(connection, origin_of(self.request), first)
        if not self.request.scope.is_narrow:
            self.read_plan()
        query = self.request.GET.urlencode()
        return go(self.request, f"{self.list_url()}?{query}" if query else self.list_url())

    def read_plan(self) -> None:
        """Asks for the plan, which is of the whole account."""
        scope = self.request.scope
        reading = plans.read(self.request.api, scope)
        plans.count_today(scope.connection)
        if reading.failure:
            toast(
                self.request,
                "warning",
                _("The plan could not be loaded. %(failure)s") % {"failure": _(reading.failure)},
            )
        else:
            toast(self.request, "good", _("The plan is updated. The rest is being loaded."))


def _with_next_time(people: QuerySet[Any], connection: Connection) -> QuerySet[Any]:
    with_time: QuerySet[Any] = people.annotate(next_time=next_time(connection))
    return with_time
