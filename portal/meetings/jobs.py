"""What jobs do with meetings."""

from portal.meetings.spec import MEETINGS
from portal.sessions.jobs.session_import import SessionImport, name_of


class ImportMeetings(SessionImport):
    """Schedules and changes the meetings of a table."""

    name = name_of(MEETINGS)
    noun = ("meeting", "meetings")
    of = MEETINGS
