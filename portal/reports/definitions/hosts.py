"""Reports on active and inactive hosts.

The service sums up the days that it is asked for, so the sums of months are added up here. Inactive
are those whom it lists for the last month of the range, but for those who hosted in another.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from operator import attrgetter
from typing import Any

from portal.access.scope import Scope
from portal.contract.model import JsonDict
from portal.contract.reports import Reports
from portal.contract.users import LicenceType
from portal.directory.models import licence_label
from portal.directory.scope_rules import names_within
from portal.mirror.values import integer, text
from portal.reports.definitions.base import SummedReport, added
from portal.reports.filters import HostFilter, InactiveFilter
from portal.reports.services.fetching import ReportWindow
from portal.reports.services.rows import Total, rows_of, span_of
from portal.reports.services.sources import HOSTS, INACTIVE
from portal.reports.services.windows import Span
from portal.reports.tables import HostTable, InactiveTable
from portal.translation import folded, gettext as _, gettext_lazy, number, searched
from portal.ui.ranges import Range

_SHOWN = 10


@dataclass(frozen=True)
class Host:
    """A person of the account, with what they hosted on these days; None is not known."""

    id: str
    name: str
    email: str
    department: str
    licence: str
    meetings: int | None = None
    participants: int | None = None
    minutes: int | None = None


@dataclass(frozen=True)
class HostBar:
    """A host among those who hosted most; `width` is a percentage as SVG writes it."""

    host: Host
    text: str
    width: str


@dataclass
class _Sums:
    host: Host
    sums: dict[str, int | None] = field(default_factory=dict)


class HostsReport(SummedReport):
    slug = "hosts"
    title = gettext_lazy("Active hosts")
    nothing = (
        gettext_lazy("Nobody hosted"),
        gettext_lazy("No meeting or webinar took place on these days."),
    )
    about = gettext_lazy("Hosts of meetings and webinars, with participants and minutes.")
    icon = "users"
    one, many = gettext_lazy("host"), gettext_lazy("hosts")
    operation = Reports.users
    filter_class = HostFilter
    table_class = HostTable
    sorts = ("minutes", "name", "email", "department", "meetings", "participants")

    def wanted(self, chosen: Range, subject: str = "") -> list[ReportWindow]:
        return [ReportWindow(HOSTS, span_of(chosen))]

    def made(self, scope: Scope, chosen: Range, search: str) -> Iterator[Host]:
        return _matching(within(scope, _hosts(scope, chosen)), search)

    def added_up(self, made: Sequence[Any]) -> list[Total]:
        return [
            Total(_("Hosts"), len(made)),
            Total(_("Meetings and webinars"), added(one.meetings for one in made)),
            Total(_("Participants"), added(one.participants for one in made)),
            Total(_("Participant time"), added(one.minutes for one in made), "minutes"),
        ]

    def bars(self, rows: Iterable[Any]) -> list[HostBar]:
        """Those with most participant time."""
        active = [one for one in rows if one.minutes]
        most = sorted(active, key=attrgetter("minutes"), reverse=True)[:_SHOWN]
        return [
            HostBar(
                one,
                f"{number(one.minutes / 60, 1)} h",
                f"{max(one.minutes * 100 / most[0].minutes, 0.5):.2f}%",
            )
            for one in most
        ]


class InactiveHosts(SummedReport):
    slug = "inactive"
    title = gettext_lazy("Inactive hosts")
    nothing = (
        gettext_lazy("Nobody was inactive"),
        gettext_lazy("Everyone who is active hosted a meeting or webinar on these days."),
    )
    about = gettext_lazy("Active people who hosted no meetings or webinars.")
    icon = "user-x"
    one, many = gettext_lazy("person"), gettext_lazy("people")
    operation = Reports.users
    filter_class = InactiveFilter
    table_class = InactiveTable
    sorts = ("name", "email", "department")

    def wanted(self, chosen: Range, subject: str = "") -> list[ReportWindow]:
        """Returns inactive people of the last month, and hosts of those before."""
        months = list(span_of(chosen).months())
        earlier = (
            [ReportWindow(HOSTS, Span(months[0].first, months[-2].last))] if months[1:] else []
        )
        return [ReportWindow(INACTIVE, months[-1]), *earlier]

    def made(self, scope: Scope, chosen: Range, search: str) -> Iterator[Host]:
        last, *earlier = self.wanted(chosen)
        hosted = {
            host_id
            for wanted in earlier
            for host_id in rows_of(scope, wanted).values_list("data__id", flat=True)
        }
        hosts = map(_reading(), (row.data for row in rows_of(scope, last).iterator()))
        never = (one for one in hosts if one.id not in hosted)
        return _matching(within(scope, never), search)

    def added_up(self, made: Sequence[Any]) -> list[Total]:
        licensed = sum(one.licence not in ("", LicenceType.BASIC.label) for one in made)
        return [Total(_("Inactive people"), len(made)), Total(_("With a paid licence"), licensed)]


def within(scope: Scope, hosts: Iterable[Host]) -> Iterable[Host]:
    """Those within the part of the people that the connection is limited to."""
    if not scope.is_narrow:
        return hosts
    listed = list(hosts)
    inside = names_within(scope, {one.id or one.email for one in listed})
    return [one for one in listed if (one.id or one.email) in inside]


def _hosts(scope: Scope, chosen: Range) -> Iterator[Host]:
    by_id: dict[str, _Sums] = {}
    host_of = _reading()
    wanted = ReportWindow(HOSTS, span_of(chosen))
    for row in rows_of(scope, wanted).order_by("window__first", "pk").iterator():
        host = host_of(row.data)
        of_host = by_id.setdefault(host.id or row.key, _Sums(host))
        of_host.host = host  # as they were called last
        for name in ("meetings", "participants", "meeting_minutes"):
            value = integer(row.data.get(name))
            # A sum without one of its parts would be too low, so it is unknown.
            before = of_host.sums.get(name, 0)
            of_host.sums[name] = None if value is None or before is None else before + value
    for one in by_id.values():
        yield replace(
            one.host,
            meetings=one.sums["meetings"],
            participants=one.sums["participants"],
            minutes=one.sums["meeting_minutes"],
        )


def _reading() -> Callable[[JsonDict], Host]:
    """Returns what makes a host of a record, and translates each licence once for all of them."""
    label = cache(licence_label)

    def host(data: dict[str, object]) -> Host:
        email = text(data.get("email"))
        licence = data.get("type")
        return Host(
            text(data.get("id")),
            text(data.get("user_name")) or email,
            email,
            text(data.get("dept")),
            label(licence) if isinstance(licence, int) else text(licence),
        )

    return host


def _matching(hosts: Iterable[Host], search: str) -> Iterator[Host]:
    wanted = searched(search)
    if not wanted:
        yield from hosts
        return
    for one in hosts:
        text = folded("\n".join((one.name, one.email, one.department)))
        if all(word in text for word in wanted):
            yield one
