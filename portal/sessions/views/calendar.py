"""The calendar of an account, or of some hosts: a month, a week, or a list of days."""

from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from django import forms
from django.core.paginator import Paginator
from django.http import HttpResponse, QueryDict
from django.utils import dateformat, timezone

from portal.access.form_fields import WITHIN_REASON
from portal.access.http import PortalRequest
from portal.directory.colleagues import Colleague, find
from portal.sessions import mirror
from portal.sessions.agenda import Agenda, today, week_of
from portal.sessions.kinds import first_kind, kind_choices
from portal.sessions.mirror import SessionFilter
from portal.sessions.views.base import spec_context
from portal.sessions.views.listing import SessionsReadView
from portal.translation import gettext as _, gettext_lazy, pgettext
from portal.ui.filters import FilterTab, ListFilter, choice_field, search_field
from portal.ui.pages import page

VIEWS = (
    ("month", gettext_lazy("Month")),
    ("week", gettext_lazy("Week")),
    ("list", gettext_lazy("List")),
)
_IN_A_DAY = 4  # entries that a day of the month shows
_LISTED = 14  # days
_MOST_LISTED = 31
_ON_A_PAGE = 200
_MOST_HOSTS = 1000  # of one name, such as a department's
_HOSTS_NAMED = 8


class CalendarFilter(ListFilter):
    """Filter of the calendar. `hosts` are names or addresses, separated by commas."""

    sorts = ("start_time",)
    without_chip = frozenset({"view", "day", "days"})

    q = search_field(gettext_lazy("Search sessions"), gettext_lazy("Topic, host or ID"))
    kind = choice_field(
        gettext_lazy("Show"),
        gettext_lazy("All sessions"),
        kind_choices,
    )
    hosts = forms.CharField(
        label=gettext_lazy("Hosts"),
        required=False,
        max_length=500,
        widget=forms.TextInput(
            {
                "placeholder": gettext_lazy("Any host"),
                "title": gettext_lazy("Names or email addresses, separated by commas"),
                "autocomplete": "off",
            }
        ),
    )
    view = forms.ChoiceField(required=False, choices=VIEWS, widget=forms.HiddenInput)
    day = forms.DateField(required=False, widget=forms.HiddenInput, validators=WITHIN_REASON)
    days = forms.IntegerField(
        required=False, min_value=1, max_value=_MOST_LISTED, widget=forms.HiddenInput
    )

    @property
    def shown(self) -> str:
        return self.cleaned_data.get("view") or "month"


@dataclass(frozen=True)
class CalendarHosts:
    """The people with the typed names, by id; `unknown` are the names of no person, `vague`
    those of more people than are searched for."""

    matches: dict[str, Colleague] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)
    vague: list[str] = field(default_factory=list)

    @property
    def named(self) -> list[Colleague]:
        """As many as a line has room for."""
        return list(self.matches.values())[:_HOSTS_NAMED]

    @property
    def names(self) -> str:
        return ", ".join(one.name for one in self.named)

    @property
    def more(self) -> int:
        return len(self.matches) - len(self.named)


@dataclass(frozen=True)
class Steps:
    """Links to earlier days, later days, today, and these days with nothing narrowed."""

    back: str
    on: str
    today: str
    clear: str
    title: str


class CalendarView(SessionsReadView):
    template_name = "sessions/calendar.html"

    def url_name(self, endpoint: str) -> str:
        return "sessions:calendar" if endpoint == "list" else f"sessions:calendar-{endpoint}"

    def nouns(self) -> tuple[str, str]:
        return _("session"), _("sessions")

    def total(self) -> int:
        return mirror.find(self.request.scope, SessionFilter()).order_by().count()

    def answer_page(self, *_args: object, **_kwargs: object) -> HttpResponse:
        """A month, a week or a list of days."""
        self.state, request = self.refresh_if_old(), self.request
        filters = CalendarFilter(request.GET)
        zone = ZoneInfo(timezone.get_current_timezone_name())
        day = filters.cleaned_data.get("day") or today(zone)
        hosts = _hosts(request, filters)
        agenda = Agenda(request.scope, zone, _wanted(filters, hosts))
        context = {
            **self.context(),
            **spec_context(request, first_kind()),
            "filters": filters,
            "hosts": hosts,
            "zone": zone.key,
            "day": day,
            "tabs": [FilterTab(value, label, value == filters.shown) for value, label in VIEWS],
            "steps": _steps(request, filters, day, zone),
            "day_url": _day_url(request),
            **_shown(request, filters, agenda, day),
        }
        fragment = "dates" if request.htmx and request.htmx.target == "dates" else "content"
        return page(request, self.template_name, context, fragment=fragment)


def _shown(
    request: PortalRequest, filters: CalendarFilter, agenda: Agenda, day: date
) -> dict[str, object]:
    if filters.shown == "week":
        columns, hours = agenda.week(day)
        count = sum(each.day.count for each in columns)
        return {"columns": columns, "hours": hours, "count": count}
    if filters.shown == "list":
        moments = agenda.moments(day, day + timedelta(days=_length(filters) - 1))
        paged = Paginator(moments, _ON_A_PAGE).get_page(request.GET.get("page"))
        return {"days": agenda.listed(list(paged)), "page": paged, "count": len(moments)}
    weeks = agenda.month(day, _IN_A_DAY)
    inside = (each for week in weeks for each in week if not each.is_beside)
    return {"weeks": weeks, "count": sum(each.count for each in inside)}


def _hosts(request: PortalRequest, filters: CalendarFilter) -> CalendarHosts:
    names = [name.strip() for name in (filters.cleaned_data.get("hosts") or "").split(",")]
    hosts = CalendarHosts()
    for name in filter(None, names):
        called = find(request.scope, name, most=_MOST_HOSTS + 1)
        hosts.matches.update((host.id, host) for host in called[:_MOST_HOSTS])
        if not called:
            hosts.unknown.append(name)
        elif len(called) > _MOST_HOSTS:
            hosts.vague.append(name)
    return hosts


def _wanted(filters: CalendarFilter, hosts: CalendarHosts) -> SessionFilter:
    chosen = filters.cleaned_data
    wanted = SessionFilter(
        search=chosen.get("q") or "",
        kinds=[chosen["kind"]] if chosen.get("kind") else [],
        hosts=list(hosts.matches),
    )
    return replace(wanted, ids=[]) if hosts.unknown and not hosts.matches else wanted


def _length(filters: CalendarFilter) -> int:
    return filters.cleaned_data.get("days") or _LISTED


def _steps(request: PortalRequest, filters: CalendarFilter, day: date, zone: ZoneInfo) -> Steps:
    now = today(zone)
    if filters.shown == "month":
        first = day.replace(day=1)
        back = (first - timedelta(days=1)).replace(day=1)
        on = (first + timedelta(days=31)).replace(day=1)
        title = dateformat.format(first, _("F Y"))
    else:
        length = 7 if filters.shown == "week" else _length(filters)
        first = week_of(day) if filters.shown == "week" else day
        last = first + timedelta(days=length - 1)
        back, on = first - timedelta(days=length), first + timedelta(days=length)
        title = _span(first, last)
    urls = [_url(request, each) for each in (back, on, now)]
    clear = urlencode({"view": filters.shown, "day": day.isoformat()})
    return Steps(urls[0], urls[1], urls[2], f"{request.path}?{clear}", title)


def _span(first: date, last: date) -> str:
    """`7 to 13 December 2026`: what both days share is said once."""
    if first == last:
        return dateformat.format(first, _("D j F Y"))
    begins = _("j F Y")
    if first.year == last.year:
        # The day of a month that is said after the second one.
        begins = _("j F") if first.month != last.month else pgettext("first of days", "j")
    return _("%(begins)s to %(ends)s") % {
        "begins": dateformat.format(first, begins),
        "ends": dateformat.format(last, _("j F Y")),
    }


def _url(request: PortalRequest, day: date) -> str:
    query: QueryDict = request.GET.copy()
    query["day"] = day.isoformat()
    query.pop("page", None)
    return f"{request.path}?{query.urlencode()}"


def _day_url(request: PortalRequest) -> str:
    """Returns the address of the list of one day; the day itself is to be appended."""
    query = {
        name: value
        for name, value in request.GET.items()
        if name in ("q", "kind", "hosts") and value
    }
    return f"{request.path}?{urlencode({**query, 'view': 'list', 'days': 1})}&day="
