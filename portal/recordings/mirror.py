"""The mirror of recordings, read host by host, or of the account as `account_rows` has it.

A job reads them (`jobs/reading.py`); here is what becomes of what was read.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import F, Q, QuerySet
from django.db.models.expressions import OrderBy

from portal.access.models import Connection
from portal.access.scope import Scope
from portal.config import clock
from portal.config.database import batches
from portal.contract.model import JsonDict
from portal.contract.recordings import RecordingAction, RecordingRemoval, RecordingSharing
from portal.directory.models import GroupKind, Membership
from portal.directory.scope_rules import of_visible_people
from portal.directory.users import people_by_id
from portal.mirror import rows
from portal.mirror.models import MirrorState
from portal.mirror.searching import contains_words
from portal.recordings import holds
from portal.recordings.models import MirroredRecording, RecordingStatus, StoredSharing
from portal.recordings.rows import ListedRecording, row_of, sum_up

NAME = "recordings"
STALE_AFTER = timedelta(hours=1)
EXPOSED = (
    Q(sharing=RecordingSharing.PUBLICLY.value)
    & (Q(has_password=False) | Q(viewer_download=True))
    & (Q(requires_sign_in=None) | Q(requires_sign_in=False))
)
IN_TRASH = (RecordingStatus.TRASHED.value, RecordingStatus.PARTLY.value)
_SORTS = {
    "start_time": "start_time",
    "size": "size",
    "topic": "sort_topic",
    "host": "host_name",
    "dept": "dept",
    "duration": "duration",
    "trashed_at": "trashed_at",
}
SORTS = frozenset(_SORTS)
_CAN_BE_UNSET = {"start_time", "duration", "trashed_at"}
_BATCH = 500
ListedOfHosts = Mapping[str, Iterable[ListedRecording]]
_OF_FILES = [
    "files",
    "status",
    "size",
    "trashed_size",
    "trashed_at",
    "file_count",
    "kinds",
    "fingerprint",
    "touched_at",
]


@dataclass(frozen=True)
class RecordingFilter:
    """Filters of a query for recordings; empty values do not filter.

    `since` and `before` are moments in ISO 8601 between which the recording began, `larger` and
    `smaller` are in bytes. `sharing` may be `unknown`. `has_password` and `exposed` find only
    recordings whose sharing is stored. `ids` is a selection of rows by their UUID: no other is
    found, and none at all if it is empty but not `None`.
    """

    search: str = ""
    statuses: Sequence[str] = ()
    hosts: Collection[str] = ()
    depts: Sequence[str] = ()
    groups: Sequence[str] = ()
    kinds: Sequence[str] = ()
    since: str = ""
    before: str = ""
    larger: int | None = None
    smaller: int | None = None
    sharing: str = ""
    has_password: bool | None = None
    exposed: bool = False
    on_hold: bool | None = None
    ids: Collection[str] | None = None


def state_of(connection: Connection) -> MirrorState:
    return rows.state_of(connection, NAME)


def listed(scope: Scope) -> QuerySet[MirroredRecording]:
    """Returns all recordings of a connection that the scope shows."""
    return of_visible_people(scope, MirroredRecording.objects.filter(connection=scope.connection))


def topic_of(scope: Scope, uuid: str) -> str:
    """Returns the topic of a recorded instance; empty if the list does not contain it."""
    return listed(scope).filter(uuid=uuid).values_list("topic", flat=True).first() or ""


def find(
    scope: Scope, wanted: RecordingFilter, sort: str = "-start_time"
) -> QuerySet[MirroredRecording]:
    """Returns matching recordings. `sort` is a key of `SORTS`, with `-` for the reverse."""
    recordings = listed(scope)
    if wanted.ids is not None:
        recordings = recordings.filter(uuid__in=wanted.ids)
    for name, values in (
        ("status", wanted.statuses),
        ("host_id", wanted.hosts),
        ("dept", wanted.depts),
    ):
        if values:
            recordings = recordings.filter(**{f"{name}__in": values})
    if wanted.groups:
        members = Membership.objects.filter(
            connection=scope.connection, kind=GroupKind.GROUP, group_id__in=wanted.groups
        )
        recordings = recordings.filter(host_id__in=members.values("user__user_id"))
    for kind in wanted.kinds:
        recordings = recordings.filter(kinds__contains=f" {kind} ")
    if condition := contains_words("search", wanted.search):
        matching = listed(scope).filter(condition)
        # The index by start holds what is searched; by any other, each row would have to be read.
        by_start = sort.removeprefix("-") == "start_time"
        recordings = (
            recordings & matching if by_start else recordings.filter(pk__in=matching.values("pk"))
        )
    recordings = _narrowed(recordings, wanted)
    return recordings.order_by(*_order(sort))


def _narrowed(
    recordings: QuerySet[MirroredRecording], wanted: RecordingFilter
) -> QuerySet[MirroredRecording]:
    if wanted.since:
        recordings = recordings.filter(start_time__gte=datetime.fromisoformat(wanted.since))
    if wanted.before:
        recordings = recordings.filter(start_time__lt=datetime.fromisoformat(wanted.before))
    if wanted.larger is not None:
        recordings = recordings.filter(size__gte=wanted.larger)
    if wanted.smaller is not None:
        recordings = recordings.filter(size__lt=wanted.smaller)
    if wanted.sharing == "unknown":
        recordings = recordings.filter(stored_sharing=None)
    elif wanted.sharing:
        recordings = recordings.filter(stored_sharing__sharing=wanted.sharing)
    if wanted.has_password is not None:
        recordings = recordings.filter(stored_sharing__has_password=wanted.has_password)
    if wanted.exposed:
        # By its index: of most accounts few recordings are exposed.
        exposed = StoredSharing.objects.filter(EXPOSED)
        recordings = recordings.exclude(status=RecordingStatus.TRASHED).filter(
            pk__in=exposed.values("recording")
        )
    if wanted.on_hold is not None:
        recordings = recordings.filter(_is_on_hold() if wanted.on_hold else ~_is_on_hold())
    return recordings


def with_holds(recordings: QuerySet[MirroredRecording]) -> QuerySet[MirroredRecording]:
    """Adds what is known of their sharing, and whether each is on hold: `is_on_hold`."""
    return recordings.select_related("stored_sharing").annotate(is_on_hold=_is_on_hold())


def _is_on_hold() -> Q:
    """Returns the condition of a hold: few exist, so they are looked up once, not for every row."""
    return Q(uuid__in=holds.active().values("uuid"))


def _order(sort: str) -> Sequence[OrderBy]:
    """Returns the order, in reverse with ties too, so that one index serves both directions."""
    name = _SORTS[sort.removeprefix("-")]
    unset = name in _CAN_BE_UNSET or None
    if sort[0] == "-":
        return F(name).desc(nulls_last=unset), F("pk").desc()
    return F(name).asc(nulls_first=unset), F("pk").asc()


def departments(scope: Scope) -> list[str]:
    """Returns the departments of hosts of recordings, in alphabetical order."""
    named = listed(scope).exclude(dept="")
    distinct = named.values_list("dept", flat=True).distinct().order_by("dept")
    return rows.cached_result(scope, NAME, "departments", lambda: list(distinct))


def kinds(scope: Scope) -> list[str]:
    """Returns the types of files, in alphabetical order."""
    recordings = listed(scope)
    distinct = recordings.values_list("kinds", flat=True).distinct().order_by()

    def compute() -> list[str]:
        return sorted({kind for several in distinct for kind in several.split()})

    return rows.cached_result(scope, NAME, "kinds", compute)


def counts_by_status(scope: Scope) -> dict[str, int]:
    statuses = listed(scope).values_list("status")

    def compute() -> dict[str, int]:
        counts = {status.value: 0 for status in RecordingStatus}
        for status in statuses.iterator():
            counts[status[0]] += 1
        return counts

    return rows.cached_result(scope, NAME, "statuses", compute)


def replace_recordings(
    connection: Connection,
    data: ListedOfHosts,
    since: datetime,
    began: datetime,
    partly: Collection[str] = (),
) -> None:
    """Takes over all recordings of some hosts that began since then, as they were listed in a
    reading that began at `began`. What else was known of that time is forgotten, but for those of
    whom some could not be read: it may be these."""
    hosts = people_by_id(connection, data)
    made = [
        row_of(connection, listed, hosts.get(host))
        for host, some in data.items()
        for listed in some
    ]
    state = state_of(connection)
    for batch in batches(made):
        rows.store(state, batch, began, leased=False)
    of_time = Q(start_time__gte=since) | Q(start_time=None)
    own = MirroredRecording.objects.filter(of_time, host_id__in=data.keys() - set(partly))
    rows.forget_unseen(state, own, {row.key for row in made}, began, leased=False)


def forget_recordings_of(connection: Connection, user_ids: Collection[str], **_: object) -> None:
    """Forgets the recordings of people who have just been removed: receives `users_removed`. What
    went to a colleague is listed as theirs by the next reading."""
    own = MirroredRecording.objects.filter(connection=connection, host_id__in=user_ids)
    for (uuid,) in list(own.values_list(*MirroredRecording.KEY)):
        rows.drop(state_of(connection), MirroredRecording, (uuid,))


def record_files(
    connection: Connection,
    written: Mapping[str, Collection[str]],
    change: RecordingRemoval | RecordingAction,
) -> None:
    """Records a write, made just now, to files of recordings: by UUID the ids of the files, none
    for all. A recording without files is dropped."""
    state, uuids, now = state_of(connection), list(written), clock.now()

    def after(file: JsonDict) -> list[JsonDict]:
        if change is RecordingRemoval.DELETE:
            return []
        recovered = change is RecordingAction.RECOVER
        return [{**file, "deleted": "" if recovered else file["deleted"] or now.isoformat()}]

    for batch in batches(uuids):
        stored = MirroredRecording.objects.filter(connection=connection, uuid__in=batch)
        with rows.locked(state):
            remaining = []
            for row in list(stored):
                ids = written[row.uuid]
                row.files = [
                    file
                    for one in row.files
                    for file in (after(one) if not ids or one["id"] in ids else [one])
                ]
                if row.files:
                    row.connection, row.touched_at = connection, clock.now()
                    sum_up(row)
                    row.stamp()
                    remaining.append(row)
                else:
                    rows.drop(state, MirroredRecording, row.key)
            MirroredRecording.objects.bulk_update(remaining, _OF_FILES, batch_size=_BATCH)
