"""Figures of meetings, webinars, rooms and instant messages (spec 2.7, 2.10, 2.11)."""

from functools import cached_property

from pydantic import Field

from portal.contract.choices import TextChoice
from portal.contract.model import Model
from portal.contract.paging import (
    NumberedPage,
    QualityPage,
    QualityTokenQuery,
    ReportedDays,
    TokenDaysQuery,
    TokenPage,
    TokenQuery,
)
from portal.contract.reading import Count
from portal.contract.times import Timestamp


class ParticipantEquipment(Model):
    """A participant with machine, place and time (spec 2.10)."""

    user_id: str = Field("", title="User ID")
    user_name: str = Field("", title="Name")
    device: str = Field("", title="Device")
    ip_address: str = Field("", title="IP address")
    location: str = Field("", title="Location")
    pc_name: str = Field("", title="Computer")
    domain: str = Field("", title="Domain")
    mac_addr: str = Field("", title="MAC address")
    harddisk_id: str = Field("", title="Hard disk ID")
    version: str = Field("", title="Client version")
    join_time: Timestamp | None = Field(None, title="Joined")
    leave_time: Timestamp | None = Field(None, title="Left")


class QualityOfAudio(Model):
    """Measured values with their units, as the service words them (spec: QOSAudio)."""

    bitrate: str = Field("", title="Bitrate")
    latency: str = Field("", title="Latency")
    jitter: str = Field("", title="Jitter")
    avg_loss: str = Field("", title="Average loss")
    max_loss: str = Field("", title="Greatest loss")


class QualityOfVideo(QualityOfAudio):
    """Measurements of a picture (spec: QOSVideo)."""

    resolution: str = Field("", title="Resolution")
    frame_rate: str = Field("", title="Frame rate")


class ProcessorUse(Model):
    conf_min_cpu_usage: str = Field("", title="Client, least")
    conf_avg_cpu_usage: str = Field("", title="Client, average")
    conf_max_cpu_usage: str = Field("", title="Client, most")
    system_max_cpu_usage: str = Field("", title="Computer, most")


class QualitySample(Model):
    """The measurements of one moment."""

    date_time: Timestamp | None = Field(None, title="Measured")
    audio_input: QualityOfAudio | None = Field(None, title="Audio received")
    audio_output: QualityOfAudio | None = Field(None, title="Audio sent")
    video_input: QualityOfVideo | None = Field(None, title="Video received")
    video_output: QualityOfVideo | None = Field(None, title="Video sent")
    as_input: QualityOfVideo | None = Field(None, title="Shared screen received")
    as_output: QualityOfVideo | None = Field(None, title="Shared screen sent")
    cpu_usage: ProcessorUse | None = Field(None, title="Processor use")


class ParticipantQuality(ParticipantEquipment):
    """The quality of a participant's connection (spec: QOSParticipant)."""

    user_qos: list[QualitySample] | QualitySample | None = Field(None, title="Samples")

    @property
    def samples(self) -> list[QualitySample]:
        """Returns all that was measured; a service may report one sample or a list of them."""
        data = self.user_qos or []
        return data if isinstance(data, list) else [data]


class ParticipantQualityPage(QualityPage):
    participants: list[ParticipantQuality] = Field(title="Participants")


class SessionsShown(TextChoice):
    PAST = "past", "Past"
    PAST_ONE = "pastOne", "Past, one user", "Those of a single person."
    LIVE = "live", "Live"


class DetailShown(TextChoice):
    PAST = "past", "Past"
    LIVE = "live", "Live"


class SessionsQuery(TokenDaysQuery):
    type: SessionsShown = Field(
        SessionsShown.LIVE, title="Which", description="Live ones unless said."
    )


class MeetingQuery(Model):
    type: SessionsShown = Field(
        SessionsShown.LIVE, title="Which", description="A live one unless said."
    )


class MeetingParticipantsQuery(TokenQuery, MeetingQuery):
    """Participants of a meeting, by token."""


class DetailQuery(Model):
    type: DetailShown = Field(
        DetailShown.LIVE, title="Which", description="A live one unless said."
    )


class DetailsQuery(TokenQuery, DetailQuery):
    """Details of a live or past session, by token."""


class QualityQuery(QualityTokenQuery, DetailQuery):
    """Quality of service in a live or past session, by token."""


class SessionMetric(Model):
    """A meeting or webinar on a dashboard (spec: MeetingMetric and WebinarMetric)."""

    uuid: str = Field("", title="UUID")
    id: int | str | None = Field(None, title="Number")
    topic: str = Field("", title="Topic")
    host: str = Field("", title="Host")
    email: str = Field("", title="Host's email")
    user_type: str = Field("", title="Host's licence")
    start_time: Timestamp | None = Field(None, title="Start")
    end_time: Timestamp | None = Field(None, title="End")
    duration: str = Field("", title="Duration")
    participants: Count = Field(None, title="Participants")
    has_pstn: bool | None = Field(None, title="Telephone")
    has_voip: bool | None = Field(None, title="Computer audio")
    has_3rd_party_audio: bool | None = Field(None, title="Third-party audio")
    has_video: bool | None = Field(None, title="Video")
    has_screen_share: bool | None = Field(None, title="Screen sharing")
    has_recording: bool | None = Field(None, title="Recording")
    has_sip: bool | None = Field(None, title="H.323 or SIP device")


class MeetingMetricPage(TokenPage, ReportedDays):
    meetings: list[SessionMetric] = Field(title="Meetings")


class WebinarMetricPage(TokenPage, ReportedDays):
    webinars: list[SessionMetric] = Field(title="Webinars")


class SessionParticipant(ParticipantEquipment):
    """A participant on a dashboard (spec: participant dashboard item)."""

    id: str = Field("", title="Participant ID")
    network_type: str = Field("", title="Network")
    connection_type: str = Field("", title="Connection")
    data_center: str = Field("", title="Data centre")
    microphone: str = Field("", title="Microphone")
    speaker: str = Field("", title="Loudspeaker")
    share_application: bool | None = Field(None, title="Shared an application")
    share_desktop: bool | None = Field(None, title="Shared the desktop")
    share_whiteboard: bool | None = Field(None, title="Shared a whiteboard")
    recording: bool | None = Field(None, title="Recorded")

    @property
    def status(self) -> str:
        """Returns where a service of today has the participant: in the meeting, or waiting."""
        return str(self.undeclared("status") or "")


class SessionParticipantPage(TokenPage):
    participants: list[SessionParticipant] = Field(title="Participants")


class SharedContent(Model):
    content: str = Field("", title="Content")
    start_time: str = Field("", title="Start")
    end_time: str = Field("", title="End")


class SharingParticipant(Model):
    """Shares of a participant, with their times."""

    id: str = Field("", title="Participant ID")
    user_id: str = Field("", title="User ID")
    user_name: str = Field("", title="Name")
    details: list[SharedContent] = Field(default_factory=list, title="Shared")


class SharingPage(TokenPage):
    participants: list[SharingParticipant] = Field(title="Participants")


class PortsInHour(Model):
    hour: str = Field("", title="Hour")
    max_usage: Count = Field(None, title="Most in use")
    total_usage: Count = Field(None, title="Used in all")


class PortsOnDay(Model):
    date_time: str = Field("", title="Day")
    crc_ports_hour_usage: list[PortsInHour] = Field(default_factory=list, title="Hours")


class PortUse(ReportedDays):
    """Number of call-routing ports in use."""

    crc_ports_usage: list[PortsOnDay] = Field(title="Days")


class ImUse(Model):
    """Messages that a person sent and received (spec: IM metrics user item)."""

    user_id: str = Field("", title="User ID")
    user_name: str = Field("", title="Name")
    email: str = Field("", title="Email")
    total_send: Count = Field(None, title="Sent")
    total_receive: Count = Field(None, title="Received")
    group_send: Count = Field(None, title="Sent to groups")
    group_receive: Count = Field(None, title="Received in groups")
    calls_send: Count = Field(None, title="Calls made")
    calls_receive: Count = Field(None, title="Calls received")
    files_send: Count = Field(None, title="Files sent")
    files_receive: Count = Field(None, title="Files received")
    images_send: Count = Field(None, title="Pictures sent")
    images_receive: Count = Field(None, title="Pictures received")
    voice_send: Count = Field(None, title="Voice messages sent")
    voice_receive: Count = Field(None, title="Voice messages received")
    videos_send: Count = Field(None, title="Videos sent")
    videos_receive: Count = Field(None, title="Videos received")
    emoji_send: Count = Field(None, title="Emoji sent")
    emoji_receive: Count = Field(None, title="Emoji received")


class ImUsePage(TokenPage, ReportedDays):
    users: list[ImUse] = Field(title="People")


class ConferenceRoom(Model):
    """A room with equipment."""

    id: str = Field("", title="Room ID")
    room_name: str = Field("", title="Name")
    status: str = Field("", title="Status")
    account_type: str = Field("", title="Account type")
    calender_name: str = Field("", title="Calendar")
    email: str = Field("", title="Email")
    device_ip: str = Field("", title="IP address")
    camera: str = Field("", title="Camera")
    microphone: str = Field("", title="Microphone")
    speaker: str = Field("", title="Loudspeaker")
    last_start_time: str = Field("", title="Last started")


class ConferenceRoomPage(NumberedPage):
    conf_rooms: list[ConferenceRoom] = Field(title="Conference rooms")


class ConferenceRoomDetails(ConferenceRoom):
    """A room with the meeting that runs in it and a page of those that ran."""

    live_meeting: SessionMetric | None = Field(None, title="Live meeting")
    past_meetings: MeetingMetricPage | None = Field(None, title="Past meetings")

    # A list is walked by what stands on the page itself.
    @cached_property
    def meetings(self) -> list[SessionMetric]:
        return self.past_meetings.meetings if self.past_meetings else []

    @cached_property
    def total_records(self) -> int | None:
        return self.past_meetings.total_records if self.past_meetings else None
