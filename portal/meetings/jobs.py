"""Job types for meetings."""

from portal.meetings.spec import MEETINGS
from portal.sessions.jobs.session_import import SessionImportJob, name_of
from portal.translation import gettext_lazy


class ImportMeetingsJob(SessionImportJob):
    """Schedules and changes the meetings of a table."""

    name = name_of(MEETINGS)
    noun = (gettext_lazy("meeting"), gettext_lazy("meetings"))
    list_url_name = "meetings:list"
    of = MEETINGS
