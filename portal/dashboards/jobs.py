"""The job that reads the quality of the streams of some days, with one item a session."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from django.db import transaction

from portal.access.http import Origin
from portal.access.models import Connection
from portal.client import Api, NotFound
from portal.config import clock
from portal.config.database import Busy, briefly
from portal.contract.metrics import Metrics
from portal.contract.operation import AnyOperation
from portal.dashboards.models import MeasuredDay, MeasuredSession
from portal.dashboards.services.session.readings import BOARDS
from portal.dashboards.services.streams import days
from portal.dashboards.services.streams.storing import (
    STREAM_SESSION,
    StreamSession,
    listed,
    read,
    replace_streams,
)
from portal.jobs import services
from portal.jobs.job_types import Done, JobType
from portal.jobs.models import OPEN, ItemState, Job, JobItem
from portal.jobs.planning import NewItem, Planning
from portal.translation import gettext as _, gettext_lazy, lazily, ngettext, number
from portal.ui.ranges import Range

KIND = "dashboards.quality"
_NOT_AGAIN_FOR = timedelta(hours=1)  # after a reading, however it ended
_LISTED = {
    "meetings": gettext_lazy("Listed meetings from %(from)s to %(to)s"),
    "webinars": gettext_lazy("Listed webinars from %(from)s to %(to)s"),
}


class ReadQualityJob(JobType):
    """`parameters` has the days of GMT, `from` and `to`.

    Days are read again only if they may have changed, and of these only sessions that may have.
    """

    name = KIND
    noun = (gettext_lazy("session"), gettext_lazy("sessions"))
    verbs = {"read": gettext_lazy("Load")}
    reads_only = True
    fills_copies = True

    def needs(self, job: Job) -> Sequence[AnyOperation]:  # noqa: ARG002
        return [
            Metrics.meetings,
            Metrics.webinars,
            *(
                operation
                for board in BOARDS.values()
                for operation in (board.participants, board.qualities)
            ),
        ]

    def plan(self, planning: Planning) -> None:
        job, unreported, streams = planning.job, 0, dict[tuple[str, str], StreamSession]()
        for run in days.due(job.connection, *_days_of(job)):
            _record_request(job.connection, run)
            for window in run.windows():
                for family in BOARDS:
                    for one in listed(planning.api, family, window):
                        unreported += one is None
                        if one is not None:
                            streams.setdefault((family, one.key), one)
                    words = _LISTED[family] % {"from": window.from_, "to": window.to}
                    planning.progress(len(streams), 0, words)
        final = _final(job.connection, streams)
        wanted = [one for name, one in streams.items() if name not in final]
        wanted.sort(key=lambda one: one.start, reverse=True)
        for place, one in enumerate(wanted, start=1):
            planning.add(
                NewItem(
                    place,
                    one.topic or one.key,
                    "read",
                    one.key,
                    data=STREAM_SESSION.dump_python(one, mode="json"),
                )
            )
        if unreported:
            words = ngettext(
                "%(count)s listed session has no ID, or no start on these days.",
                "%(count)s listed sessions have no ID, or no start on these days.",
                unreported,
            )
            planning.add_notice("warning", words % {"count": number(unreported)})

    def carry_out(self, api: Api, item: JobItem) -> Done:
        try:
            return Done(value=read(api, item.data["family"], item.object_id))
        except NotFound:  # the service has forgotten it
            return Done(value=())

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        measured = [
            (STREAM_SESSION.validate_python({"key": item.object_id, **item.data}), item.value)
            for item in items
        ]
        replace_streams(job.connection, measured)

    def finished(self, job: Job) -> None:
        """Marks days as read if all of their sessions were read."""
        undone = job.items.exclude(state=ItemState.DONE).values_list("data", flat=True)
        unread = {datetime.fromisoformat(data["start"]).astimezone(UTC).date() for data in undone}
        asked = MeasuredDay.objects.filter(
            connection=job.connection, day__range=_days_of(job), asked_at__gte=job.created_at
        )
        asked.exclude(day__in=unread).update(read_at=job.created_at)


def request_reading(origin: Origin, connection: Connection, chosen: Range) -> tuple[Job, bool]:
    """Returns the job that reads these days, and whether it is a new one: a connection has one at a
    time. The connection's owner owns it, since what it reads is stored for all users."""
    owner = connection.owner
    origin = replace(origin, actor=owner, email=owner.email)
    jobs = Job.objects.filter(connection=connection, kind=KIND)
    with transaction.atomic():
        Connection.objects.select_for_update().get(pk=connection.pk)
        running = open_job(connection)
        if running is not None:
            return running, False
        jobs.delete()
        first, last = chosen.gmt_days
        data = {"from": first.isoformat(), "to": last.isoformat()}
        days = Range(first, last, UTC)
        title = lazily(lambda: _("Load quality, %(days)s (GMT)") % {"days": days.in_words})
        return services.draft(origin, connection, KIND, title, parameters=data), True


def begin_by_itself(origin: Origin, connection: Connection, chosen: Range) -> None:
    """Begins a job for the viewed days if some may have changed: once in an hour, so that a job
    that was cancelled, or has failed, is not begun again by each viewer."""
    if open_job(connection) or not days.coverage(connection, chosen).due:
        return
    first, last = chosen.gmt_days
    before = last_job(connection)
    if before is not None and before.created_at > clock.now() - _NOT_AGAIN_FOR:
        read_from, read_to = _days_of(before)
        today = clock.now().astimezone(UTC).date()
        if read_from <= first and read_to >= min(last, today):
            return
    with suppress(Busy), briefly():  # else the next viewer begins it
        request_reading(origin, connection, chosen)


def open_job(connection: Connection) -> Job | None:
    """Returns the job that is under way, or paused."""
    return Job.objects.filter(connection=connection, kind=KIND, state__in=OPEN).first()


def last_job(connection: Connection) -> Job | None:
    """Returns the last job, which may have ended."""
    return Job.objects.filter(connection=connection, kind=KIND).first()


def _days_of(job: Job) -> tuple[date, date]:
    return tuple(date.fromisoformat(job.parameters[name]) for name in ("from", "to"))  # type: ignore[return-value]


def _record_request(connection: Connection, run: Range) -> None:
    now = clock.now()
    MeasuredDay.objects.bulk_create(
        [MeasuredDay(connection=connection, day=day, asked_at=now) for day in run.days()],
        update_conflicts=True,
        unique_fields=["connection", "day"],
        update_fields=["asked_at"],
    )


def _final(
    connection: Connection, streams: dict[tuple[str, str], StreamSession]
) -> set[tuple[str, str]]:
    """Returns the sessions that have not changed since they were read."""
    stored = MeasuredSession.objects.filter(connection=connection)
    if streams:
        starts = [one.start for one in streams.values()]
        stored = stored.filter(start__range=(min(starts), max(starts)))
    return {
        (family, key)
        for family, key, read_at in stored.values_list("family", "key", "read_at")
        for one in [streams.get((family, key))]
        if one and days.is_final(read_at, one.start, one.end)
    }
