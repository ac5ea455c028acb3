"""The job type that checks people or sub accounts against a baseline."""

from collections.abc import Sequence
from typing import Any

from portal.account.jobs import baseline_restore
from portal.account.models import Baseline
from portal.account.services.baselines import drifting, reach
from portal.account.services.baselines.comparing import GONE, Checked
from portal.account.services.subjects import KINDS
from portal.client import Api, NotFound
from portal.config import clock
from portal.contract.operation import Operation
from portal.jobs.job_types import Done, JobType
from portal.jobs.models import ItemState, Job, JobItem, JobState
from portal.jobs.planning import NewItem, Planning, Unplannable
from portal.translation import gettext as _
from portal.translation import gettext_lazy, ngettext, number

BASELINE = "baseline"  # the parameter of a job that names its baseline


class CheckBaselineJob(JobType):
    """`parameters` has the `baseline`, and the `kind` of its subjects, each of which is an item."""

    name = "account.baseline-check"
    noun = (gettext_lazy("target"), gettext_lazy("targets"))
    verbs = {"check": gettext_lazy("Check")}
    reads_only = True

    def needs(self, job: Job) -> Sequence[Operation[Any, Any]]:
        return [KINDS[job.parameters["kind"]].reading]

    def plan(self, planning: Planning) -> None:
        baseline = baseline_of(planning.job)
        if baseline is None:
            raise Unplannable(_("The baseline was deleted."))
        kind = baseline.kind
        for place, (key, label) in enumerate(
            reach.subjects_of(planning.scope, baseline, planning.api), start=1
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
        drifting.take_over(baseline, checked, clock.now())

    def finished(self, job: Job) -> None:
        """Says what came of it, and has it restored where there is a rule for that."""
        baseline = baseline_of(job)
        if baseline is None:
            return
        if Job.objects.filter(pk=job.pk, state=JobState.CANCELLED).exists():
            Baseline.objects.filter(pk=baseline.pk).update(outcome=_("The check was cancelled."))
            return
        asked = set(job.items.order_by().values_list("object_id", flat=True))
        drifting.forget_others(baseline, asked)
        words = _in_words(job, baseline, len(asked))
        Baseline.objects.filter(pk=baseline.pk).update(outcome=words, checked_at=clock.now())
        if baseline.is_active and baseline.brings_back:
            baseline_restore.bring_back_by_rule(baseline)

    def page_of(self, job: Job, item: JobItem) -> str:
        return KINDS[job.parameters["kind"]].url(job.connection.key, item.object_id)


def baseline_of(job: Job) -> Baseline | None:
    """The baseline that a job is about; None where it was deleted."""
    found = Baseline.objects.select_related("owner", "connection__owner")
    return found.filter(pk=job.parameters[BASELINE], connection=job.connection_id).first()


def unread(job: Job) -> list[JobItem]:
    """Those whom a check could not read."""
    return list(job.items.filter(state__in=(ItemState.FAILED, ItemState.UNKNOWN)))


def _in_words(job: Job, baseline: Baseline, asked: int) -> str:
    noun = KINDS[baseline.kind].noun
    if not asked:
        return _("There are no %(noun)s to check.") % {"noun": noun[1]}
    drifts = baseline.drifts.all()
    words = _("No drift.")
    if found := drifts.count():
        words = ngettext("%(settings)s differs.", "%(settings)s differ.", found) % {
            "settings": drifting.in_words(drifts, noun)
        }
    count = len(unread(job))
    if not count:
        return words
    missed = _("%(count)s %(noun)s could not be loaded.") % {
        "count": number(count),
        "noun": noun[count != 1],
    }
    return f"{words} {missed}"
