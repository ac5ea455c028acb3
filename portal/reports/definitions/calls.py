"""Calls by telephone into sessions, and out of them."""

from django.db.models import QuerySet
from django.db.models.functions import Lower

from portal.access.scope import Scope
from portal.contract.reports import Reports
from portal.directory.part import people
from portal.reports.definitions.base import MOMENT, ListedReport, Rows, number, words
from portal.reports.definitions.by_day import by_day
from portal.reports.filters import CallFilter
from portal.reports.models import KeptRow
from portal.reports.services.fetching import ReportWindow
from portal.reports.services.rows import rows_of
from portal.reports.services.sources import TELEPHONE
from portal.reports.tables import CallTable
from portal.translation import gettext as _
from portal.translation import gettext_lazy
from portal.ui.charts import Chart
from portal.ui.ranges import Range


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
        hosts = people(scope).values(lower=Lower("email"))
        return found.annotate(host=words("host_email")).filter(host__in=hosts)

    def charts(self, rows: Rows, chosen: Range) -> list[Chart]:
        return [by_day("calls", _("Minutes on the telephone"), rows, chosen, "duration")]
