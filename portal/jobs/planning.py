"""Making the plan of a job, in the worker: its kind looks, and adds items."""

import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import islice
from typing import Literal, TypeVar

import structlog
from django.db import transaction
from django.utils import timezone

from portal.access import tokens
from portal.access.api import Background
from portal.access.calls import check
from portal.access.roles import Refused
from portal.access.tokens import TokenUnreadable
from portal.client import Api, ApiError
from portal.jobs.bell import ring
from portal.jobs.failures import passes
from portal.jobs.kinds import NewItem, Unplannable, kind_of
from portal.jobs.leases import LeaseLost, release, renew
from portal.jobs.models import LEFT_OUT, TAKES_BACK, ItemState, Job, JobFile, JobItem, JobState

T = TypeVar("T")
R = TypeVar("R")
Tone = Literal["neutral", "good", "warning", "bad"]

_BATCH = 500
_IN_FLIGHT = 10
_TRY_AGAIN = timedelta(seconds=15)
_log = structlog.get_logger(__name__)


class Planning:
    """What a kind's `plan` works with: the service to read from, and where items go."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self._background = Background(job.connection)
        self.api: Api = self._background.api()
        self._left_out = frozenset(job.parameters.get(LEFT_OUT, ()))
        self._items: list[JobItem] = []
        self._notes: list[tuple[str, str]] = []

    def file(self) -> bytes:
        """The file that was given with the job. Raises `Unplannable` where there is none."""
        kept = JobFile.objects.filter(job=self.job).first()
        if kept is None:
            raise Unplannable("The file of this job is no longer available. Upload it again.")
        return open_file(kept)

    def add(self, item: NewItem) -> None:
        """Adds an item to the plan; what was left out of the plan before stays left out."""
        state = item.state
        if state == ItemState.PENDING and item.object_id in self._left_out:
            state = ItemState.LEFT_OUT
        self._items.append(
            JobItem(
                job=self.job,
                number=item.number,
                label=_text(item.label)[:300],
                action=item.action,
                object_id=item.object_id,
                batch_key=item.batch_key,
                state=state,
                data=item.data,
                sealed=tokens.seal(json.dumps(item.secret)) if item.secret else "",
                changes=[list(change) for change in item.changes],
                problems=[list(problem) for problem in item.problems],
                ended_at=timezone.now() if state != ItemState.PENDING else None,
            )
        )
        if len(self._items) >= _BATCH:
            self.store()

    def note(self, tone: Tone, words: str) -> None:
        """Says something of the plan as a whole, such as that licences will not do."""
        self._notes.append((tone, words))

    def progress(self, done: int, expected: int, words: str = "") -> None:
        """Tells how far the planning is; call it at least once a minute."""
        renew(self.job, progress=done, expected=expected, activity=words[:200])

    def concurrently(self, ask: Callable[[T], R], things: Iterable[T]) -> Iterator[R]:
        """`ask(thing)` for each, several at a time, answers in the order of the things.

        `ask` runs in threads and leaves the database alone.
        """
        waiting = iter(things)
        with ThreadPoolExecutor(_IN_FLIGHT) as crew:
            while chunk := list(islice(waiting, _IN_FLIGHT * 10)):
                yield from crew.map(ask, chunk)

    def store(self) -> None:
        """Stores what was added; the engine calls it at the end."""
        with transaction.atomic():
            renew(self.job)
            JobItem.objects.bulk_create(self._items)
        self._items = []

    @property
    def notes(self) -> list[tuple[str, str]]:
        return self._notes


def seal_file(content: bytes) -> str:
    return tokens.seal(b64encode(zlib.compress(content)).decode())


def open_file(kept: JobFile) -> bytes:
    return zlib.decompress(b64decode(tokens.unseal(kept.sealed).value))


def plan(job: Job) -> None:
    """Makes the plan of a job that the caller has leased. What a plan that broke off had made is
    made again."""
    try:
        planning = _planned(job)
    except LeaseLost:
        return
    except Unplannable as problem:
        _end(job, JobState.UNPLANNABLE, reason=str(problem))
    except TokenUnreadable as problem:
        _end(job, JobState.UNPLANNABLE, keeps_file=True, reason=str(problem))
    except Refused as refused:
        what = refused.operation.summary
        _end(
            job, JobState.UNPLANNABLE, reason=f"“{what}” is not allowed for you on this connection."
        )
    except ApiError as error:
        if passes(error):
            _try_again(job, error)
        else:
            words = f"The service refused data that the preview needs: {error.message}"
            _end(job, JobState.UNPLANNABLE, keeps_file=True, reason=words)
    except Exception:
        _log.exception("planning failed", job=job.key, kind=job.kind)
        words = "Internal error. See the worker log for details."
        _end(job, JobState.UNPLANNABLE, keeps_file=True, reason=words)
    else:
        _finish(job, planning)


def _planned(job: Job) -> Planning:
    kind = kind_of(job)
    _clear(job)
    planning = Planning(job)
    if TAKES_BACK in job.parameters:
        _plan_back(planning)
    else:
        kind.plan(planning)
    planning.store()
    for operation in kind.needs(job):
        check(job.owner.role, job.connection, operation)
    return planning


def _plan_back(planning: Planning) -> None:
    """The plan that restores what another job has changed."""
    job = planning.job
    earlier = Job.objects.filter(
        connection=job.connection, kind=job.kind, key=job.parameters[TAKES_BACK]
    ).first()
    kind = kind_of(job)
    if earlier is None or kind.undo(earlier) is None:
        raise Unplannable("The job to undo no longer exists.")
    kind.plan_back(planning, earlier)


def _finish(job: Job, planning: Planning) -> None:
    if kind_of(job).is_approved(job):
        _end(job, JobState.RUNNING, notes=planning.notes, approved_at=timezone.now())
        ring(job)
    else:
        _end(job, JobState.PLANNED, notes=planning.notes)


def _clear(job: Job) -> None:
    with transaction.atomic():
        renew(job, progress=0, expected=0, activity="")
        job.items.all().delete()


def _try_again(job: Job, error: ApiError) -> None:
    """Leaves the job to a later try, whose time is when the lease runs out."""
    later = timezone.now() + _TRY_AGAIN
    Job.objects.filter(pk=job.pk, lease=job.lease).update(
        lease=None, leased_until=later, waits_until=later, trouble=error.message
    )


def _end(job: Job, state: JobState, *, keeps_file: bool = False, **told: object) -> None:
    """Ends the planning, unless the job was cancelled meanwhile."""
    with transaction.atomic():
        held = Job.objects.select_for_update().filter(pk=job.pk, lease=job.lease).first()
        if held is None:
            return
        if held.state == JobState.PLANNING:
            told = {"state": state, "reason": "", "trouble": "", "waits_until": None, **told}
            if state == JobState.UNPLANNABLE:
                told["finished_at"] = timezone.now()
                job.items.all().delete()
        if not keeps_file:
            JobFile.objects.filter(job=job).delete()
        release(job, activity="", **told)


def _text(value: str) -> str:
    return value.replace("\0", "\N{REPLACEMENT CHARACTER}")
