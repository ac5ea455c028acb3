"""Definition of a meeting: its words, types, operations and lists, and the content of its pages."""

from pathlib import Path

from portal.contract.meetings import MeetingListType, Meetings, MeetingsQuery, MeetingType
from portal.contract.metrics import Metrics
from portal.contract.model import JsonDict
from portal.contract.past_sessions import PastMeetings
from portal.contract.polls import MeetingPolls
from portal.contract.registrants import MeetingRegistrants
from portal.imports.sheets.headings import TableWords
from portal.sessions.capacity import Capacity, number_in
from portal.sessions.specs import (
    AUDIO_AND_VIDEO,
    JOINING,
    REGISTRATION,
    HostedLists,
    Live,
    Past,
    SessionLink,
    SessionSettingGroup,
    SessionSpec,
    SessionTab,
)
from portal.translation import gettext_lazy


def _capacity(features: JsonDict) -> Capacity:
    sizes = [number_in(features, "meeting_capacity")]
    if features.get("large_meeting"):
        sizes.append(number_in(features, "large_meeting_capacity"))
    return Capacity(max((size for size in sizes if size), default=None))


MEETINGS = SessionSpec(
    operations=Meetings,
    place=10,
    noun=gettext_lazy("meeting"),
    plural=gettext_lazy("meetings"),
    label=gettext_lazy("Meeting"),
    title=gettext_lazy("Meetings"),
    icon="video",
    schedule=gettext_lazy("Schedule meeting"),
    types=MeetingType,
    once=MeetingType.SCHEDULED,
    recurring=frozenset({MeetingType.RECURRING, MeetingType.RECURRING_FIXED}),
    fixed=frozenset({MeetingType.SCHEDULED, MeetingType.RECURRING_FIXED}),
    instant=MeetingType.INSTANT,
    registrants=MeetingRegistrants,
    polls=MeetingPolls,
    live=Live(Metrics.meetings, Metrics.meeting),
    past=Past(PastMeetings.instances, PastMeetings.get, PastMeetings.participants),
    hosted=HostedLists(
        planned=MeetingsQuery(type=MeetingListType.SCHEDULED),
        live=MeetingsQuery(type=MeetingListType.LIVE),
        coming=MeetingsQuery(type=MeetingListType.UPCOMING),
    ),
    # One that is over is known to the service by what it keeps of it.
    host_readings=(Meetings.get, PastMeetings.get),
    families=(PastMeetings,),
    is_licensed=False,
    capacity=_capacity,
    setting_groups=(
        SessionSettingGroup(
            JOINING,
            (
                "waiting_room",
                "join_before_host",
                "enforce_login",
                "enforce_login_domains",
                "use_pmi",
            ),
        ),
        SessionSettingGroup(
            AUDIO_AND_VIDEO,
            ("host_video", "participant_video", "mute_upon_entry", "audio", "watermark"),
        ),
        SessionSettingGroup(
            REGISTRATION,
            (
                "approval_type",
                "registration_type",
                "close_registration",
                "registrants_confirmation_email",
            ),
        ),
        SessionSettingGroup(
            gettext_lazy("Recording and region"), ("auto_recording", "cn_meeting", "in_meeting")
        ),
    ),
    own_tabs=(SessionTab("livestream", gettext_lazy("Live stream"), needs=Meetings.get),),
    deleted_with=(
        gettext_lazy("The registrants and polls are deleted too."),
        gettext_lazy("All %(count)s occurrences, the registrants and polls are deleted too."),
    ),
    words=TableWords.read(Path(__file__).with_name("imports.toml")),
    imported=("join_before_host", "waiting_room", "mute_upon_entry"),
    links=(
        # It holds the password, which is, as elsewhere, for those who may also change it.
        SessionLink(
            "invitation",
            gettext_lazy("Invitation text"),
            gettext_lazy("Copy invitation"),
            needs=Meetings.update,
        ),
    ),
)
