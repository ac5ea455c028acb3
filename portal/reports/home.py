"""What the first page says of saved reports: those that could not be sent the last time."""

from collections.abc import Iterator

from django.db.models import Count, Min, OuterRef, Subquery
from django.urls import reverse

from portal.access.models import Connection, User
from portal.contract.reports import Reports
from portal.reports.models import ReportRun, RunState, SavedReport
from portal.ui.home import HomeItem, HomeLine


def _read(user: User, connection: Connection) -> Iterator[HomeLine]:
    last = ReportRun.objects.filter(saved=OuterRef("pk")).order_by("-pk")
    own = SavedReport.objects.filter(connection=connection, owner=user)
    failed = own.annotate(
        state=Subquery(last.values("state")[:1]),
        reason=Subquery(last.values("reason")[:1]),
        at=Subquery(last.values("created_at")[:1]),
    ).filter(state=RunState.FAILED)
    found = failed.order_by().aggregate(
        count=Count("pk"), name=Min("name"), why=Min("reason"), since=Min("at")
    )
    url = reverse("reports:saved", args=[connection.key])
    if found["count"] == 1:
        words = f"The report “{found['name']}” could not be sent"
        yield HomeLine("bad", words, url, found["why"], found["since"])
    elif found["count"]:
        words = f"{found['count']:,} reports could not be sent"
        yield HomeLine("bad", words, url, since=found["since"])


REPORTS = HomeItem("Reports", 65, _read, needs=(Reports.daily,))
