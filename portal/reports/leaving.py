"""The saved reports that are sent to somebody who leaves, or that are about them."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import Q, QuerySet

from portal.access.models import Connection
from portal.client import Api
from portal.contract.operation import Operation
from portal.contract.reports import Reports
from portal.jobs.leaving import (
    LEAVE,
    REMOVE,
    SHOWN,
    HeldObjects,
    Holding,
    Inventory,
    Leaver,
    Option,
)
from portal.jobs.models import Job, JobItem
from portal.jobs.steps import NewStep, Step
from portal.reports.models import SavedReport
from portal.reports.services import saved_reports
from portal.translation import gettext as _
from portal.translation import gettext_lazy


class SavedReports(Holding):
    """Reports of this portal over the connection, which it keeps itself."""

    name, icon, place = "reports", "chart-column", 80
    title = gettext_lazy("Saved reports")
    options = (
        Option(REMOVE, gettext_lazy("Delete them, so that they are not sent any more")),
        Option(LEAVE, gettext_lazy("Leave them")),
    )

    @property
    def needs(self) -> Operation[Any, Any]:
        return Reports.daily

    def held(self, found: Inventory) -> HeldObjects:
        reports = list(_of(found.scope.connection, found.leaver))
        return HeldObjects(len(reports), first=[(one.name, _about(one)) for one in reports[:SHOWN]])

    def removal(self, found: Inventory) -> Iterable[NewStep]:
        for one in _of(found.scope.connection, found.leaver):
            values = {"name": one.name, "about": _about(one)}
            title = _("Saved report “%(name)s”, %(about)s") % values
            yield NewStep("reports.delete", str(one.pk), title, _("Deleted"))


class DeleteSavedReportStep(Step):
    name, verb = "reports.delete", gettext_lazy("Delete saved report")

    def carry_out(self, api: Api, item: JobItem) -> None:
        """Nothing is sent: the report is deleted in the transaction that records the step."""

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        keys = [int(item.data["target"]) for item in items]
        own = SavedReport.objects.filter(connection=job.connection, pk__in=keys)
        for saved in own.select_related("owner", "connection"):
            saved_reports.delete(job.origin, saved)


def _of(connection: Connection, leaver: Leaver) -> QuerySet[SavedReport]:
    wanted = Q(subject=leaver.id)
    if leaver.email:
        wanted |= Q(subject__iexact=leaver.email) | Q(owner__email__iexact=leaver.email)
    return SavedReport.objects.filter(wanted, connection=connection).select_related("owner")


def _about(report: SavedReport) -> str:
    return _("sent to %(email)s") % {"email": report.owner.email}
