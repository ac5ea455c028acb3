"""Saving and deleting the reports that are mailed to somebody, and what the audit trail keeps."""

from collections.abc import Collection, Iterator
from typing import Any

from django.db import transaction

from portal.access.audit import Act, record
from portal.access.models import Connection, User
from portal.access.origin import Origin
from portal.reports.models import ReportRun, SavedReport
from portal.translation import gettext as _


def save(origin: Origin, saved: SavedReport, recipients: Collection[User]) -> None:
    """Has it mailed to its owner, and to these people, from now on."""
    with transaction.atomic():
        saved.save()
        saved.recipients.set(recipients)
        sent: dict[str, Any] = {"frequency": saved.frequency}
        if recipients:
            sent["recipients"] = [person.email for person in recipients]
        _record(origin, Act.REPORT_SAVED, saved, sent)


def delete(origin: Origin, saved: SavedReport, *, because: str = "") -> None:
    """It is mailed no more, and its runs go too."""
    with transaction.atomic():
        _record(origin, Act.REPORT_DELETED, saved, sent={"reason": because} if because else {})
        saved.delete()


def note_mailed(run: ReportRun) -> None:
    """That it was mailed, with how many rows."""
    sent = {"first": str(run.first), "last": str(run.last), "rows": run.rows}
    _record(
        Origin(run.saved.owner, email=run.saved.owner.email), Act.REPORT_MAILED, run.saved, sent
    )


def _record(origin: Origin, act: Act, saved: SavedReport, sent: dict[str, Any]) -> None:
    about = {"report": saved.slug, "mailed_to": saved.owner.email}
    record(
        origin,
        act,
        object_id=saved.pk,
        label=saved.name,
        connection=saved.connection,
        sent={**about, **sent},
    )


def saved_reports(connection: Connection, user: User) -> Iterator[str]:
    for name in SavedReport.objects.filter(connection=connection, owner=user).values_list(
        "name", flat=True
    ):
        yield _("Saved report “%(name)s”, which is mailed to them") % {"name": name}
