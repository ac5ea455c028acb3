"""Jobs that check people or sub accounts against a baseline or restore it, and when they begin."""

from collections.abc import Sequence
from datetime import timedelta

import structlog
from django.db import transaction
from django.db.models import DateTimeField, Q, QuerySet
from django.db.models.functions import Coalesce

from portal.access.http import Origin
from portal.account.baselines import results
from portal.account.baselines.results import drift_in_words, drift_result, result
from portal.account.baselines.services import (
    GONE,
    Checked,
    forget_others,
    forget_restored,
    store_drift,
    subjects_of,
)
from portal.account.models import Baseline, Drift
from portal.account.subjects import KINDS, PEOPLE, ChangeSubjectSettingsJob
from portal.client import Api, NotFound
from portal.config import clock
from portal.config.celery import app
from portal.contract.operation import AnyOperation
from portal.directory.users import USERS
from portal.jobs import services
from portal.jobs.job_types import Done, JobType
from portal.jobs.models import OPEN, SET_BY, UNDOES, ItemState, Job, JobItem, JobState
from portal.jobs.planning import NewItem, Planning, Unplannable
from portal.mirror.loading import last_night
from portal.translation import gettext as _, gettext_lazy, in_language_of, lazily
from portal.work.queue import WorkQueue, single_turn

BASELINE, BY_RULE = "baseline", "by_rule"
_log = structlog.get_logger(__name__)
_STORED = 10  # checks of a baseline


class RestoreBaselineJob(ChangeSubjectSettingsJob):
    """Restores the settings of subjects that differ from a `baseline`.

    A job `by_rule` needs no approval: the user who turned the rule on has given it. To undo the job
    needs approval, and turns the rule off, which would otherwise make the same changes again.
    """

    name = "account.baseline"

    def is_approved(self, job: Job) -> bool:
        return bool(job.parameters.get(BY_RULE)) and UNDOES not in job.parameters

    def plan(self, planning: Planning) -> None:
        given = planning.job.parameters
        if given.get(BY_RULE):
            rule = Baseline.objects.filter(pk=given[BASELINE], is_active=True, brings_back=True)
            if not rule.exists():
                raise Unplannable(_("The rule of this baseline was turned off."))
        super().plan(planning)

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        super().ended(job, items)
        if UNDOES not in job.parameters:
            self._forget(job, [item.object_id for item in items])

    def finished(self, job: Job) -> None:
        super().finished(job)
        if UNDOES not in job.parameters:
            as_wanted = job.items.filter(state=ItemState.UNCHANGED)
            self._forget(job, list(as_wanted.order_by().values_list("object_id", flat=True)))
        elif job.items.filter(state=ItemState.DONE).exists():
            own = Baseline.objects.filter(pk=job.parameters[BASELINE])
            own.filter(brings_back=True).update(brings_back=False, results=[result(results.UNDONE)])
            own.update(wanted_at=clock.now())

    def _forget(self, job: Job, subject_ids: list[str]) -> None:
        baseline = Baseline.objects.filter(pk=job.parameters[BASELINE]).first()
        if baseline is not None:
            forget_restored(baseline, subject_ids, job.parameters["values"])


def draft_restore(
    origin: Origin, baseline: Baseline, drifts: "QuerySet[Drift]", *, by_rule: bool = False
) -> Job:
    """Drafts the job that restores these settings."""
    kind = KINDS[baseline.kind]
    names = set(drifts.order_by().values_list("setting", flat=True))
    targets = dict(drifts.order_by("subject", "pk").values_list("subject_id", "subject"))
    data = {
        "kind": baseline.kind,
        "targets": list(targets.items()),
        "values": {name: value for name, value in baseline.values.items() if name in names},
        BASELINE: baseline.pk,
        BY_RULE: by_rule,
        SET_BY: baseline.responsible,
    }

    amount = drift_result(drifts)

    def title() -> str:
        values = {"baseline": baseline, "settings": drift_in_words(amount, kind.noun)}
        return _("Baseline %(baseline)s: restore %(settings)s") % values

    return services.draft(
        origin, baseline.connection, RestoreBaselineJob.name, lazily(title), parameters=data
    )


def bring_back_by_rule(baseline: Baseline) -> Job | None:
    """Drafts the job if there is drift that no other job restores."""
    drifts = baseline.drifts.all()
    restoring = jobs_of(baseline, RestoreBaselineJob.name).filter(state__in=OPEN)
    if not drifts.exists() or restoring.exists():
        return None
    code = baseline.obstacle(KINDS[baseline.kind].changing)
    if code:
        Baseline.objects.filter(pk=baseline.pk).update(results=[*baseline.results, result(code)])
        _log.warning("baseline not restored", baseline=baseline.pk, reason=code)
        return None
    return draft_restore(
        Origin(baseline.owner, email=baseline.owner.email), baseline, drifts, by_rule=True
    )


def jobs_of(baseline: Baseline, *kinds: str) -> "QuerySet[Job]":
    """Returns the baseline's jobs of these types, newest first."""
    own = Job.objects.filter(connection=baseline.connection, kind__in=kinds)
    return own.filter(parameters__baseline=baseline.pk)


class CheckBaselineJob(JobType):
    """Checks a baseline, an item a subject; `parameters` has the `baseline` and the `kind`."""

    name = "account.baseline-check"
    selects = {"kind": KINDS}
    noun = (gettext_lazy("target"), gettext_lazy("targets"))
    verbs = {"check": gettext_lazy("Check")}
    reads_only = True

    def needs(self, job: Job) -> Sequence[AnyOperation]:
        return [KINDS[job.parameters["kind"]].reading]

    def plan(self, planning: Planning) -> None:
        baseline = baseline_of(planning.job)
        if baseline is None:
            raise Unplannable(_("The baseline was deleted."))
        kind = baseline.kind
        for place, (key, label) in enumerate(
            subjects_of(planning.scope, baseline, planning.api), start=1
        ):
            planning.add(NewItem(place, label, "check", key, data={"kind": kind}))

    def carry_out(self, api: Api, item: JobItem) -> Done:
        try:
            return Done(value=KINDS[item.data["kind"]].read(api, item.object_id))
        except NotFound:
            return Done(message=GONE)

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        baseline = baseline_of(job)
        if baseline is None:
            return
        changes, wanted = KINDS[baseline.kind].catalog.changes, baseline.values
        checked = [
            Checked(item.object_id, item.label, changes(item.value, wanted) if item.value else [])
            for item in items
        ]
        store_drift(baseline, checked, clock.now())

    def finished(self, job: Job) -> None:
        """Stores the result, and has the drift restored if the rule is on."""
        baseline = baseline_of(job)
        if baseline is None:
            return
        if Job.objects.filter(pk=job.pk, state=JobState.CANCELLED).exists():
            Baseline.objects.filter(pk=baseline.pk).update(results=[result(results.CANCELLED)])
            return
        checked_ids = set(job.items.order_by().values_list("object_id", flat=True))
        forget_others(baseline, checked_ids)
        baseline.results = [result(results.NO_SUBJECTS)]
        if checked_ids:
            baseline.results = [drift_result(baseline.drifts.all())]
        if missed := len(unread(job)):
            baseline.results.append(result(results.UNREAD, count=missed))
        baseline.checked_at = clock.now()
        baseline.save(update_fields=["results", "checked_at"])
        if baseline.is_active and baseline.brings_back:
            bring_back_by_rule(baseline)

    def page_of(self, job: Job, item: JobItem) -> str:
        return KINDS[job.parameters["kind"]].url(job.connection.key, item.object_id)


def baseline_of(job: Job) -> Baseline | None:
    """Returns the baseline of a job; None if it was deleted."""
    stored = Baseline.objects.select_related("owner", "connection__owner")
    return stored.filter(pk=job.parameters[BASELINE], connection=job.connection_id).first()


def unread(job: Job) -> list[JobItem]:
    """Returns the items of subjects that a check could not read."""
    return list(job.items.filter(state__in=(ItemState.FAILED, ItemState.UNKNOWN)))


def request_check(baseline: Baseline) -> None:
    """Requests a check, which a worker begins."""
    Baseline.objects.filter(pk=baseline.pk).update(wanted_at=clock.now())
    CHECKS.wake(baseline.pk)


def _waiting() -> Q:
    """Returns the condition of baselines whose check is requested, or due this night."""
    night = last_night(clock.now())
    due = Q(is_active=True) & (Q(begun_at=None) | Q(begun_at__lt=night))
    return due | Q(wanted_at__isnull=False)


CHECKS = WorkQueue(
    model=Baseline,
    task="account.begin_check",
    waiting=_waiting,
    supported=lambda: Baseline.supported(KINDS),
    length=lambda: timedelta(minutes=1),
    since=Coalesce("wanted_at", "begun_at", "created_at", output_field=DateTimeField()),
    related=("owner", "connection__owner"),
    swept_every=60.0,
    replaces=["account.check_baselines"],
)


@app.task(name=CHECKS.task)
def begin_check(pk: int) -> bool:
    """Begins the check of a baseline. Returns whether there was one to begin."""
    with single_turn(CHECKS, pk) as baseline:
        if baseline is not None:
            with in_language_of(baseline.owner):
                return _begin(baseline)
    return False


def _begin(baseline: Baseline) -> bool:
    code = baseline.obstacle(KINDS[baseline.kind].reading)
    if not code and _waits(baseline):
        return False
    with transaction.atomic():
        # A process of a release without leases finds the row unchanged, or this one does.
        own = Baseline.objects.filter(
            pk=baseline.pk, begun_at=baseline.begun_at, wanted_at=baseline.wanted_at
        )
        begun = [result(code or results.CHECKING)]
        if not own.update(begun_at=clock.now(), wanted_at=None, results=begun):
            return False
        if code:
            _log.warning("baseline not checked", baseline=baseline.pk, reason=code)
            return False
        # Only the last checks are stored: each has a row for every subject.
        older = jobs_of(baseline, CheckBaselineJob.name).exclude(state__in=OPEN)
        keys = list(older.values_list("pk", flat=True)[_STORED - 1 :])
        Job.objects.filter(pk__in=keys).delete()
        job = services.draft(
            Origin(baseline.owner, email=baseline.owner.email),
            baseline.connection,
            CheckBaselineJob.name,
            lazily(lambda: _("Check baseline %(baseline)s") % {"baseline": baseline}),
            parameters={BASELINE: baseline.pk, "kind": baseline.kind},
        )
        Baseline.objects.filter(pk=baseline.pk).update(job=job)
    return True


def _waits(baseline: Baseline) -> bool:
    """Returns whether a check has to wait for the one before, or for the list of people."""
    for job in jobs_of(baseline, CheckBaselineJob.name).filter(state__in=OPEN):
        if job.state != JobState.PAUSED:
            return True
        services.cancel(job, Origin())
    if baseline.kind != PEOPLE.name:
        return False
    state = USERS.state_of(baseline.connection)
    if not state.is_older_than(USERS.stale_after):
        return False
    if not state.is_wanted:
        USERS.request(baseline.connection)
    waiting = [result(results.WAITING)]
    if state.failure:
        waiting.append(result(results.FAILED, words=state.failure))
    if baseline.results != waiting:
        Baseline.objects.filter(pk=baseline.pk).update(results=waiting)
    return True
