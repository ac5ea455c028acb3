"""Definition of a webinar: its words, types, operations and lists, and the content of its pages."""

from pathlib import Path

from portal.contract.metrics import Metrics
from portal.contract.model import JsonDict
from portal.contract.paging import NumberedQuery
from portal.contract.past_sessions import PastWebinars
from portal.contract.polls import WebinarPolls
from portal.contract.registrants import WebinarRegistrants
from portal.contract.reports import Reports
from portal.contract.webinars import Panelists, Webinars, WebinarType
from portal.imports.sheets.headings import TableWords
from portal.sessions.capacity import Capacity, number_in
from portal.sessions.specs import (
    AUDIO_AND_VIDEO,
    JOINING,
    REGISTRATION,
    HostedLists,
    Live,
    Past,
    SessionSettingGroup,
    SessionSpec,
    SessionTab,
)
from portal.translation import gettext_lazy


def _capacity(features: JsonDict) -> Capacity:
    return Capacity(number_in(features, "webinar_capacity"), features.get("webinar") is not False)


WEBINARS = SessionSpec(
    operations=Webinars,
    place=20,
    noun=gettext_lazy("webinar"),
    plural=gettext_lazy("webinars"),
    label=gettext_lazy("Webinar"),
    title=gettext_lazy("Webinars"),
    icon="presentation",
    schedule=gettext_lazy("Schedule webinar"),
    types=WebinarType,
    once=WebinarType.WEBINAR,
    recurring=frozenset({WebinarType.RECURRING, WebinarType.RECURRING_FIXED}),
    fixed=frozenset({WebinarType.WEBINAR, WebinarType.RECURRING_FIXED}),
    instant=None,
    registrants=WebinarRegistrants,
    polls=WebinarPolls,
    live=Live(Metrics.webinars, Metrics.webinar),
    past=Past(PastWebinars.instances, Reports.webinar, Reports.webinar_participants),
    hosted=HostedLists(planned=NumberedQuery()),
    host_readings=(Webinars.get,),
    families=(Panelists, PastWebinars),
    is_licensed=True,
    capacity=_capacity,
    setting_groups=(
        SessionSettingGroup(
            JOINING,
            (
                "practice_session",
                "enforce_login",
                "enforce_login_domains",
                "allow_multiple_devices",
            ),
        ),
        SessionSettingGroup(
            AUDIO_AND_VIDEO, ("host_video", "panelists_video", "audio", "hd_video")
        ),
        SessionSettingGroup(
            REGISTRATION,
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
    own_tabs=(SessionTab("panelists", gettext_lazy("Panelists"), needs=Panelists.list),),
    deleted_with=(
        gettext_lazy("The registrants, panelists and polls are deleted too."),
        gettext_lazy(
            "All %(count)s occurrences, the registrants, panelists and polls are deleted too."
        ),
    ),
    words=TableWords.read(Path(__file__).with_name("imports.toml")),
    imported=("practice_session",),
)
