"""Query parameters of today's services that the document does not have."""

from pydantic import Field

from portal.contract.choices import TextChoice
from portal.contract.paging import NumberedQuery


class MeetingListTypeToday(TextChoice):
    SCHEDULED = "scheduled", "Scheduled"
    LIVE = "live", "Live"
    UPCOMING = "upcoming", "Upcoming"
    UPCOMING_MEETINGS = "upcoming_meetings", "Upcoming"
    PREVIOUS_MEETINGS = "previous_meetings", "Previous"


class MeetingsQueryToday(NumberedQuery):
    """A query of meetings whose default is the scheduled ones, not those that run."""

    type: MeetingListTypeToday = Field(MeetingListTypeToday.SCHEDULED, title="Which meetings")
