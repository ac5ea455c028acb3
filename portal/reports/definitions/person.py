"""Sessions that one person hosted."""

from portal.contract.reports import Reports
from portal.reports.definitions.base import MOMENT, ListedReport, Rows, number, words
from portal.reports.definitions.by_day import by_day
from portal.reports.filters import PersonFilter
from portal.reports.services.sources import PERSON
from portal.reports.tables import PersonReportTable
from portal.translation import gettext as _
from portal.translation import gettext_lazy
from portal.ui.charts import Chart
from portal.ui.ranges import Range


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
