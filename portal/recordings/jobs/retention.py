"""Retention: the recordings that a rule moves to the trash, and the runs of due rules."""

from dataclasses import replace
from datetime import timedelta
from typing import NamedTuple, Self

import structlog
from django.db import transaction
from django.db.models import DateTimeField, F, Q
from django.db.models.functions import Coalesce

from portal.access.grants import scope_of
from portal.access.http import Origin
from portal.access.models import Connection
from portal.access.scope import Scope
from portal.audit.acts import Act
from portal.audit.trail import record
from portal.config import clock
from portal.config.celery import app
from portal.contract.recordings import Recordings
from portal.contract.words import gettext_noop
from portal.jobs import services
from portal.jobs.models import SET_BY, UNDOES, ItemState, Job, JobTitle
from portal.jobs.planning import Planning, Unplannable
from portal.jobs.rules import OBSTACLES
from portal.recordings import mirror, notices
from portal.recordings.filters import RecordingSelection
from portal.recordings.jobs.reading import READING
from portal.recordings.jobs.selection import TRASH, TrashRecordingsJob
from portal.recordings.mirror import RecordingFilter
from portal.recordings.models import RecordingStatus, RetentionRule, counted
from portal.translation import gettext as _, ngettext, number
from portal.translation.stored import Words, in_english
from portal.ui.numbers import size_in_words
from portal.work.queue import WorkQueue, single_turn

_EVERY = timedelta(days=1)


class Notice(NamedTuple):
    """Days in which hosts are told before a rule moves their recordings, and for how many days and
    how often they may keep one; without days they are not told."""

    notice_days: int = 0
    keep_days: int = 0
    keep_times: int = 0

    @classmethod
    def of(cls, rule: RetentionRule) -> Self:
        return cls(rule.notice_days, rule.keep_days, rule.keep_times)


NO_NOTICE = Notice()
_RULE = "rule"  # the parameter of a job that names its rule
_UNDONE = gettext_noop("Turned off, since its last run was undone.")
_WAITING = gettext_noop("Waiting for the list to be loaded.")
_NOTHING = gettext_noop("There was nothing to move.")
_RUNNING = gettext_noop("Running.")
_log = structlog.get_logger(__name__)


def _moved(count: int) -> str:
    return ngettext(
        "Moved %(count)s recording to the trash.",
        "Moved %(count)s recordings to the trash.",
        count,
    )


def _left(count: int) -> str:
    return ngettext(
        "%(count)s recording could not be moved.",
        "%(count)s recordings could not be moved.",
        count,
    )


def _told(count: int) -> str:
    return ngettext(
        "%(count)s host was told what will go.", "%(count)s hosts were told what will go.", count
    )


OUTCOMES: tuple[Words, ...] = (
    _moved,
    _left,
    _told,
    *(_UNDONE, _WAITING, _NOTHING, _RUNNING, *OBSTACLES.values()),
)


class RetentionRunJob(TrashRecordingsJob):
    """Moves recordings to the trash by a rule, without approval: the user who turned the rule on
    has given it.

    To undo the job needs approval, and turns the rule off, which would otherwise move the same
    recordings again.
    """

    name = "recordings.retention"

    def is_approved(self, job: Job) -> bool:
        return UNDOES not in job.parameters

    def plan(self, planning: Planning) -> None:
        if not RetentionRule.objects.filter(
            pk=planning.job.parameters[_RULE], is_active=True
        ).exists():
            raise Unplannable(_("The retention rule was turned off."))
        super().plan(planning)

    def finished(self, job: Job) -> None:
        rules = RetentionRule.objects.filter(pk=job.parameters[_RULE])
        if UNDOES in job.parameters:
            if job.items.filter(state=ItemState.DONE).exists():
                rules.update(is_active=False, outcome=_UNDONE)
            return
        done = job.items.filter(state=ItemState.DONE).count()
        rest = job.items.filter(state__in=(ItemState.FAILED, ItemState.INVALID)).count()
        with in_english():
            moved = _moved(done) % {"count": number(done)}
            left = _left(rest) % {"count": number(rest)}
        rules.update(outcome=f"{moved}\n{left}" if rest else moved)


def selection_of(rule: RetentionRule, within: int = 0) -> RecordingSelection:
    """Returns what the rule would move now, or `within` so many days: old enough, not in the trash
    and not on hold."""
    before = clock.now() - timedelta(days=max(rule.older_than - within, 0))
    wanted = RecordingFilter(
        statuses=[RecordingStatus.AVAILABLE.value, RecordingStatus.PARTLY.value],
        depts=[rule.dept] if rule.dept else [],
        groups=[rule.group_id] if rule.group_id else [],
        hosts=[rule.host_id] if rule.host_id else [],
        before=before.isoformat(),
        on_hold=False,
    )
    return RecordingSelection(wanted, str(rule))


def in_words(rule: RetentionRule, scope: Scope) -> str:
    """Returns what the rule would do, as far as the scope shows: "312 recordings, 1.2 TB"."""
    count, size = selection_of(rule).count_and_size(scope)
    return f"{counted(count)}, {size_in_words(size)}"


def _waiting() -> Q:
    """Returns the condition of rules that have not run for a day, or have told no host yet."""
    is_first = Q(notice_days__gt=0, noticed_at=None)
    return Q(is_active=True) & (Q(ran_at=None) | Q(ran_at__lt=clock.now() - _EVERY) | is_first)


RETENTION = WorkQueue(
    model=RetentionRule,
    task="recordings.run_rule",
    waiting=_waiting,
    length=lambda: timedelta(minutes=5),
    since=Coalesce("ran_at", "created_at", output_field=DateTimeField()),
    related=("owner", "connection__owner"),
    swept_every=1800.0,
    replaces=["recordings.run_retention"],
)


@app.task(name=RETENTION.task)
def run_rule(pk: int) -> bool:
    """Begins the job of a rule that is due. Returns whether there was one to begin."""
    with single_turn(RETENTION, pk) as rule:
        return rule is not None and _run(rule)
    return False


def _run(rule: RetentionRule) -> bool:
    if mirror.state_of(rule.connection).is_older_than(_EVERY):
        READING.request(rule.connection)  # and the rule is due until that has ended
        RetentionRule.objects.filter(pk=rule.pk).update(outcome=_WAITING)
        return False
    code = rule.obstacle(Recordings.delete)
    # Before the turn is taken: a process that is killed here tells the others the next time.
    told = _tell(rule) if rule.notice_days and not code else ""
    # A process of a release without leases finds the row unchanged, or this one does.
    own = RetentionRule.objects.filter(pk=rule.pk, ran_at=rule.ran_at, is_active=True)
    now = clock.now()
    if not own.update(ran_at=now, noticed_at=now, outcome=OBSTACLES.get(code, "")):
        return False
    if code:
        _log.warning("retention rule not run", rule=rule.pk, reason=code)
        return False
    chosen = selection_of(rule)
    if rule.notice_days:
        wanted = replace(chosen.wanted, ids=notices.due_uuids(rule))
        chosen = RecordingSelection(wanted, chosen.words)
    count, _size = chosen.count_and_size(scope_of(rule.owner, rule.connection))
    if not count:
        RetentionRule.objects.filter(pk=rule.pk).update(outcome=told or _NOTHING)
        return False
    job = services.draft(
        Origin(rule.owner),
        rule.connection,
        RetentionRunJob.name,
        JobTitle(
            lambda what: _("Retention: move %(counted)s to trash") % {"counted": what},
            lambda: counted(count),
        ),
        parameters={
            "chosen": chosen.as_parameters(),
            "action": TRASH,
            _RULE: rule.pk,
            SET_BY: rule.responsible,
        },
    )
    RetentionRule.objects.filter(pk=rule.pk).update(job=job, outcome=_RUNNING, ran_at=F("ran_at"))
    return True


def _tell(rule: RetentionRule) -> str:
    """Writes the notices of a run. Returns its outcome, empty if there was no host to tell."""
    scope = scope_of(rule.owner, rule.connection)
    count = notices.ask(rule, selection_of(rule, within=rule.notice_days).rows(scope).iterator())
    with in_english():
        return _told(count) % {"count": number(count)} if count else ""


def set_rule(
    origin: Origin,
    connection: Connection,
    *,
    older_than: int,
    dept: str = "",
    group_id: str = "",
    host_id: str = "",
    whose: str,
    notice: Notice = NO_NOTICE,
) -> RetentionRule:
    """Returns the rule with these values, or a new one, which does nothing until it is turned on;
    one that is on is turned off if its `notice` becomes another. `whose` is its scope, in words."""
    if origin.actor is None:
        raise ValueError("A rule needs an owner.")
    with transaction.atomic():
        rule, is_new = RetentionRule.objects.get_or_create(
            connection=connection,
            older_than=older_than,
            dept=dept,
            group_id=group_id,
            host_id=host_id,
            defaults={"owner": origin.actor, "set_by": origin.actor, "whose": whose}
            | notice._asdict(),
        )
        is_other = not is_new and Notice.of(rule) != notice
        if is_other:
            for name, value in notice._asdict().items():
                setattr(rule, name, value)
            rule.is_active, rule.set_by = False, origin.actor
            rule.save(update_fields=["is_active", "set_by", *Notice._fields])
        if is_new or is_other:
            record_retention(origin, Act.RETENTION_SET, rule)
    return rule


def turn_on(origin: Origin, rule: RetentionRule) -> None:
    """Has the rule carried out from now on, with the user who turns it on as its owner."""
    if origin.actor is None:
        raise ValueError("A rule needs an owner.")
    with transaction.atomic():
        rule.is_active, rule.owner = True, origin.actor
        # The release before this one runs what is due, and tells no host.
        rule.outcome, rule.ran_at = "", clock.now() if rule.notice_days else None
        rule.noticed_at = None
        rule.save(update_fields=["is_active", "owner", "outcome", "ran_at", "noticed_at"])
        notices.forget_notices(rule)
        record_retention(origin, Act.RETENTION_SET, rule)
        RETENTION.wake(rule.pk)


def turn_off(origin: Origin, rule: RetentionRule) -> None:
    with transaction.atomic():
        rule.is_active = False
        rule.save(update_fields=["is_active"])
        notices.forget_notices(rule)
        record_retention(origin, Act.RETENTION_SET, rule)


def remove_rule(origin: Origin, rule: RetentionRule) -> None:
    """Removes a rule; recordings in the trash stay there."""
    with transaction.atomic():
        record_retention(origin, Act.RETENTION_REMOVED, rule)
        rule.delete()


def record_retention(origin: Origin, act: Act, rule: RetentionRule) -> None:
    sent: dict[str, object] = {
        "older_than": rule.older_than,
        "whose": rule.whose or "everyone",
        "active": rule.is_active,
    }
    if rule.notice_days:
        sent |= Notice.of(rule)._asdict()
    label = str(rule)
    record(origin, act, object_id=rule.pk, label=label, connection=rule.connection, sent=sent)
