"""Dashboards, live and past (spec 4.7)."""

from portal.contract.dashboards import (
    ConferenceRoom,
    ConferenceRoomDetails,
    ConferenceRoomPage,
    DetailQuery,
    DetailsQuery,
    ImUse,
    ImUsePage,
    MeetingMetricPage,
    MeetingParticipantsQuery,
    MeetingQuery,
    ParticipantQuality,
    ParticipantQualityPage,
    PortUse,
    QualityQuery,
    SessionMetric,
    SessionParticipant,
    SessionParticipantPage,
    SessionsQuery,
    SharingPage,
    SharingParticipant,
    WebinarMetricPage,
)
from portal.contract.methods import GET
from portal.contract.operation import Family, Weight, by_number, by_token
from portal.contract.paging import Days, NumberedDaysQuery, NumberedQuery, TokenDaysQuery
from portal.contract.path import MEETING_OR_UUID, WEBINAR_OR_UUID

# Who joins again is listed again.
_PARTICIPANT = ("id", "user_id", "join_time")


class Metrics(
    Family,
    name="metrics",
    title="Dashboards",
    weight=Weight.HEAVY,
    addressed=(MEETING_OR_UUID, WEBINAR_OR_UUID),
):
    """Live and past sessions, rooms, ports and messages."""

    ports = GET("/metrics/crc", "Read the use of call-routing ports", query=Days, returns=PortUse)
    im = GET(
        "/metrics/im",
        "List the use of instant messages",
        query=TokenDaysQuery,
        returns=ImUsePage,
        pages=by_token("users", ImUse, "user_id"),
        weight=Weight.SCARCE,
    )
    meetings = GET(
        "/metrics/meetings",
        "List meetings on the dashboard",
        query=SessionsQuery,
        returns=MeetingMetricPage,
        pages=by_token("meetings", SessionMetric, "uuid"),
        weight=Weight.SCARCE,
    )
    meeting = GET(
        "/metrics/meetings/{meetingId}",
        "Read a meeting on the dashboard",
        query=MeetingQuery,
        returns=SessionMetric,
        errors=(),
    )
    meeting_participants = GET(
        "/metrics/meetings/{meetingId}/participants",
        "List a meeting's participants on the dashboard",
        query=MeetingParticipantsQuery,
        returns=SessionParticipantPage,
        pages=by_token("participants", SessionParticipant, *_PARTICIPANT),
        errors=(),
    )
    meeting_qualities = GET(
        "/metrics/meetings/{meetingId}/participants/qos",
        "List the quality of service in a meeting",
        query=QualityQuery,
        returns=ParticipantQualityPage,
        pages=by_token("participants", ParticipantQuality, "user_id", "join_time"),
        weight=Weight.SCARCE,
        errors=(),
    )
    meeting_sharing = GET(
        "/metrics/meetings/{meetingId}/participants/sharing",
        "List what was shared in a meeting",
        query=DetailsQuery,
        returns=SharingPage,
        pages=by_token("participants", SharingParticipant, "id", "user_id"),
        errors=(),
    )
    meeting_quality = GET(
        "/metrics/meetings/{meetingId}/participants/{participantId}/qos",
        "Read a meeting participant's quality of service",
        query=DetailQuery,
        returns=ParticipantQuality,
        errors=(),
    )
    webinars = GET(
        "/metrics/webinars",
        "List webinars on the dashboard",
        query=SessionsQuery,
        returns=WebinarMetricPage,
        pages=by_token("webinars", SessionMetric, "uuid"),
        weight=Weight.SCARCE,
    )
    webinar = GET(
        "/metrics/webinars/{webinarId}",
        "Read a webinar on the dashboard",
        query=DetailQuery,
        returns=SessionMetric,
        errors=(),
    )
    webinar_participants = GET(
        "/metrics/webinars/{webinarId}/participants",
        "List a webinar's participants on the dashboard",
        query=DetailsQuery,
        returns=SessionParticipantPage,
        pages=by_token("participants", SessionParticipant, *_PARTICIPANT),
        errors=(),
    )
    webinar_qualities = GET(
        "/metrics/webinars/{webinarId}/participants/qos",
        "List the quality of service in a webinar",
        query=QualityQuery,
        returns=ParticipantQualityPage,
        pages=by_token("participants", ParticipantQuality, "user_id", "join_time"),
        weight=Weight.SCARCE,
        errors=(),
    )
    webinar_sharing = GET(
        "/metrics/webinars/{webinarId}/participants/sharing",
        "List what was shared in a webinar",
        query=DetailsQuery,
        returns=SharingPage,
        pages=by_token("participants", SharingParticipant, "id", "user_id"),
        errors=(),
    )
    webinar_quality = GET(
        "/metrics/webinars/{webinarId}/participants/{participantId}/qos",
        "Read a webinar participant's quality of service",
        query=DetailQuery,
        returns=ParticipantQuality,
        errors=(),
    )
    rooms = GET(
        "/metrics/confrooms",
        "List conference rooms",
        query=NumberedQuery,
        returns=ConferenceRoomPage,
        pages=by_number("conf_rooms", ConferenceRoom),
        weight=Weight.SCARCE,
    )
    room = GET(
        "/metrics/confrooms/{confroomId}",
        "Read a conference room and its meetings",
        query=NumberedDaysQuery,
        returns=ConferenceRoomDetails,
        pages=by_number("meetings", SessionMetric, "uuid"),
        errors=(),
    )
