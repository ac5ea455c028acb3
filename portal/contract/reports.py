"""Reports on past use (spec 4.8)."""

from portal.contract.methods import GET
from portal.contract.operation import Family, Weight, by_number, by_token
from portal.contract.paging import TokenDaysQuery, TokenQuery
from portal.contract.path import MEETING_OR_UUID, WEBINAR_OR_UUID
from portal.contract.usage import (
    AnswersReport,
    Attendance,
    AttendancePage,
    DailyReport,
    EndedSession,
    EndedSessionPage,
    HostsPage,
    HostsQuery,
    HostUse,
    MonthQuery,
    SessionReport,
    StorageQuery,
    StorageReport,
    TelephoneCall,
    TelephonePage,
    TelephoneQuery,
)

# Who joins again is listed again; so is who calls again. Guests may have no id.
_ATTENDANCE = ("id", "user_id", "join_time", "name")
_CALL = ("meeting_id", "phone_number", "call_in_number", "start_time")


class Reports(
    Family, name="reports", weight=Weight.HEAVY, addressed=(MEETING_OR_UUID, WEBINAR_OR_UUID)
):
    """Usage by people, days and kinds."""

    cloud_recording = GET(
        "/report/cloud_recording",
        "Report on cloud storage",
        query=StorageQuery,
        returns=StorageReport,
        errors=(300,),
    )
    daily = GET(
        "/report/daily", "Report on the days of a month", query=MonthQuery, returns=DailyReport
    )
    meeting = GET("/report/meetings/{meetingId}", "Report on a meeting", returns=SessionReport)
    meeting_participants = GET(
        "/report/meetings/{meetingId}/participants",
        "Report on a meeting's participants",
        query=TokenQuery,
        returns=AttendancePage,
        pages=by_token("participants", Attendance, *_ATTENDANCE),
    )
    meeting_polls = GET(
        "/report/meetings/{meetingId}/polls", "Report on a meeting's polls", returns=AnswersReport
    )
    telephone = GET(
        "/report/telephone",
        "Report on telephone calls",
        query=TelephoneQuery,
        returns=TelephonePage,
        pages=by_number("telephony_usage", TelephoneCall, *_CALL),
    )
    users = GET(
        "/report/users",
        "Report on hosts",
        query=HostsQuery,
        returns=HostsPage,
        pages=by_number("users", HostUse),
    )
    user_meetings = GET(
        "/report/users/{userId}/meetings",
        "Report on a person's meetings",
        query=TokenDaysQuery,
        returns=EndedSessionPage,
        pages=by_token("meetings", EndedSession, "uuid"),
    )
    webinar = GET("/report/webinars/{webinarId}", "Report on a webinar", returns=SessionReport)
    webinar_participants = GET(
        "/report/webinars/{webinarId}/participants",
        "Report on a webinar's participants",
        query=TokenQuery,
        returns=AttendancePage,
        pages=by_token("participants", Attendance, *_ATTENDANCE),
    )
    webinar_polls = GET(
        "/report/webinars/{webinarId}/polls", "Report on a webinar's polls", returns=AnswersReport
    )
    webinar_questions = GET(
        "/report/webinars/{webinarId}/qa",
        "Report on the questions in a webinar",
        returns=AnswersReport,
    )
