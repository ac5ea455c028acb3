"""The job type that restores settings to a baseline."""

from collections.abc import Sequence

import structlog
from django.db.models import QuerySet

from portal.access.grants import Can, grant_of
from portal.access.origin import Origin
from portal.account.jobs.settings import ChangeSubjectSettingsJob
from portal.account.models import Baseline, Drift
from portal.account.services.baselines import drifting
from portal.account.services.subjects import KINDS
from portal.config import clock
from portal.contract.operation import Operation
from portal.jobs import services
from portal.jobs.models import OPEN, SET_BY, UNDOES, ItemState, Job, JobItem
from portal.jobs.planning import Planning, Unplannable
from portal.translation import gettext as _
from portal.translation import lazily

BASELINE, BY_RULE = "baseline", "by_rule"
_log = structlog.get_logger(__name__)


class RestoreBaselineJob(ChangeSubjectSettingsJob):
    """Restores the settings of subjects that differ from a `baseline`.

    Begun `by_rule` it needs no approval: whoever turned the rule on has given it. Undoing it takes
    one, and turns the rule off, which would else change the same again.
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
            own.filter(brings_back=True).update(
                brings_back=False, outcome=_("The rule was turned off, since a job was undone.")
            )
            own.update(wanted_at=clock.now())

    def _forget(self, job: Job, subject_ids: list[str]) -> None:
        baseline = Baseline.objects.filter(pk=job.parameters[BASELINE]).first()
        if baseline is not None:
            drifting.forget_settled(baseline, subject_ids, job.parameters["values"])


def obstacle(baseline: Baseline, operation: Operation[object, object]) -> str:
    """Why a baseline does nothing for its owner any more; mostly empty."""
    owner, connection = baseline.owner, baseline.connection
    if not owner.is_active:
        return _("Not run: the owner's account is deactivated.")
    scope = grant_of(owner, connection)
    if scope is None:
        return _("Not run: the owner no longer has this connection.")
    if not Can(scope).call(operation):
        return _("Not run: the owner's role or the connection no longer allows it.")
    return ""


def draft(
    origin: Origin, baseline: Baseline, drifts: "QuerySet[Drift]", *, by_rule: bool = False
) -> Job:
    """Begins the job that brings these settings back."""
    kind = KINDS[baseline.kind]
    names = set(drifts.order_by().values_list("setting", flat=True))
    targets = dict(drifts.order_by("subject", "pk").values_list("subject_id", "subject"))
    data = {
        "kind": baseline.kind,
        "targets": list(targets.items()),
        "values": {name: value for name, value in baseline.values.items() if name in names},
        BASELINE: baseline.pk,
        BY_RULE: by_rule,
        SET_BY: [pk for pk in {baseline.set_by_id, baseline.owner_id} if pk],
    }

    def title() -> str:
        values = {"baseline": baseline, "settings": drifting.in_words(drifts, kind.noun)}
        return _("Baseline %(baseline)s: restore %(settings)s") % values

    return services.draft(
        origin, baseline.connection, RestoreBaselineJob.name, lazily(title), parameters=data
    )


def bring_back_by_rule(baseline: Baseline) -> Job | None:
    """Begins the job where something differs, and nobody is at it."""
    drifts = baseline.drifts.all()
    if not drifts.exists() or open_job(baseline):
        return None
    words = obstacle(baseline, KINDS[baseline.kind].changing)
    if words:
        Baseline.objects.filter(pk=baseline.pk).update(outcome=f"{baseline.outcome} {words}")
        _log.warning("baseline not restored", baseline=baseline.pk, reason=words)
        return None
    return draft(Origin(baseline.owner, email=baseline.owner.email), baseline, drifts, by_rule=True)


def open_job(baseline: Baseline) -> Job | None:
    """The job that is restoring it, or awaits approval."""
    return jobs_of(baseline, RestoreBaselineJob.name).filter(state__in=OPEN).first()


def jobs_of(baseline: Baseline, *kinds: str) -> "QuerySet[Job]":
    """The baseline's jobs of these types, newest first."""
    own = Job.objects.filter(connection=baseline.connection, kind__in=kinds)
    return own.filter(parameters__baseline=baseline.pk)
