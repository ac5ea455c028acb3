"""Loads the lists of an account, whether or not a user has opened their pages.

All lists of a connection are loaded when it is added, viewed ones first. From then on one schedule
keeps them fresh: a list that was viewed within a day is loaded again when it is old, as often as
the budget of the connection allows (`MirrorState.is_due`), the others every night, one list of a
connection at a time. `FirstSyncJob` shows the first loading among the other jobs.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import chain, islice

from django.urls import reverse
from django.utils import timezone

from portal.access import availability
from portal.access.grants import scope_of
from portal.access.http import Origin
from portal.access.models import Connection
from portal.access.scope import Scope
from portal.client import Api
from portal.config import cache, clock
from portal.config.celery import app
from portal.contract.operation import AnyOperation
from portal.jobs import services
from portal.jobs.job_types import Done, ItemRefusal, JobType, NotEndedYet, Pointer
from portal.jobs.models import OPEN, Job, JobItem, JobState
from portal.jobs.planning import NewItem, Planning
from portal.mirror.mirrored_list import StoredList, request_all
from portal.mirror.models import MirrorState
from portal.mirror.rows import states_by_kind
from portal.translation import gettext as _, gettext_lazy, in_language_of, lazily, number
from portal.ui.states import State
from portal.work.separately import separately

_NIGHT = 2  # o'clock, in the zone of the portal
_SPREAD = 120  # minutes within which the connections follow each other
_NOT_AGAIN_FOR, _NOT_AGAIN_AT_NIGHT = 300, 3600  # seconds after a try, however it ended
_JOBS_AT_ONCE = 50  # jobs that one turn begins
_NEVER = datetime.min.replace(tzinfo=UTC)
_LOADED_AGAIN_AFTER = timedelta(minutes=10)
_BEGUN = "begun"  # in the data of an item: its list was requested
_POLLED_EVERY = 1.5  # seconds
_AWAY = ("down", "signed_out")


@dataclass(frozen=True)
class LoadedList:
    """A list that is loaded when an account is connected, for those whose role allows the
    operations that it `needs`; `url_name` is its page, `place` its turn."""

    source: StoredList
    place: int
    title: str
    url_name: str
    needs: tuple[AnyOperation, ...]

    def is_for(self, scope: Scope) -> bool:
        return all(scope.can_call(each) for each in self.needs)


@dataclass(frozen=True)
class ListProgress:
    """Progress of loading a list of a connection."""

    loaded_list: LoadedList
    connection: Connection
    state: MirrorState

    @property
    def is_loaded(self) -> bool:
        """Returns whether there is a copy, however old."""
        return self.state.refreshed_at is not None

    @property
    def noun(self) -> str:
        """Returns the name of the list's subject, within a sentence."""
        return _(self.loaded_list.source.noun)

    @property
    def tone(self) -> State:
        if self.state.is_wanted:
            return "running"
        if self.state.failure:
            return "warning"
        return "good" if self.is_loaded else "neutral"

    @property
    def viewed(self) -> float:
        """Returns the time of the last view; 0 if that is too long ago."""
        at = self.state.viewed_at
        return at.timestamp() if at and self.state.is_watched else 0.0

    @property
    def percent(self) -> int:
        expected = self.state.expected
        return min(100 * self.state.read // expected, 100) if expected else 0

    @property
    def counted(self) -> str:
        """Returns the noun that is counted while the list is loaded."""
        return _(self.loaded_list.source.counted)

    @property
    def url(self) -> str:
        return reverse(self.loaded_list.url_name, args=[self.connection.key])


_lists: list[LoadedList] = []


def register(*lists: LoadedList) -> None:
    """Loads these from now on."""
    _lists.extend(lists)
    _lists.sort(key=lambda each: each.place)


def progress_of(scopes: Iterable[Scope]) -> Mapping[int, Sequence[ListProgress]]:
    """Returns the progress of the lists within these scopes, by connection: one query."""
    visible = [scope for scope in scopes if not scope.is_nothing]
    by_kind = states_by_kind([scope.connection.pk for scope in visible])
    states = {
        (connection, kind): state
        for connection, own in by_kind.items()
        for kind, state in own.items()
    }
    return {scope.connection.pk: list(_progress(scope, states)) for scope in visible}


def not_loaded(connection: Connection) -> list[ListProgress]:
    """Returns the lists that were never loaded, as far as the owner may see them."""
    return [one for one in _of_owner(connection) if not one.is_loaded]


def of_one(connection: Connection, name: str) -> ListProgress | None:
    """Returns the progress of a list by its name; `None` where the owner may not see it."""
    return next((one for one in _of_owner(connection) if one.loaded_list.source.name == name), None)


def in_turn(connection: Connection) -> list[ListProgress]:
    """Returns the lists that were never loaded and are to be loaded next.

    Lists that a job reads come one after the other, since each job uses all that the service
    allows: viewed ones first, failed ones last.
    """
    missing = not_loaded(connection)
    by_job = [one for one in missing if one.loaded_list.source.is_by_job]
    waiting = [one for one in missing if one not in by_job and not one.state.is_wanted]
    if by_job and not any(one.state.is_wanted for one in by_job):
        waiting.append(min(by_job, key=lambda one: (bool(one.state.failure), -one.viewed)))
    return waiting


def load_again(connection: Connection) -> None:
    """Has those loaded that failed, or are not of the last minutes."""
    availability.forget(connection.key)
    for one in _of_owner(connection):
        is_old = one.state.is_older_than(_LOADED_AGAIN_AFTER) or one.state.failure
        if is_old and not one.state.is_wanted:
            one.loaded_list.source.request(connection)


@app.task(name="mirror.keep_loaded")
def load_due() -> int:
    """Has due lists of all connections loaded again: viewed ones, the last view first, and one of
    the others if none is being loaded. Lists that jobs read begin some at a time, those first that
    were loaded longest ago. Returns the count of lists."""
    connections = Connection.objects.filter(owner__is_active=True).select_related("owner")
    by_id = {each.pk: each for each in connections}
    away = availability.health_by_connection([each.key for each in by_id.values()])
    scopes = [scope_of(each.owner, each) for each in by_id.values() if away[each.key] not in _AWAY]
    progress = progress_of(scopes).values()
    with cache.read_ahead(_tried_key(one) for own in progress for one in own):
        due = list(chain.from_iterable(separately(_due_of, progress)))
    by_job = [one for one in due if one.loaded_list.source.is_by_job]
    by_job.sort(key=lambda one: (-one.viewed, one.state.refreshed_at or _NEVER))
    begun = [one for one in due if one not in by_job] + by_job[:_JOBS_AT_ONCE]
    for seconds in (_NOT_AGAIN_FOR, _NOT_AGAIN_AT_NIGHT):
        tried = [one for one in begun if _not_again_for(one) == seconds]
        cache.set_many({_tried_key(one): True for one in tried}, seconds)
    request_all([one.state for one in begun if not one.loaded_list.source.is_by_job])
    for one in by_job[:_JOBS_AT_ONCE]:
        one.loaded_list.source.request(one.connection)
    return len(begun)


def _due_of(progress: Sequence[ListProgress]) -> Sequence[ListProgress]:
    """Returns the lists of a connection that are due, without those that were tried lately."""
    return _viewed_due(progress) or _first_due(progress)


def _viewed_due(progress: Sequence[ListProgress]) -> Sequence[ListProgress]:
    viewed = sorted((one for one in progress if one.viewed), key=lambda one: -one.viewed)
    return [
        one
        for one in viewed
        if not one.state.is_wanted
        and one.state.is_due(one.loaded_list.source.stale_after)
        and not cache.get(_tried_key(one))
    ]


def _first_due(progress: Sequence[ListProgress]) -> Sequence[ListProgress]:
    if any(one.state.is_wanted for one in progress):
        return []
    now = clock.now()
    due = (
        one
        for one in progress
        # The connections follow each other.
        if one.state.is_older_than(now - last_night(now, one.connection.pk % _SPREAD))
        and not cache.get(_tried_key(one))
    )
    return list(islice(due, 1))


def _tried_key(one: ListProgress) -> str:
    return f"loading:{one.connection.pk}:{one.loaded_list.source.name}"


def _not_again_for(one: ListProgress) -> int:
    return _NOT_AGAIN_FOR if one.viewed else _NOT_AGAIN_AT_NIGHT


def last_night(now: datetime, minutes: int = 0) -> datetime:
    """Returns the last time at which nightly work was due: at two o'clock in the portal's zone, or
    so many minutes later."""
    local = timezone.localtime(now, timezone.get_default_timezone())
    night = local.replace(hour=_NIGHT, minute=0, second=0, microsecond=0)
    night += timedelta(minutes=minutes)
    return night if night <= local else night - timedelta(days=1)


def _of_owner(connection: Connection) -> Sequence[ListProgress]:
    return progress_of([scope_of(connection.owner, connection)]).get(connection.pk, ())


def _progress(
    scope: Scope, states: Mapping[tuple[int, str], MirrorState]
) -> Iterator[ListProgress]:
    connection = scope.connection
    for each in _lists:
        if each.is_for(scope):
            blank = MirrorState(connection=connection, kind=each.source.name)
            yield ListProgress(
                each, connection, states.get((connection.pk, each.source.name), blank)
            )


class FirstSyncJob(JobType):
    """Loads the lists of an account that were never loaded, a row for each.

    The job requests the lists, follows how far they are, and says which of them failed; to retry
    such a row loads its list again.
    """

    name = "account.load"
    noun = (gettext_lazy("list"), gettext_lazy("lists"))
    verbs = {"load": gettext_lazy("Load")}
    reads_only = True
    fills_copies = True
    is_listed = True
    follows = True

    def needs(self, job: Job) -> Sequence[AnyOperation]:  # noqa: ARG002
        """Returns none: each list is loaded only for owners whose role allows what it needs."""
        return ()

    def plan(self, planning: Planning) -> None:
        missing = not_loaded(planning.job.connection)
        for place, one in enumerate(missing, start=1):
            planning.add(
                NewItem(place, str(one.loaded_list.title), "load", one.loaded_list.source.name)
            )

    def carry_out(self, api: Api, item: JobItem) -> Done | None:  # noqa: ARG002
        one = of_one(item.job.connection, item.object_id)
        if one is None or (one.is_loaded and not one.state.is_wanted):
            return Done(message=one.state.notes_in_words if one else "")
        if not one.state.is_wanted:
            if item.data.pop(_BEGUN, False):
                raise ItemRefusal(one.state.failure_in_words or _("The update was interrupted."))
            next_lists = [each.loaded_list for each in in_turn(one.connection)]
            if one.loaded_list not in next_lists:
                raise NotEndedYet(_("Waiting for another list"), _POLLED_EVERY)
            one.loaded_list.source.request(one.connection)
        item.data[_BEGUN] = True
        raise NotEndedYet(_how_far(one), _POLLED_EVERY)

    def finished(self, job: Job) -> None:
        """Cancels the remaining lists if the job was cancelled."""
        if Job.objects.filter(pk=job.pk, state=JobState.CANCELLED).exists():
            for one in not_loaded(job.connection):
                one.loaded_list.source.cancel(job.connection)

    def page_of(self, job: Job, item: JobItem) -> str:
        one = of_one(job.connection, item.object_id)
        return one.url if one else ""

    def pointers(self, job: Job) -> Sequence[Pointer]:
        url = reverse("mirror:loading", args=[job.connection.key])
        return [Pointer(_("Lists are kept up to date from now on."), url, _("Loaded lists"))]


def begin(connection: Connection) -> None:
    """Has all lists loaded that were never loaded, as far as the owner may see them."""
    for one in in_turn(connection):
        one.loaded_list.source.request(connection)
    missing = not_loaded(connection)
    open_jobs = Job.objects.filter(connection=connection, kind=FirstSyncJob.name, state__in=OPEN)
    if missing and not open_jobs.exists():
        title = lazily(lambda: _("Load %(name)s") % {"name": connection.name})
        with in_language_of(connection.owner):
            services.draft(Origin(connection.owner), connection, FirstSyncJob.name, title)


def _how_far(one: ListProgress) -> str:
    if not one.state.expected:
        return _("Loading")
    return _("Loading: %(read)s of %(expected)s %(what)s") % {
        "read": number(one.state.read),
        "expected": number(one.state.expected),
        "what": one.counted,
    }
