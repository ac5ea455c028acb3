"""Pages, jobs, the search and the leaving of hosts, which each kind of sessions has by its spec."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import ClassVar
from urllib.parse import urlencode

from django.urls import reverse
from django.utils import timezone

from portal.access.grants import Can
from portal.access.http import PortalRequest
from portal.client import Api, NotFound
from portal.config import clock
from portal.contract.meetings import Meetings
from portal.contract.operation import AnyOperation
from portal.contract.sessions import SessionSummary
from portal.contract.webinars import Webinars
from portal.domain.declaration import Domain
from portal.jobs.job_types import ItemVerdict, Resolution
from portal.jobs.models import Job, JobItem
from portal.jobs.offboarding import (
    LEAVE,
    REMOVE,
    SHOWN,
    TRANSFER,
    Holding,
    HoldingSummary,
    Inventory,
    Leaver,
    Option,
    Phase,
)
from portal.jobs.steps import NewStep, Step
from portal.mirror import search
from portal.mirror.search import Hit, SearchResult, Shortcut
from portal.sessions import mirror
from portal.sessions.approval_losses import RegistrationLossFinder
from portal.sessions.jobs.reading import READING
from portal.sessions.jobs.session_import import SessionImportJob
from portal.sessions.mirror import SessionFilter
from portal.sessions.models import MirroredSession
from portal.sessions.person_tabs import hosted_tab
from portal.sessions.services import hosts
from portal.sessions.services.planning import sessions_of
from portal.sessions.specs import SessionSpec
from portal.sessions.times import day_and_time, listed_time
from portal.translation import gettext as _, gettext_lazy, number
from portal.ui.navigation import SESSIONS, NavigationEntry
from portal.ui.times import aware, exact

_GONE = gettext_lazy("Deleted")


def domain_of(
    spec: SessionSpec, place: int, *, schedule: str, imports: type[SessionImportJob], deletion: Step
) -> Domain:
    """Returns the declaration of a kind. `schedule` says what its shortcut does."""
    entry = NavigationEntry(
        SESSIONS, place + 10, spec.title, spec.icon, f"{spec.family}:list", needs=(spec.of_user,)
    )
    others = gettext_lazy("create add new")
    shortcut = Shortcut(schedule, spec.icon, f"{spec.family}:create", spec.create, others)
    return Domain(
        navigation=(entry,),
        shortcuts=(shortcut,),
        job_types=(imports,),
        person_tabs=(hosted_tab(spec, place),),
        searches=(searching(spec),),
        holdings=(HostedSessions(spec, place),),
        steps=(deletion,),
        losses={one.name: RegistrationLossFinder(spec) for one in (spec.update, spec.delete)},
        limited_pages=(spec.family,),
    )


class HostedSessions(Holding):
    """The sessions of a kind that a leaving person hosts."""

    phase = Phase.CONTENT

    def __init__(self, spec: SessionSpec, place: int) -> None:
        self._spec = spec
        self.name, self.title, self.icon = spec.family, spec.title, spec.icon
        self.place = place
        self.transferred_by = f"transfer_{spec.code}"
        self.removed_by = (spec.delete,)
        self.options = (
            Option(TRANSFER, gettext_lazy("Transfer to the recipient, who becomes their host")),
            Option(LEAVE, gettext_lazy("Leave them with the person")),
            Option(REMOVE, gettext_lazy("Delete them, with their registrants")),
        )

    @property
    def needs(self) -> AnyOperation:
        return self._spec.of_user

    def read(self, api: Api, leaver: Leaver) -> list[SessionSummary]:
        once = {str(one.id): one for one in reversed(sessions_of(api, self._spec, leaver.id))}
        return list(reversed(once.values()))

    def summary(self, inventory: Inventory) -> HoldingSummary:
        now = clock.now()
        timed = [one for one in inventory.data if one.start_time and aware(one.start_time) >= now]
        coming = sorted(timed, key=lambda one: aware(one.start_time))
        first = [(one.topic, listed_time(aware(one.start_time))) for one in coming[:SHOWN]]
        words = _("%(count)s upcoming") % {"count": number(len(coming))} if inventory.data else ""
        return HoldingSummary(len(inventory.data), words, first)

    def removal(self, inventory: Inventory) -> Iterable[NewStep]:
        for one in inventory.data:
            values = {"noun": self._spec.noun.capitalize(), "topic": one.topic}
            title = _("%(noun)s “%(topic)s”") % values
            if one.start_time:
                title = f"{title}, {exact(aware(one.start_time))}"
            yield NewStep(f"{self.name}.delete", str(one.id), title, _GONE)


class _DeleteSessionStep(Step):
    family: ClassVar[str]

    def carry_out(self, api: Api, item: JobItem) -> None:
        getattr(api, self.family).delete(item.data["target"])

    def resolve(self, api: Api, item: JobItem) -> Resolution:
        try:
            getattr(api, self.family).get(item.data["target"])
        except NotFound:
            return Resolution(ItemVerdict.DONE)
        return Resolution(ItemVerdict.NOT_DONE)

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        for item in items:
            hosts.clear(job.connection, item.data["user_id"])
            mirror.drop(job.connection, self.family, item.data["target"])


class DeleteMeetingStep(_DeleteSessionStep):
    name, verb, family = "meetings.delete", gettext_lazy("Delete meeting"), Meetings.name
    calls = (Meetings.delete,)


class DeleteWebinarStep(_DeleteSessionStep):
    name, verb, family = "webinars.delete", gettext_lazy("Delete webinar"), Webinars.name
    calls = (Webinars.delete,)


def searching(spec: SessionSpec) -> Callable[[PortalRequest, str], SearchResult]:
    """Returns a search of the sessions of a kind by topic, host and number: those to come first."""

    def find(request: PortalRequest, text: str) -> SearchResult:
        connection = request.connection
        if not Can(request.scope).call(spec.of_user):
            return SearchResult(spec.title, [])
        state = READING.mark_viewed(connection)
        rows = _first(request, SessionFilter(search=text, kinds=[spec.family]))
        hits = [
            Hit(row.topic or row.session_id, url, spec.icon, _detail(row))
            for row in rows[: search.AT_MOST]
            if (url := search.url_of(f"{spec.family}:session", connection, row.session_id))
        ]
        everything = reverse(f"{spec.family}:list", args=[connection.key])
        more = f"{everything}?{urlencode({'q': text, 'when': 'all'})}"
        more = more if len(rows) > search.AT_MOST else ""
        return SearchResult(spec.title, hits, more, is_unread=not state.refreshed_at)

    return find


def _first(request: PortalRequest, wanted: SessionFilter) -> list[MirroredSession]:
    """The next ones, and where there are few, the latest of the others."""
    most = search.AT_MOST + 1
    coming = mirror.find(request.scope, replace(wanted, when="upcoming"))
    matches = list(coming[:most])
    if len(matches) < most:
        others = mirror.find(request.scope, wanted, "-start_time")
        matches += others.exclude(pk__in=[row.pk for row in matches])[: most - len(matches)]
    return matches


def _detail(row: MirroredSession) -> str:
    start = getattr(row, "next_time", row.start_time)
    begins = ""
    if start:
        local = timezone.localtime(start)
        begins = f"{day_and_time(local)} {local.tzname()}"
    return " · ".join(filter(None, (begins, row.host_name)))
