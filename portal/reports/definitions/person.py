"""What one person hosted."""

from portal.access.models import Connection
from portal.contract.reports import Reports
from portal.reports.definitions.base import MOMENT, ListedReport, Rows, number, words
from portal.reports.definitions.by_day import by_day
from portal.reports.filters import PersonFilter, ReportFilter
from portal.reports.services.sources import PERSON
from portal.reports.tables import PersonTable
from portal.ui.charts import Chart


class PersonMeetings(ListedReport):
    slug = "person"
    title = "Meetings of a person"
    about = "The meetings and webinars that one person hosted."
    icon = "user"
    one, many = "meeting or webinar", "meetings and webinars"
    operation = Reports.user_meetings
    filter_class = PersonFilter
    table_class = PersonTable
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
        ("participants_count", "Participants", ""),
        ("duration", "Hosted time", "minutes"),
        ("total_minutes", "Participant time", "minutes"),
    )

    def charts(
        self,
        connection: Connection,
        filters: ReportFilter,
        rows: Rows,
    ) -> list[Chart]:
        return [by_day("hosted", "Minutes hosted", rows, filters.range, "duration")]
