"""A job summed up, as its page and the list of jobs show it."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property

from portal.access.scope import Scope
from portal.config import clock, page_memory
from portal.connections.rate_limits import closures_of
from portal.jobs import labels
from portal.jobs.bar import BarSegment, bar_of
from portal.jobs.counts import JobCounts, counts_by_job
from portal.jobs.filters import begun_by_people
from portal.jobs.job_types import JobType, Wording, is_supported, job_type_of
from portal.jobs.models import NEVER_SENT, OPEN_ITEMS, UNDOES, WORKED_ON, ItemState, Job, JobState
from portal.translation import gettext as _, ngettext, number
from portal.ui.states import State

_SHORT_WAIT = timedelta(seconds=5)
_BAR_SHOWN = timedelta(days=1)  # after the end
_MANY = 5


class JobSummary:
    """A job with its counts, in words, at the moment `now`.

    `is_supported` says whether this release of the portal has all that the job names, `has_steps`
    whether items of one number are steps, one after the other, `moves` whether the page will have
    news soon. `waits_long` is set for a wait worth a notice: short ones come and go, and would make
    the page jump. A job that `is_limited` waits for a limit of the service, and not for a service
    that fails. `to_correct` counts the rows that can be corrected in a file and imported again.
    """

    def __init__(self, job: Job, counts: JobCounts) -> None:
        self.job = job
        self.counts = counts
        self.now = clock.now()
        self.kind = job_type_or_wording(job, counts.actions())
        self.is_supported = isinstance(self.kind, JobType)
        self.has_steps = isinstance(self.kind, JobType) and self.kind.in_order
        self.did_run = job.approved_at is not None
        self.done = counts.of(ItemState.DONE)
        self.failed = counts.of(ItemState.FAILED)
        self.unknown = counts.of(ItemState.UNKNOWN)
        self.invalid = counts.of(ItemState.INVALID)
        self.left_out = counts.of(ItemState.LEFT_OUT)
        self.unchanged = counts.of(ItemState.UNCHANGED)
        self.sending = counts.of(ItemState.SENDING)
        self.pending = counts.of(ItemState.PENDING)
        self.to_correct = self.failed + self.invalid if self.kind.columns else 0
        self.moves = job.is_worked_on or self.sending > 0
        self.wait = job.waits_until - self.now if job.waits_until else timedelta()
        self._words_of_wait = job.trouble
        if job.state == JobState.PLANNING and self.wait <= timedelta():
            # A reading of the plan waits for its turn: only what has ended stands in the job.
            seconds, self._words_of_wait = closures_of(job.connection).wait()
            self.wait = timedelta(seconds=seconds)
        self.waits = self.wait > timedelta()
        self.waits_long = self.wait > _SHORT_WAIT
        self.is_limited = self.waits and not job.openings

    @property
    def tone(self) -> State:
        return labels.tone_of(self.job, self.failed + self.unknown)

    @property
    def icon_name(self) -> str:
        """Returns the icon of the state, if that is not the one of its tone."""
        return "eye" if self.job.state == JobState.PLANNED else ""

    @property
    def word(self) -> str:
        if self.job.is_unattended:
            return _("Waiting for a worker")
        if self.job.state == JobState.DONE and self.failed:
            return _("Done, %(failed)s failed") % {"failed": number(self.failed)}
        return str(self.job.get_state_display())

    @cached_property
    def words_of_wait(self) -> str:
        """Returns why the job waits: the words for all of it, or those of its next row."""
        if self._words_of_wait or not self.waits:
            return self._words_of_wait
        waiting = self.job.items.filter(OPEN_ITEMS, due_at__gt=self.now).order_by("due_at")
        return waiting.values_list("message", flat=True).first() or ""

    @property
    def percent(self) -> int:
        """Returns the progress of the planning, and of the items to be sent afterwards."""
        if self.job.state == JobState.PLANNING:
            expected = self.job.expected
            return min(self.job.progress * 100 // expected, 100) if expected else 0
        return self.counts.percent

    @property
    def plan(self) -> str:
        """Returns the actions of the job: "Create 812, change 64"; for steps, which are of many
        kinds, their common end: "Offboard Ada Byron: 3 steps"."""
        sent = (state for state in ItemState if state not in NEVER_SENT)
        actions = self.counts.actions(*(sent if self.did_run else [ItemState.PENDING]))
        if actions and self.has_steps:
            values = {
                "title": self.job.title,
                "steps": labels.counted(sum(actions.values()), self.kind.noun),
            }
            if ": " in self.job.title:
                return _("%(title)s, %(steps)s") % values
            return _("%(title)s: %(steps)s") % values
        return labels.plan_in_words(self.job, self.kind, actions) if actions else ""

    @property
    def whole_plan(self) -> str:
        """Returns the plan with the rows that it passes over: "Create 812, change 64, skip 3"."""
        undoes = UNDOES in self.job.parameters
        passed_over = (
            (_("leave %(count)s unchanged") if undoes else _("skip %(count)s"), self.invalid),
            (_("exclude %(count)s"), self.left_out),
        )
        rest = [words % {"count": number(count)} for words, count in passed_over if count]
        return ", ".join([self.plan or _("No changes to apply"), *rest])

    @property
    def awaited(self) -> str:
        """Returns the decision that the job waits for, and else its plan."""
        reason = self.job.shown_reason
        match self.job.state:
            case JobState.PLANNED if self.plan:
                return _("Preview ready: %(plan)s") % {"plan": self.plan}
            case JobState.PLANNED:
                return _("No changes to apply")
            case JobState.PAUSED:
                words = _("Paused at %(percent)s %%") % {"percent": self.percent}
                return f"{words}: {reason}" if reason else words
            case JobState.UNPLANNABLE:
                return reason
        if not (unknown := self.unknown):
            return self.plan
        return ngettext(
            "%(count)s row with unknown outcome", "%(count)s rows with unknown outcome", unknown
        ) % {"count": number(unknown)}

    @property
    def button(self) -> str:
        """Returns the button that applies a plan: "Create 812 people", or "Apply 876 changes"."""
        if self.has_steps:
            return self.job.title
        actions = self.counts.actions(ItemState.PENDING)
        if len(actions) == 1:
            return labels.plan_in_words(self.job, self.kind, actions)
        words = ngettext("Apply %(count)s change", "Apply %(count)s changes", self.pending)
        return words % {"count": number(self.pending)}

    @cached_property
    def may_help_to_retry(self) -> bool:
        """Returns whether some row failed for another reason than its values."""
        return self.job.items.filter(state=ItemState.FAILED, problems=[]).exists()

    @property
    def retry_verb(self) -> str:
        return ngettext("Retry the failed row", "Retry %(count)s failed rows", self.failed) % {
            "count": number(self.failed)
        }

    @cached_property
    def bar(self) -> list[BarSegment]:
        return bar_of(self.job, self.counts, self.percent)

    @property
    def has_bar(self) -> bool:
        """Returns whether the page shows a bar: not of a plan that failed or was discarded, and
        until a day after the end."""
        if self.job.is_open:
            return self.job.state != JobState.UNPLANNABLE
        ended = self.job.finished_at
        return self.did_run and (ended is None or ended > self.now - _BAR_SHOWN)

    @property
    def waits_for(self) -> str:
        return labels.span_in_words(self.wait + timedelta(seconds=1)) if self.waits else ""

    @property
    def waits_until(self) -> str:
        return labels.clock(self.now + self.wait) if self.waits else ""

    @property
    def rate(self) -> str:
        is_running = self.job.state == JobState.RUNNING and not self.job.is_unattended
        return labels.rate_in_words(self.job.rate) if is_running else ""

    @property
    def pace(self) -> str:
        """Returns the requests per second that the service allows, as far as is known."""
        pace = self.job.pace
        if pace is None or not self.rate:
            return ""
        return number(pace) if pace >= 10 else number(pace, 1)

    @property
    def seconds_left(self) -> float | None:
        return self.counts.waiting / self.job.rate if self.rate and self.job.rate else None

    @property
    def left(self) -> str:
        seconds = self.seconds_left
        return labels.left_in_words(seconds) if seconds is not None else ""

    @property
    def ends_at(self) -> str:
        """Returns the time at which the job will end; empty if that is unknown, or less than two
        minutes away."""
        seconds = self.seconds_left
        if seconds is None or seconds < 120:
            return ""
        return labels.clock(self.now + timedelta(seconds=seconds), with_seconds=False)

    @property
    def duration(self) -> str:
        """Returns the time from the approval to the end, or to now."""
        since, until = self.job.approved_at, self.job.finished_at or self.now
        return labels.span_in_words(until - since) if since else ""

    @property
    def overall_rate(self) -> str:
        since, until = self.job.approved_at, self.job.finished_at
        if not since or not until or self.counts.ended < 20:
            return ""
        return labels.rate_in_words(self.counts.ended / max((until - since).total_seconds(), 1))

    @property
    def as_of(self) -> str:
        return labels.clock(self.now)

    @property
    def milestone(self) -> str:
        """Returns the news that a screen reader reads aloud, at each quarter and at the end."""
        if self.job.state != JobState.RUNNING:
            if not self.did_run or not self.counts.sent:
                return f"{self.word}."
            counts = {"done": number(self.done), "sent": number(self.counts.sent)}
            return _("%(state)s: %(done)s of %(sent)s.") % {"state": self.word, **counts}
        if self.job.is_unattended or not self.percent:
            return f"{self.word}."
        quarter = self.percent // 25 * 25
        return _("%(quarter)s percent done.") % {"quarter": quarter} if quarter else _("Running.")

    @property
    def summary(self) -> str:
        """Returns the results: "4 people created, 2 failed, 1 skipped"; the job's state if it had
        nothing to do."""
        phrases = labels.done_in_words(self.kind, self.counts.actions(ItemState.DONE))
        counts = (
            (_("%(count)s failed"), self.failed),
            (_("%(count)s unknown"), self.unknown),
            (_("%(count)s skipped"), self.invalid + self.left_out),
            (_("%(count)s not sent"), 0 if self.job.is_open else self.pending),
        )
        phrases += [words % {"count": number(count)} for words, count in counts if count]
        return ", ".join(phrases) or self.word

    @property
    def results_url(self) -> str:
        return self.kind.results_url(self.job) if self.done else ""

    @property
    def show_results(self) -> str:
        return _("Show %(what)s") % {"what": self.kind.noun[1]}


def job_type_or_wording(job: Job, actions: Collection[str] = ()) -> Wording:
    """Returns the job's type, or plain words if this release does not support the job, with these
    actions of its items."""
    return job_type_of(job) if is_supported(job, actions) else Wording()


def job_summaries(jobs: Iterable[Job]) -> list[JobSummary]:
    jobs = list(jobs)
    counts = counts_by_job(jobs)
    return [JobSummary(job, counts[job.pk]) for job in jobs]


@dataclass(frozen=True)
class RunningNow:
    """Running jobs of a scope: `first` is set if it runs alone, and a later request tells by `keys`
    which of them have ended since."""

    count: int
    first: JobSummary | None
    keys: str


def running_now(scope: Scope) -> RunningNow:
    """Returns them as they were when the page that is being made first asked."""

    def read(keys: list[int]) -> dict[int, RunningNow]:
        return dict.fromkeys(keys, _read_running(scope))

    viewer = scope.user.pk if scope.user else ""
    key = scope.connection.pk
    return page_memory.read_once(f"running-jobs:{viewer}", [key], read)[key]


def _read_running(scope: Scope) -> RunningNow:
    running = begun_by_people(scope).filter(state__in=WORKED_ON)
    # Read with every page, mostly without a result: jobs themselves are read for one job alone.
    keys = list(running.values_list("key", flat=True)[:_MANY])
    count = len(keys) if len(keys) < _MANY else running.count()
    alone = job_summaries(running.filter(key=keys[0])) if count == 1 else []
    return RunningNow(count, next(iter(alone), None), ",".join(keys))
