"""Meetings and webinars: their words, models, operations, tabs and groups of settings."""

from portal.contract.meetings import Meetings, MeetingType, MeetingUpdate, NewMeeting
from portal.contract.metrics import Metrics
from portal.contract.past_sessions import PastMeetings, PastWebinars
from portal.contract.polls import MeetingPolls, WebinarPolls
from portal.contract.recordings import Recordings
from portal.contract.registrants import MeetingRegistrants, WebinarRegistrants
from portal.contract.reports import Reports
from portal.contract.webinars import NewWebinar, Panelists, Webinars, WebinarType, WebinarUpdate
from portal.sessions.specs import Past, SessionSettingGroup, SessionSpec, SessionTab
from portal.translation import gettext_lazy

MEETINGS = SessionSpec(
    family="meetings",
    place=10,
    noun=gettext_lazy("meeting"),
    plural=gettext_lazy("meetings"),
    title=gettext_lazy("Meetings"),
    icon="video",
    schedule=gettext_lazy("Schedule meeting"),
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
    tabs=(
        SessionTab("session", gettext_lazy("Overview"), needs=Meetings.get),
        SessionTab("registrants", gettext_lazy("Registrants"), needs=MeetingRegistrants.list),
        SessionTab("polls", gettext_lazy("Polls"), needs=MeetingPolls.list),
        SessionTab("livestream", gettext_lazy("Live stream"), needs=Meetings.get),
        SessionTab("held", gettext_lazy("Past instances"), needs=PastMeetings.instances),
        SessionTab("recordings", gettext_lazy("Recordings"), needs=Recordings.get),
        SessionTab("history", gettext_lazy("History"), needs=Meetings.get),
    ),
    setting_groups=(
        SessionSettingGroup(
            gettext_lazy("Joining"),
            (
                "waiting_room",
                "join_before_host",
                "enforce_login",
                "enforce_login_domains",
                "use_pmi",
            ),
        ),
        SessionSettingGroup(
            gettext_lazy("Audio and video"),
            ("host_video", "participant_video", "mute_upon_entry", "audio", "watermark"),
        ),
        SessionSettingGroup(
            gettext_lazy("Registration"),
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
    has_invitation=True,
)
WEBINARS = SessionSpec(
    family="webinars",
    place=20,
    noun=gettext_lazy("webinar"),
    plural=gettext_lazy("webinars"),
    title=gettext_lazy("Webinars"),
    icon="presentation",
    schedule=gettext_lazy("Schedule webinar"),
    types=WebinarType,
    once=WebinarType.WEBINAR,
    recurring=frozenset({WebinarType.RECURRING, WebinarType.RECURRING_FIXED}),
    fixed=frozenset({WebinarType.WEBINAR, WebinarType.RECURRING_FIXED}),
    instant=None,
    new=NewWebinar,
    change=WebinarUpdate,
    of_user=Webinars.of_user,
    create=Webinars.create,
    get=Webinars.get,
    update=Webinars.update,
    delete=Webinars.delete,
    end=Webinars.end,
    live=Metrics.webinar,
    registrants=WebinarRegistrants,
    polls=WebinarPolls,
    past=Past(PastWebinars.instances, Reports.webinar, Reports.webinar_participants),
    tabs=(
        SessionTab("session", gettext_lazy("Overview"), needs=Webinars.get),
        SessionTab("registrants", gettext_lazy("Registrants"), needs=WebinarRegistrants.list),
        SessionTab("polls", gettext_lazy("Polls"), needs=WebinarPolls.list),
        SessionTab("panelists", gettext_lazy("Panelists"), needs=Panelists.list),
        SessionTab("held", gettext_lazy("Past instances"), needs=PastWebinars.instances),
        SessionTab("recordings", gettext_lazy("Recordings"), needs=Recordings.get),
        SessionTab("history", gettext_lazy("History"), needs=Webinars.get),
    ),
    setting_groups=(
        SessionSettingGroup(
            gettext_lazy("Joining"),
            (
                "practice_session",
                "enforce_login",
                "enforce_login_domains",
                "allow_multiple_devices",
            ),
        ),
        SessionSettingGroup(
            gettext_lazy("Audio and video"), ("host_video", "panelists_video", "audio", "hd_video")
        ),
        SessionSettingGroup(
            gettext_lazy("Registration"),
            (
                "approval_type",
                "registration_type",
                "close_registration",
                "registrants_confirmation_email",
                "show_share_button",
            ),
        ),
        SessionSettingGroup(gettext_lazy("Recording"), ("auto_recording", "on_demand")),
    ),
)
KINDS = (MEETINGS, WEBINARS)
# By the name of the family of registrants, as jobs store it.
BY_REGISTRANTS = {spec.registrants.name: spec for spec in KINDS}
