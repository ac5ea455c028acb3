"""Reports with a row for each day: calls, and the days of one person."""

from datetime import datetime, time
from typing import Any

from django.db.models import QuerySet, Sum
from django.db.models.functions import Lower, TruncDate

from portal.access.scope import Scope
from portal.config import clock
from portal.contract.reports import Reports
from portal.directory.visible import visible_people
from portal.reports.definitions.base import MOMENT, ListedReport, Rows, number, summed, words
from portal.reports.filters import CallFilter, PersonFilter
from portal.reports.models import KeptRow
from portal.reports.services.fetching import ReportWindow
from portal.reports.services.rows import rows_of
from portal.reports.services.sources import PERSON, TELEPHONE
from portal.reports.tables import CallTable, PersonReportTable
from portal.translation import gettext as _
from portal.translation import gettext_lazy
from portal.ui.charts import Chart, Series
from portal.ui.ranges import Range


def by_day(name: str, title: str, rows: Any, chosen: Range, number: str) -> Chart:
    """The sum of a number on each of the days so far; nothing on a day is zero."""
    found = (
        rows.order_by()
        .annotate(on=TruncDate("moment", tzinfo=chosen.zone))
        .values("on")
        .annotate(sum=Sum(summed(number)))
    )
    sums = {each["on"]: each["sum"] or 0 for each in found}
    today = clock.now().astimezone(chosen.zone).date()
    days = [day for day in chosen.days() if day <= today]
    return Chart(
        name,
        title,
        [datetime.combine(day, time(12), chosen.zone) for day in days],
        [Series(_("Minutes"), [sums.get(day, 0) for day in days])],
        by="day",
    )


class Calls(ListedReport):
    slug = "telephone"
    title = gettext_lazy("Telephone calls")
    nothing = (
        gettext_lazy("No calls"),
        gettext_lazy("Nobody dialled in or was called on these days."),
    )
    about = gettext_lazy("Dial-in and dial-out calls, with their minutes and charges.")
    icon = "phone"
    one, many = gettext_lazy("call"), gettext_lazy("calls")
    operation = Reports.telephone
    filter_class = CallFilter
    table_class = CallTable
    source = TELEPHONE
    sorts = {
        "start": MOMENT,
        "host": words("host_name"),
        "department": words("dept"),
        "country": words("country_name"),
        "duration": number("duration"),
        "charge": number("total"),
    }
    sums = (
        ("duration", gettext_lazy("Call time"), "minutes"),
        ("total", gettext_lazy("Charges"), "money"),
    )

    def kept_rows(
        self, scope: Scope, wanted: ReportWindow, chosen: Range, search: str
    ) -> QuerySet[KeptRow, KeptRow]:
        found = rows_of(scope, wanted, chosen, search)
        if not scope.is_narrow:
            return found
        hosts = visible_people(scope).values(lower=Lower("email"))
        return found.annotate(host=words("host_email")).filter(host__in=hosts)

    def charts(self, rows: Rows, chosen: Range) -> list[Chart]:
        return [by_day("calls", _("Minutes on the telephone"), rows, chosen, "duration")]


class PersonMeetings(ListedReport):
    slug = "person"
    title = gettext_lazy("Meetings of a person")
    nothing = (
        gettext_lazy("Nothing hosted"),
        gettext_lazy("This person hosted no meeting or webinar on these days."),
    )
    about = gettext_lazy("The meetings and webinars that one person hosted.")
    icon = "user"
    one, many = gettext_lazy("meeting or webinar"), gettext_lazy("meetings and webinars")
    operation = Reports.user_meetings
    filter_class = PersonFilter
    table_class = PersonReportTable
    source = PERSON
    has_subject = True
    sorts = {
        "start": MOMENT,
        "topic": words("topic"),
        "duration": number("duration"),
        "minutes": number("total_minutes"),
        "participants": number("participants_count"),
    }
    sums = (
        ("participants_count", gettext_lazy("Participants"), ""),
        ("duration", gettext_lazy("Hosted time"), "minutes"),
        ("total_minutes", gettext_lazy("Participant time"), "minutes"),
    )

    def charts(self, rows: Rows, chosen: Range) -> list[Chart]:
        return [by_day("hosted", _("Minutes hosted"), rows, chosen, "duration")]
