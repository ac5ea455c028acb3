"""Reading all recordings of an account into the mirror: a job, one item a host or a month.

The interface lists recordings of one person at a time. Services of today list those of the whole
account, a month at a time, and its trash, so that the calls do not grow with the people. All of
`RECORDINGS_DAYS` are read once a day and on request; in between, the recordings of the last two
months.
"""

from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta

from django.conf import settings

from portal.access.http import Origin, in_words as unread_in_words
from portal.access.models import Connection
from portal.access.models.connection import dialect_named
from portal.client import Api, NotFound
from portal.config import clock
from portal.contract.operation import AnyOperation
from portal.contract.reading import LeftOut
from portal.contract.recordings import Recordings
from portal.directory.colleagues import hosts as hosts_of
from portal.jobs import services
from portal.jobs.job_types import Done, JobType
from portal.jobs.models import OPEN, ItemState, Job, JobItem
from portal.jobs.planning import NewItem, Planning
from portal.mirror import rows
from portal.mirror.by_job import CLOCKS_DIFFER_BY, PARTS, ReadByJob
from portal.mirror.models import MirrorState
from portal.recordings import mirror, sharing
from portal.recordings.account_rows import (
    available_of_account,
    lists_whole_account,
    replace_available,
    replace_trash,
    trash_of_account,
)
from portal.recordings.models import MirroredRecording
from portal.recordings.rows import ListedRecording, months_of, recordings_of
from portal.translation import gettext as _, gettext_lazy
from portal.translation.phrases import joined

KIND = "recordings.sharing-read"
_AT_ONCE = 5_000


class ReadSharingJob(JobType):
    """Reads the settings that are unknown, or older than a day."""

    name = KIND
    noun = (gettext_lazy("recording"), gettext_lazy("recordings"))
    verbs = {"read": gettext_lazy("Load")}
    reads_only = True
    fills_copies = True

    def needs(self, job: Job) -> Sequence[AnyOperation]:  # noqa: ARG002
        return [Recordings.settings]

    def plan(self, planning: Planning) -> None:
        unread = sharing.to_be_read(planning.job.connection)
        pairs = unread.values_list("uuid", "topic")[:_AT_ONCE]
        for number, (uuid, topic) in enumerate(pairs, start=1):
            planning.add(NewItem(number, topic, "read", uuid))

    def carry_out(self, api: Api, item: JobItem) -> Done:
        try:
            return Done(value=api.recordings.settings(item.object_id))
        except NotFound:
            return Done(message=_("This recording no longer exists."))

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        read = {item.object_id: item.value for item in items if item.value is not None}
        sharing.store_sharing(job.connection, read)

    def finished(self, job: Job) -> None:
        """Goes on with what is left, unless the service refuses it."""
        if job.items.filter(state=ItemState.DONE, message="").exists():
            read_missing(job.connection, but=job)


# No list of the service reports sharing, so it is read one by one, some thousands at a time.
def read_missing(connection: Connection, but: Job | None = None) -> None:
    """Begins a job that reads what is unknown or old, unless one is at it, or there is nothing."""
    jobs = Job.objects.filter(connection=connection, kind=KIND)
    if but is not None:
        jobs = jobs.exclude(pk=but.pk)
    if jobs.filter(state__in=OPEN).exists() or not sharing.to_be_read(connection).exists():
        return
    jobs.delete()
    services.draft(
        Origin(connection.owner),
        connection,
        KIND,
        gettext_lazy("Load sharing settings of recordings"),
        parameters={},
    )


HOSTS = "hosts"
_MONTHS = "months"
_TRASH = "trash"  # the item of the trash
_WHOLE = "whole"  # the parameter of a reading of all days
_RECENT = timedelta(days=62)
_WHOLE_EVERY = timedelta(days=1)
_DAY = timedelta(days=1)
READING = ReadByJob(
    mirror.NAME, "recordings", "recordings.read", HOSTS, stale_after=mirror.STALE_AFTER
)


class ReadRecordingsJob(JobType):
    """`parameters["hosts"]` are the ids of the only hosts to read, or there are none;
    `parameters["whole"]` says that all days are read."""

    name = READING.job_type
    noun = (gettext_lazy("part"), gettext_lazy("parts"))
    verbs = {"read": gettext_lazy("Load")}
    reads_only = True
    fills_copies = True

    def needs(self, job: Job) -> Sequence[AnyOperation]:  # noqa: ARG002
        return [Recordings.of_user]

    def plan(self, planning: Planning) -> None:
        """Plans one item per month, the latest first, and one for the trash; or one per host, those
        who signed in lately first. Hosts who were deactivated have recordings too, so they are read
        as well."""
        job = planning.job
        connection, wanted = job.connection, job.parameters.get(HOSTS, ())
        hosts = hosts_of(planning, wanted)
        first, last = _days(connection, whole=bool(wanted or job.parameters.get(_WHOLE)))
        if not wanted and _is_read_whole(planning, last):
            months = list(months_of(first, last))
            job.parameters[PARTS] = _MONTHS
            job.save(update_fields=["parameters"])
            for number, (begin, end) in enumerate(months, start=1):
                data = _data(begin, end)
                label = f"{begin} \N{EN DASH} {end}"
                planning.add(NewItem(number, label, "read", begin.isoformat(), data=data))
            data, number = _data(first, last), len(months) + 1
            planning.add(NewItem(number, _("Trash"), "read", _TRASH, data=data))
            READING.begun(job, number)
        else:
            data = _data(first, last)
            for number, (user_id, email) in enumerate(hosts, start=1):
                planning.add(NewItem(number, email, "read", user_id, data=data))
            READING.begun(job, len(hosts))
        if not wanted:
            began = job.created_at - CLOCKS_DIFFER_BY
            own = MirroredRecording.objects.filter(connection=connection)
            rows.forget_hosts(
                mirror.state_of(connection), own, {user_id for user_id, _ in hosts}, began
            )

    def carry_out(self, api: Api, item: JobItem) -> Done:
        first, last = (date.fromisoformat(item.data[name]) for name in ("first", "last"))
        left_out: list[LeftOut] = []
        recordings: list[ListedRecording] = []
        if item.object_id == _TRASH:
            recordings = trash_of_account(api, first, last, left_out)
        elif item.job.parameters.get(PARTS):
            recordings = available_of_account(api, first, last, left_out)
        else:
            with suppress(NotFound):  # who is not there any more has no recordings
                recordings = recordings_of(api, item.object_id, first, last, left_out)
        return Done(message=joined(" ", *unread_in_words(left_out)), value=(recordings, left_out))

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        began = min(item.first_sent_at or job.created_at for item in items) - CLOCKS_DIFFER_BY
        if job.parameters.get(PARTS):
            for item in items:
                _take_over(job.connection, item, began)
            READING.advanced(job, len(items))
            return
        first = date.fromisoformat(items[0].data["first"])
        data = {item.object_id: item.value[0] for item in items}
        partly = {item.object_id for item in items if item.value[1]}
        since = datetime.combine(first, time.min, UTC)
        mirror.replace_recordings(job.connection, data, since, began, partly)
        READING.advanced(job, len(items))

    def not_planned(self, job: Job, reason: str) -> None:
        READING.not_planned(job, reason)

    def finished(self, job: Job) -> None:
        READING.ended(job)
        items = job.items.order_by("number")
        earliest, latest = items.last(), items.first()
        if earliest and latest and not job.parameters.get(HOSTS):
            last = date.fromisoformat(latest.data["last"])
            if date.fromisoformat(earliest.data["first"]) <= last - _reach():
                whole = MirrorState.objects.filter(pk=_whole_state(job.connection).pk)
                whole.update(refreshed_at=clock.now())
        read_missing(job.connection)


def _is_read_whole(planning: Planning, day: date) -> bool:
    """Returns whether the service is one of today that lists the recordings of the account."""
    connection = planning.job.connection
    is_of_today = bool(dialect_named(connection.dialect).asked)
    return is_of_today and not planning.scope.is_narrow and lists_whole_account(planning.api, day)


def _take_over(connection: Connection, item: JobItem, began: datetime) -> None:
    """Takes over a month, or the trash, of the whole account."""
    first, last = (date.fromisoformat(item.data[name]) for name in ("first", "last"))
    recordings, left_out = item.value
    is_partial = bool(left_out)
    if item.object_id == _TRASH:
        replace_trash(connection, recordings, first, began, is_partial=is_partial)
    else:
        days = first, last
        replace_available(connection, recordings, days, began, is_partial=is_partial)


def _data(first: date, last: date) -> dict[str, str]:
    return {"first": first.isoformat(), "last": last.isoformat()}


def request_reading(connection: Connection, hosts: Sequence[str] = ()) -> MirrorState:
    """Has the recordings of these hosts, or of all days of all hosts, read again."""
    return READING.request(connection, hosts, **{_WHOLE: True})


def _reach() -> timedelta:
    return timedelta(days=settings.RECORDINGS_DAYS)


def _days(connection: Connection, *, whole: bool) -> tuple[date, date]:
    """Returns the days of GMT to read, and tomorrow: the service's clock may be ahead."""
    last = clock.now().astimezone(UTC).date() + _DAY
    whole = whole or _whole_state(connection).is_older_than(_WHOLE_EVERY)
    return last - (_reach() if whole else min(_RECENT, _reach())), last


def _whole_state(connection: Connection) -> MirrorState:
    return rows.state_of(connection, "recordings.whole")
