"""Saving and deleting the reports that are mailed, with their entries in the audit trail."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet

from portal.access.http import Origin
from portal.access.models import Connection, User
from portal.audit.acts import Act
from portal.audit.trail import record
from portal.client import Api
from portal.contract.model import JsonDict
from portal.contract.operation import AnyOperation
from portal.contract.reports import Reports
from portal.jobs.models import Job, JobItem
from portal.jobs.offboarding import (
    LEAVE,
    REMOVE,
    SHOWN,
    Holding,
    HoldingSummary,
    Inventory,
    Leaver,
    Option,
)
from portal.jobs.steps import NewStep, Step
from portal.reports.models import ReportRun, SavedReport
from portal.translation import gettext as _, gettext_lazy


def save(origin: Origin, saved: SavedReport, recipients: Collection[User]) -> None:
    """Saves a report, which is mailed to its owner and to these recipients from now on."""
    with transaction.atomic():
        saved.save()
        saved.recipients.set(recipients)
        sent: JsonDict = {"frequency": saved.frequency}
        if recipients:
            sent["recipients"] = [person.email for person in recipients]
        _record(origin, Act.REPORT_SAVED, saved, sent)


def delete(origin: Origin, saved: SavedReport, *, because: str = "") -> None:
    """Deletes a saved report and its runs."""
    with transaction.atomic():
        _record(origin, Act.REPORT_DELETED, saved, sent={"reason": because} if because else {})
        saved.delete()


def record_mailed(run: ReportRun) -> None:
    sent = {"first": str(run.first), "last": str(run.last), "rows": run.rows}
    _record(
        Origin(run.saved.owner, email=run.saved.owner.email), Act.REPORT_MAILED, run.saved, sent
    )


def _record(origin: Origin, act: Act, saved: SavedReport, sent: JsonDict) -> None:
    about = {"report": saved.slug, "mailed_to": saved.owner.email}
    record(
        origin,
        act,
        object_id=saved.pk,
        label=saved.name,
        connection=saved.connection,
        sent={**about, **sent},
    )


def saved_reports(connection: Connection, user: User, since: datetime | None) -> Iterator[str]:
    own = SavedReport.objects.filter(connection=connection, owner=user)
    if since:
        own = own.filter(created_at__gte=since)
    for name in own.values_list("name", flat=True):
        yield _("Saved report “%(name)s”, which is mailed to them") % {"name": name}


class SavedReports(Holding):
    """Saved reports over the connection, which the portal itself stores."""

    name, icon, place = "reports", "chart-column", 80
    title = gettext_lazy("Saved reports")
    options = (
        Option(REMOVE, gettext_lazy("Delete them, so that they are not sent any more")),
        Option(LEAVE, gettext_lazy("Leave them")),
    )

    @property
    def needs(self) -> AnyOperation:
        return Reports.daily

    def summary(self, inventory: Inventory) -> HoldingSummary:
        reports = list(_of(inventory.scope.connection, inventory.leaver))
        return HoldingSummary(
            len(reports), first=[(one.name, _about(one)) for one in reports[:SHOWN]]
        )

    def removal(self, inventory: Inventory) -> Iterable[NewStep]:
        for one in _of(inventory.scope.connection, inventory.leaver):
            values = {"name": one.name, "about": _about(one)}
            title = _("Saved report “%(name)s”, %(about)s") % values
            called = _("“%(name)s”, %(about)s") % values
            yield NewStep("reports.delete", str(one.pk), title, _("Deleted"), object=called)


class DeleteSavedReportStep(Step):
    name, verb = "reports.delete", gettext_lazy("Delete saved report")

    def carry_out(self, api: Api, item: JobItem) -> None:
        """Nothing is sent: the report is deleted in the transaction that records the step."""

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        keys = [int(item.data["target"]) for item in items]
        own = SavedReport.objects.filter(connection=job.connection, pk__in=keys)
        for saved in own.select_related("owner", "connection"):
            delete(job.origin, saved)


def _of(connection: Connection, leaver: Leaver) -> QuerySet[SavedReport]:
    wanted = Q(subject=leaver.id)
    if leaver.email:
        wanted |= Q(subject__iexact=leaver.email) | Q(owner__email__iexact=leaver.email)
    return SavedReport.objects.filter(wanted, connection=connection).select_related("owner")


def _about(report: SavedReport) -> str:
    return _("sent to %(email)s") % {"email": report.owner.email}
