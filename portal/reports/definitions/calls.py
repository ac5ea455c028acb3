"""Calls by telephone into sessions, and out of them."""

from portal.contract.reports import Reports
from portal.reports.definitions.base import MOMENT, ListedReport, Rows, number, words
from portal.reports.definitions.by_day import by_day
from portal.reports.filters import CallFilter
from portal.reports.services.sources import TELEPHONE
from portal.reports.tables import CallTable
from portal.ui.charts import Chart
from portal.ui.ranges import Range


class Calls(ListedReport):
    slug = "telephone"
    title = "Telephone calls"
    about = "Dial-in and dial-out calls, with their minutes and charges."
    icon = "phone"
    one, many = "call", "calls"
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
    sums = (("duration", "Call time", "minutes"), ("total", "Charges", "money"))

    def charts(self, rows: Rows, chosen: Range) -> list[Chart]:
        return [by_day("calls", "Minutes on the telephone", rows, chosen, "duration")]
