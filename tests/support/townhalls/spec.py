"""What a town hall is."""

from dataclasses import replace as another
from pathlib import Path
from types import new_class
from typing import Any

from portal.contract.metrics import Metrics
from portal.contract.operation import Family
from portal.contract.paging import NumberedQuery
from portal.contract.past_sessions import PastWebinars
from portal.contract.polls import WebinarPolls
from portal.contract.registrants import WebinarRegistrants
from portal.contract.reports import Reports
from portal.contract.webinars import Webinars, WebinarType
from portal.imports.sheets.headings import TableWords
from portal.sessions.capacity import Capacity
from portal.sessions.specs import (
    HostedLists,
    Live,
    Past,
    SessionSettingGroup,
    SessionSpec,
    SessionTab,
)


def _like(family: type[Family], name: str) -> Any:
    """Returns another family with the same operations."""
    own = {one.attribute: another(one) for one in family.operations()}
    return new_class(name, (Family,), {"name": name}, lambda body: body.update(own))


TownHalls = _like(Webinars, "townhalls")
Registrants = _like(WebinarRegistrants, "townhall_people")
Polls = _like(WebinarPolls, "townhall_polls")
OPERATIONS = [one for each in (TownHalls, Registrants, Polls) for one in each.operations()]
TOWNHALLS = SessionSpec(
    operations=TownHalls,
    place=25,
    noun="town hall",
    plural="town halls",
    label="Town hall",
    title="Town halls",
    icon="radio",
    schedule="Schedule town hall",
    types=WebinarType,
    once=WebinarType.WEBINAR,
    recurring=frozenset({WebinarType.RECURRING, WebinarType.RECURRING_FIXED}),
    fixed=frozenset({WebinarType.WEBINAR, WebinarType.RECURRING_FIXED}),
    instant=None,
    registrants=Registrants,
    polls=Polls,
    live=Live(Metrics.webinars, Metrics.webinar),
    past=Past(PastWebinars.instances, Reports.webinar, Reports.webinar_participants),
    hosted=HostedLists(planned=NumberedQuery()),
    host_readings=(TownHalls.get,),
    families=(),
    is_licensed=True,
    capacity=lambda _features: Capacity(None),
    setting_groups=(SessionSettingGroup("Stage", ("practice_session", "auto_recording")),),
    deleted_with=("The registrants are deleted too.", "All %(count)s are deleted too."),
    words=TableWords.read(Path(__file__).with_name("imports.toml")),
    imported=("practice_session",),
    own_tabs=(SessionTab("history", "Stage crew", needs=TownHalls.get),),
)
