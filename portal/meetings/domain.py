"""Registration of the meetings app with the portal: words, models, operations, tabs and jobs."""

from portal.contract.meetings import Meetings, MeetingType, MeetingUpdate, NewMeeting
from portal.contract.metrics import Metrics
from portal.contract.past_sessions import PastMeetings
from portal.contract.polls import MeetingPolls
from portal.contract.recordings import Recordings
from portal.contract.registrants import MeetingRegistrants
from portal.sessions.jobs.session_import import SessionImportJob
from portal.sessions.kinds import DeleteMeetingStep, domain_of
from portal.sessions.specs import Past, SessionSettingGroup, SessionSpec, SessionTab
from portal.translation import gettext_lazy

# The tabs of a meeting's page, in their order; each is a URL of this app.
TABS = (
    SessionTab("session", gettext_lazy("Overview"), needs=Meetings.get),
    SessionTab("registrants", gettext_lazy("Registrants"), needs=MeetingRegistrants.list),
    SessionTab("polls", gettext_lazy("Polls"), needs=MeetingPolls.list),
    SessionTab("livestream", gettext_lazy("Live stream"), needs=Meetings.get),
    SessionTab("held", gettext_lazy("Past instances"), needs=PastMeetings.instances),
    SessionTab("recordings", gettext_lazy("Recordings"), needs=Recordings.get),
    SessionTab("history", gettext_lazy("History"), needs=Meetings.get),
)
SETTING_GROUPS = (
    SessionSettingGroup(
        gettext_lazy("Joining"),
        ("waiting_room", "join_before_host", "enforce_login", "enforce_login_domains"),
        ("use_pmi",),
    ),
    SessionSettingGroup(
        gettext_lazy("Audio and video"),
        ("host_video", "participant_video", "mute_upon_entry", "audio"),
        ("watermark",),
    ),
    SessionSettingGroup(
        gettext_lazy("Registration"),
        ("approval_type", "registration_type"),
        ("close_registration", "registrants_confirmation_email"),
    ),
    SessionSettingGroup(
        gettext_lazy("Recording and region"), ("auto_recording",), ("cn_meeting", "in_meeting")
    ),
)
MEETINGS = SessionSpec(
    family="meetings",
    noun=gettext_lazy("meeting"),
    plural=gettext_lazy("meetings"),
    title=gettext_lazy("Meetings"),
    icon="video",
    types=MeetingType,
    once=MeetingType.SCHEDULED,
    recurring=frozenset({MeetingType.RECURRING, MeetingType.RECURRING_FIXED}),
    fixed=frozenset({MeetingType.SCHEDULED, MeetingType.RECURRING_FIXED}),
    instant=MeetingType.INSTANT,
    new=NewMeeting,
    change=MeetingUpdate,
    of_user=Meetings.of_user,
    create=Meetings.create,
    get=Meetings.get,
    update=Meetings.update,
    delete=Meetings.delete,
    end=Meetings.end,
    live=Metrics.meeting,
    registrants=MeetingRegistrants,
    polls=MeetingPolls,
    past=Past(PastMeetings.instances, PastMeetings.get, PastMeetings.participants),
    tabs=TABS,
    setting_groups=SETTING_GROUPS,
    has_invitation=True,
)


class ImportMeetingsJob(SessionImportJob):
    of = MEETINGS


DOMAIN = domain_of(
    MEETINGS,
    10,
    schedule=gettext_lazy("Schedule meeting"),
    imports=ImportMeetingsJob,
    deletion=DeleteMeetingStep(),
)
