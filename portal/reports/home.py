"""Lines of the first page about saved reports that could not be sent the last time."""

from collections.abc import Sequence

from django.db.models import OuterRef, Subquery
from django.urls import reverse

from portal.access.models import User
from portal.access.scope import Scope
from portal.contract.reports import Reports
from portal.reports.models import ReportRun, RunState, SavedReport
from portal.translation import gettext as _
from portal.translation import gettext_lazy, number
from portal.ui.home import HomeItem, HomeLine, HomeLines, none_yet


def _read(user: User, scopes: Sequence[Scope]) -> HomeLines:
    lines = none_yet(scopes)
    last = ReportRun.objects.filter(saved=OuterRef("pk")).order_by("-pk")
    own = SavedReport.objects.filter(connection__in=list(lines), owner=user)
    failed = own.annotate(
        state=Subquery(last.values("state")[:1]),
        reason=Subquery(last.values("reason")[:1]),
        at=Subquery(last.values("created_at")[:1]),
    ).filter(state=RunState.FAILED)
    rows = list(failed.order_by("name").values_list("connection", "name", "reason", "at"))
    for scope in scopes:
        found = [row[1:] for row in rows if row[0] == scope.connection.pk]
        if not found:
            continue
        name, why, since = found[0]
        if len(found) > 1:
            words = _("%(count)s reports could not be sent") % {"count": number(len(found))}
            why, since = "", min(row[-1] for row in found)
        else:
            words = _("The report “%(name)s” could not be sent") % {"name": name}
        url = reverse("reports:saved", args=[scope.connection.key])
        lines[scope.connection.pk].append(HomeLine("bad", words, url, why, since))
    return lines


REPORTS = HomeItem(gettext_lazy("Reports"), 65, _read, needs=(Reports.daily,))
