"""Registration of the webinars app with the portal: words, models, operations, tabs and jobs."""

from portal.contract.metrics import Metrics
from portal.contract.past_sessions import PastWebinars
from portal.contract.polls import WebinarPolls
from portal.contract.recordings import Recordings
from portal.contract.registrants import WebinarRegistrants
from portal.contract.reports import Reports
from portal.contract.webinars import NewWebinar, Panelists, Webinars, WebinarType, WebinarUpdate
from portal.domain.declaration import Domain
from portal.mirror.search import Shortcut
from portal.sessions.approval_losses import RegistrationLossFinder
from portal.sessions.jobs.session_import import SessionImportJob, name_of
from portal.sessions.leaving import DeleteWebinarStep, HostedSessions
from portal.sessions.person_tabs import hosted_tab
from portal.sessions.searching import searching
from portal.sessions.specs import Past, SessionSettingGroup, SessionSpec, SessionTab
from portal.translation import gettext_lazy
from portal.ui.navigation import SESSIONS, NavigationEntry

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
    name = name_of(WEBINARS)
    noun = (gettext_lazy("webinar"), gettext_lazy("webinars"))
    list_url_name = "webinars:list"
    of = WEBINARS


DOMAIN = Domain(
    navigation=(
        NavigationEntry(
            SESSIONS,
            30,
            gettext_lazy("Webinars"),
            "presentation",
            "webinars:list",
            needs=(Webinars.of_user,),
        ),
    ),
    shortcuts=(
        Shortcut(
            gettext_lazy("Schedule webinar"),
            "presentation",
            "webinars:create",
            Webinars.create,
            gettext_lazy("create add new"),
        ),
    ),
    job_types=(ImportWebinarsJob,),
    person_tabs=(hosted_tab(WEBINARS, place=20),),
    searches=(searching(WEBINARS),),
    holdings=(HostedSessions(WEBINARS, place=20),),
    steps=(DeleteWebinarStep(),),
    losses={
        one.name: RegistrationLossFinder(WEBINARS) for one in (Webinars.update, Webinars.delete)
    },
    limited_pages=("webinars",),
)
