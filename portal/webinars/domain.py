"""Registration of the webinars app with the portal: words, models, operations, tabs and jobs."""

from portal.contract.metrics import Metrics
from portal.contract.past_sessions import PastWebinars
from portal.contract.polls import WebinarPolls
from portal.contract.recordings import Recordings
from portal.contract.registrants import WebinarRegistrants
from portal.contract.reports import Reports
from portal.contract.webinars import NewWebinar, Panelists, Webinars, WebinarType, WebinarUpdate
from portal.sessions.jobs.session_import import SessionImportJob
from portal.sessions.kinds import DeleteWebinarStep, domain_of
from portal.sessions.specs import Past, SessionSettingGroup, SessionSpec, SessionTab
from portal.translation import gettext_lazy

# The tabs of a webinar's page, in their order; each is a URL of this app.
TABS = (
    SessionTab("session", gettext_lazy("Overview"), needs=Webinars.get),
    SessionTab("registrants", gettext_lazy("Registrants"), needs=WebinarRegistrants.list),
    SessionTab("polls", gettext_lazy("Polls"), needs=WebinarPolls.list),
    SessionTab("panelists", gettext_lazy("Panelists"), needs=Panelists.list),
    SessionTab("held", gettext_lazy("Past instances"), needs=PastWebinars.instances),
    SessionTab("recordings", gettext_lazy("Recordings"), needs=Recordings.get),
    SessionTab("history", gettext_lazy("History"), needs=Webinars.get),
)
SETTING_GROUPS = (
    SessionSettingGroup(
        gettext_lazy("Joining"),
        ("practice_session", "enforce_login", "enforce_login_domains"),
        ("allow_multiple_devices",),
    ),
    SessionSettingGroup(
        gettext_lazy("Audio and video"), ("host_video", "panelists_video", "audio"), ("hd_video",)
    ),
    SessionSettingGroup(
        gettext_lazy("Registration"),
        ("approval_type", "registration_type"),
        ("close_registration", "registrants_confirmation_email", "show_share_button"),
    ),
    SessionSettingGroup(gettext_lazy("Recording"), ("auto_recording", "on_demand")),
)
WEBINARS = SessionSpec(
    family="webinars",
    noun=gettext_lazy("webinar"),
    plural=gettext_lazy("webinars"),
    title=gettext_lazy("Webinars"),
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


class ImportWebinarsJob(SessionImportJob):
    of = WEBINARS


DOMAIN = domain_of(
    WEBINARS,
    20,
    schedule=gettext_lazy("Schedule webinar"),
    imports=ImportWebinarsJob,
    deletion=DeleteWebinarStep(),
)
