"""What webinars are: their words, models and operations, and the tabs of their page."""

from portal.contract.metrics import Metrics
from portal.contract.past_sessions import PastWebinars
from portal.contract.polls import WebinarPolls
from portal.contract.recordings import Recordings
from portal.contract.registrants import WebinarRegistrants
from portal.contract.reports import Reports
from portal.contract.webinars import NewWebinar, Panelists, Webinars, WebinarType, WebinarUpdate
from portal.sessions.specs import Past, SessionSpec, SessionTab, SettingGroup

# The tabs of a webinar's page, in their order; each is a URL of this app.
TABS = (
    SessionTab("session", "Overview", needs=Webinars.get),
    SessionTab("registrants", "Registrants", needs=WebinarRegistrants.list),
    SessionTab("polls", "Polls", needs=WebinarPolls.list),
    SessionTab("panelists", "Panelists", needs=Panelists.list),
    SessionTab("held", "Past instances", needs=PastWebinars.instances),
    SessionTab("recordings", "Recordings", needs=Recordings.get),
    SessionTab("history", "History", needs=Webinars.get),
)

SETTING_GROUPS = (
    SettingGroup(
        "Joining",
        ("practice_session", "enforce_login", "enforce_login_domains"),
        ("allow_multiple_devices",),
    ),
    SettingGroup("Audio and video", ("host_video", "panelists_video", "audio"), ("hd_video",)),
    SettingGroup(
        "Registration",
        ("approval_type", "registration_type"),
        ("close_registration", "registrants_confirmation_email", "show_share_button"),
    ),
    SettingGroup("Recording", ("auto_recording", "on_demand")),
)

WEBINARS = SessionSpec(
    family="webinars",
    noun="webinar",
    plural="webinars",
    icon="presentation",
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
    tabs=TABS,
    setting_groups=SETTING_GROUPS,
)
