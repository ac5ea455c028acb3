"""Reports on active and inactive hosts.

The service sums up the days of one request, so the sums of months are added up here. Inactive hosts
are those that it lists for the last month of the range, without those who hosted in another month.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from typing import Any

from portal.access.scope import Scope
from portal.contract.model import JsonDict
from portal.contract.users import LicenceType
from portal.directory.models import licence_label
from portal.directory.scope_rules import names_within
from portal.mirror.values import integer, text
from portal.reports.definitions.base import RankedBar, SummedReport
from portal.reports.services.fetching import ReportWindow
from portal.reports.services.rows import Total, rows_of, span_of
from portal.reports.services.sources import HOSTS, INACTIVE
from portal.reports.tables import HostTable, InactiveTable
from portal.reports.windows import Span
from portal.translation import gettext as _, gettext_lazy, number
from portal.ui.ranges import Range
from portal.ui.views.ranged import has_words

_SHOWN = 10


@dataclass(frozen=True)
class Host:
    """A person of the account, with what they hosted on these days; None if unknown."""

    id: str
    name: str
    email: str
    department: str
    licence: str
    meetings: int | None
    participants: int | None
    minutes: int | None


class HostsReport(SummedReport):
    source = HOSTS
    nothing = (
        gettext_lazy("Nobody hosted"),
        gettext_lazy("No meeting or webinar took place on these days."),
    )
    about = gettext_lazy("Hosts of meetings and webinars, with participants and minutes.")
    icon = "users"
    one, many = gettext_lazy("host"), gettext_lazy("hosts")
    search = gettext_lazy("Search hosts")
    table_class = HostTable
    in_gmt = True
    usual_sort = "-minutes"
    sums = (
        ("meetings", gettext_lazy("Meetings and webinars"), ""),
        ("participants", gettext_lazy("Participants"), ""),
        ("minutes", gettext_lazy("Participant time"), "minutes"),
    )

    def made(self, scope: Scope, chosen: Range, search: str) -> Iterable[Host]:
        [wanted] = self.wanted(chosen)
        host_of, hosts = _reading(), dict[str, Host]()
        for row in rows_of(scope, wanted).order_by("window__first", "pk").iterator():
            key = text(row.data.get("id")) or row.key
            hosts[key] = host_of(row.data, hosts.get(key))
        return _matching(scope, hosts.values(), search)

    def added_up(self, made: Sequence[Any]) -> list[Total]:
        return [Total(_("Hosts"), len(made)), *super().added_up(made)]

    def bars(self, rows: Iterable[Any]) -> list[RankedBar]:
        """Returns the hosts with most participant time."""
        active = [one for one in rows if one.minutes]
        most = sorted(active, key=attrgetter("minutes"), reverse=True)[:_SHOWN]
        return [
            RankedBar(
                one.name,
                f"{number(one.minutes / 60, 1)} h",
                f"{max(one.minutes * 100 / most[0].minutes, 0.5):.2f}%",
            )
            for one in most
        ]


class InactiveHosts(SummedReport):
    source = INACTIVE
    nothing = (
        gettext_lazy("Nobody was inactive"),
        gettext_lazy("Everyone who is active hosted a meeting or webinar on these days."),
    )
    about = gettext_lazy("Active people who hosted no meetings or webinars.")
    icon = "user-x"
    one, many = gettext_lazy("person"), gettext_lazy("people")
    search = gettext_lazy("Search people")
    table_class = InactiveTable
    in_gmt = True
    usual_sort = "name"

    def wanted(self, chosen: Range, subject: str = "") -> list[ReportWindow]:
        """Returns inactive people of the last month, and hosts of those before."""
        months = list(span_of(chosen).months())
        earlier = (
            [ReportWindow(HOSTS, Span(months[0].first, months[-2].last))] if months[1:] else []
        )
        return [ReportWindow(INACTIVE, months[-1]), *earlier]

    def made(self, scope: Scope, chosen: Range, search: str) -> Iterable[Host]:
        last, *earlier = self.wanted(chosen)
        hosted = {
            host_id
            for wanted in earlier
            for host_id in rows_of(scope, wanted).values_list("data__id", flat=True)
        }
        host_of = _reading()
        hosts = (host_of(row.data, None) for row in rows_of(scope, last).iterator())
        return _matching(scope, (one for one in hosts if one.id not in hosted), search)

    def added_up(self, made: Sequence[Any]) -> list[Total]:
        licensed = sum(one.licence not in ("", LicenceType.BASIC.label) for one in made)
        return [Total(_("Inactive people"), len(made)), Total(_("With a paid licence"), licensed)]


def _reading() -> Callable[[JsonDict, Host | None], Host]:
    """Returns a function that makes a host of a record, with the sums of the record and of the
    host as read `before`. It translates each licence once for all records."""
    label = cache(licence_label)

    def host(data: JsonDict, before: Host | None) -> Host:
        email = text(data.get("email"))
        licence = data.get("type")
        sums = [integer(data.get(name)) for name in ("meetings", "participants", "meeting_minutes")]
        if before:
            earlier = (before.meetings, before.participants, before.minutes)
            # A sum without one of its summands would be too low, so it is unknown.
            sums = [
                None if one is None or other is None else one + other
                for one, other in zip(sums, earlier, strict=True)
            ]
        return Host(
            text(data.get("id")),
            text(data.get("user_name")) or email,
            email,
            text(data.get("dept")),
            label(licence) if isinstance(licence, int) else text(licence),
            *sums,
        )

    return host


def _matching(scope: Scope, hosts: Iterable[Host], search: str) -> Iterable[Host]:
    """Returns the hosts that the scope shows and that match a search."""
    if scope.is_narrow:
        hosts = list(hosts)
        inside = names_within(scope, {one.id or one.email for one in hosts})
        hosts = [one for one in hosts if (one.id or one.email) in inside]
    if not search:
        return hosts
    return [one for one in hosts if has_words(search, (one.name, one.email, one.department))]
