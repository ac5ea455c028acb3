"""Writing mirrored rows: only what is new, in short transactions, never over what is known better.

Single writes and refreshes take turns: both lock the row of the mirror's state.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import TypeVar, cast

from django.db import DatabaseError, connection as database, transaction
from django.db.models import F, QuerySet
from pydantic import TypeAdapter

from portal.access.models import Connection
from portal.access.scope import Scope
from portal.config import cache, clock, page_memory
from portal.config.database import batches, where_it_can
from portal.config.database_errors import is_read_only
from portal.mirror.models import MirroredRow, MirrorState
from portal.mirror.models.row import service_fields
from portal.work.leases import LeaseLost

M = TypeVar("M", bound=MirroredRow)
R = TypeVar("R")
Key = tuple[str, ...]
Then = Callable[[Sequence[M]], None]
_BATCH = 500
_CACHED_FOR = 3600  # seconds
_WRITTEN = "mirror:written:{}:{}"  # the key of when the portal last wrote rows of a kind
_OF_EVERY_ROW = ["fingerprint", "touched_at"]


def no_more(_rows: Sequence[MirroredRow]) -> None:
    """Does nothing more for rows that were written."""


def state_of(connection: Connection, kind: str) -> MirrorState:
    """Returns the freshness of this connection's copy of this kind.

    One that the database does not take, for want of space, is that of a list that was never read.
    """
    try:
        return MirrorState.objects.get_or_create(connection=connection, kind=kind)[0]
    except DatabaseError as error:
        if database.in_atomic_block or not is_read_only(error):
            raise
        return MirrorState(connection=connection, kind=kind)


def states_of(connections: Sequence[Connection], kind: str) -> dict[int, MirrorState]:
    """Returns the states of several whole connections, by their primary keys: within a page as they
    were when it first asked for a state of the connection."""
    by_connection = states_by_kind([one.pk for one in connections])
    # None is stored for those without: one may have been removed since its page began.
    return {
        one.pk: by_connection.get(one.pk, {}).get(kind) or MirrorState(connection=one, kind=kind)
        for one in connections
    }


def states_by_kind(connections: Collection[int]) -> dict[int, dict[str, MirrorState]]:
    """Returns the stored states of all lists, by the primary keys of connections, and by kind; the
    page that is being made reads them once."""
    return page_memory.read_once("mirror-states", connections, _states)


def _states(connections: list[int]) -> dict[int, dict[str, MirrorState]]:
    by_connection: dict[int, dict[str, MirrorState]] = {key: {} for key in connections}
    for state in MirrorState.objects.filter(connection__in=connections):
        by_connection[state.connection_id][state.kind] = state
    return by_connection


def record_view(state: MirrorState) -> None:
    """Records a view of the list, unless one was recorded a moment ago."""
    if state.is_view_due:
        MirrorState.objects.filter(pk=state.pk).update(viewed_at=clock.now())


def cache_state(connection: Connection, state: MirrorState) -> None:
    """Lets a page that has read this state ask for it again without a query: `cached_state`."""
    states_by_kind([connection.pk])[connection.pk][state.kind] = state


def cached_state(connection: Connection, kind: str) -> MirrorState:
    """Returns `state_of`, or as it was when the page that is being made has read it."""
    cached = states_by_kind([connection.pk])[connection.pk].get(kind)
    return cached or state_of(connection, kind)


def cached_states(connection: Connection, *kinds: str) -> list[MirrorState]:
    """Returns `cached_state` of several lists. A list that was never asked for has one that is not
    stored."""
    states = states_by_kind([connection.pk])[connection.pk]
    return [states.get(kind) or MirrorState(connection=connection, kind=kind) for kind in kinds]


def cached_result(
    scope: Scope,
    kind: str,
    name: str,
    work: Callable[[], R],
    shape: TypeAdapter[R] | None = None,
) -> R:
    """Returns the result of `work` on the mirror's rows; it is done once, until one of them is
    written.

    A result that is not JSON needs its `shape`. For limited scopes the work is done each time.
    """
    if scope.is_limited:
        return work()
    key = _name_of(cached_state(scope.connection, kind), name)
    cached = cache.get(key)
    if cached is not None:
        return shape.validate_python(cached) if shape else cast(R, cached)
    made = work()
    cache.set(key, shape.dump_python(made, mode="json") if shape else made, _CACHED_FOR)
    return made


def cached_results(
    states: Mapping[int, MirrorState], name: str, work: Callable[[list[int]], Mapping[int, R]]
) -> dict[int, R]:
    """Returns the cached results of the mirrors of several whole connections, by primary keys;
    `work` computes the missing ones."""
    keys = {_name_of(state, name): connection for connection, state in states.items()}
    results: dict[int, R] = {keys[key]: made for key, made in cache.get_many(keys).items()}
    unknown = [connection for connection in states if connection not in results]
    if unknown:
        made = work(unknown)
        results |= made
        cache.set_many({_name_of(states[one], name): made[one] for one in unknown}, _CACHED_FOR)
    return results


def _name_of(state: MirrorState, name: str) -> str:
    """Returns the cache key of a result from the rows as they are now.

    A state that is not stored has no primary key.
    """
    return f"mirror:{state.kind}:{state.connection_id}:{state.pk}:{state.version}:{name}"


@contextmanager
def locked(state: MirrorState, *, leased: bool = False) -> Iterator[None]:
    """Opens a transaction in which no other process writes to this mirror.

    For a refresh it is `leased`, and raises `LeaseLost` if the lease was taken over.
    """
    own = MirrorState.objects.filter(pk=state.pk)
    if leased:
        own = own.filter(lease=state.lease)
    with transaction.atomic():
        if not own.update(version=F("version") + 1) and leased:
            raise LeaseLost
        yield


def store(
    state: MirrorState,
    rows: Sequence[M],
    began: datetime,
    then: Then[M] = no_more,
    *,
    leased: bool = True,
) -> int:
    """Writes the rows that a reading, which began then, returned, as far as they are new.

    Rows that were read alone, or removed, since the reading began are left as they are. `then` gets
    the written rows, in the same transaction. A reading of one scope of the list among others is
    not `leased`. Returns the number of written rows. Raises `LeaseLost`.
    """
    fingerprints = _fingerprints(state.connection, rows) if rows else {}
    news = [row for row in rows if fingerprints.get(row.key) != row.fingerprint]
    if not news:
        return 0
    with locked(state, leased=leased):
        touched = _of(state.connection, news).filter(touched_at__gte=began)
        better = set(touched.values_list(*news[0].KEY))
        gone = set(state.removals.filter(at__gte=began).values_list("key", flat=True))
        written = [row for row in news if row.key not in better and _line(row.key) not in gone]
        _write(written)
        then(written)
    return len(written)


def forget_unseen(
    state: MirrorState,
    own: QuerySet[M],
    seen: Collection[Key],
    began: datetime,
    *,
    leased: bool = True,
) -> None:
    """Deletes those of a list's `own` rows that a reading, which began then, has not seen.

    Raises `LeaseLost`.
    """
    own = own.filter(connection=state.connection).exclude(touched_at__gte=began)
    keys = own.values_list("pk", *own.model.KEY).iterator(chunk_size=2000)
    unseen = [key for key, *rest in keys if tuple(rest) not in seen]
    for batch in batches(unseen):
        with locked(state, leased=leased):
            own.filter(pk__in=batch).delete()


def put(state: MirrorState, row: M, then: Then[M] = no_more) -> None:
    """Takes over a row as the service reported it just now."""
    if _fingerprints(state.connection, [row]).get(row.key) == row.fingerprint:
        return  # reading a page about it is no reason to write
    if state.pk is not None:
        with where_it_can():
            _put(state, [row], then)


def put_written(state: MirrorState, rows: Sequence[M], then: Then[M] = no_more) -> None:
    """Takes over rows that the portal has just written to the service.

    They are written also where they say what they said: a reading that began before the write may
    bring an older state, or none.
    """
    _put(state, rows, then)
    _record_write(state)


def last_writes(connections: Collection[int], kind: str) -> dict[int, str]:
    """Returns what changes with each write by the portal to the service, of the mirrors of several
    connections by their primary keys; readings of the service leave it as it is."""
    keys = {_WRITTEN.format(kind, one): one for one in connections}
    return {keys[key]: str(one) for key, one in cache.get_many(keys).items()}


def _record_write(state: MirrorState) -> None:
    key, moment = _WRITTEN.format(state.kind, state.connection_id), clock.now().isoformat()
    transaction.on_commit(lambda: cache.set(key, moment, _CACHED_FOR))


def _put(state: MirrorState, rows: Sequence[M], then: Then[M]) -> None:
    for batch in batches(rows):
        for row in batch:
            row.touched_at = clock.now()
        with locked(state):
            state.removals.filter(key__in=[_line(row.key) for row in batch]).delete()
            _write(batch)
            then(batch)


def forget_hosts(
    state: MirrorState, rows: QuerySet[M], but: Collection[str], began: datetime
) -> None:
    """Deletes the rows of hosts who are not on the account any more, in a reading that began then.

    What was written since may be of a person whom the list of people does not contain yet.
    """
    older = rows.exclude(touched_at__gte=began).order_by()
    gone = sorted(set(older.values_list("host_id", flat=True).distinct()) - set(but))
    with locked(state):
        for start in range(0, len(gone), _BATCH):
            older.filter(host_id__in=gone[start : start + _BATCH]).delete()


def drop(state: MirrorState, model: type[M], key: Key) -> None:
    """Forgets a row, also for a reading that has it on a page already."""
    named = dict(zip(model.KEY, key, strict=True))
    if state.pk is None:
        return
    with where_it_can(), locked(state):
        state.removals.update_or_create(key=_line(key), defaults={"at": clock.now()})
        model._default_manager.filter(connection=state.connection_id, **named).delete()
    _record_write(state)


def _fingerprints(connection: Connection, rows: Sequence[M]) -> dict[Key, str]:
    stored = _of(connection, rows).values_list("fingerprint", *rows[0].KEY)
    return {tuple(key): fingerprint for fingerprint, *key in stored}


def _of(connection: Connection, rows: Sequence[M]) -> QuerySet[M]:
    """Returns the stored rows that can be these: those with the last value of one's key."""
    last = rows[0].KEY[-1]
    ids = {getattr(row, last) for row in rows}
    return type(rows[0])._default_manager.filter(connection=connection, **{f"{last}__in": ids})


def _write(rows: Sequence[MirroredRow]) -> None:
    if not rows:
        return
    model = type(rows[0])
    model._default_manager.bulk_create(
        rows,
        batch_size=_BATCH,
        update_conflicts=True,
        unique_fields=["connection", *model.KEY],
        update_fields=[*service_fields(model), *_OF_EVERY_ROW],
    )


def _line(key: Key) -> str:
    return "\n".join(key)
