"""All reports, with what each shows."""

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.contract.reports import Reports
from portal.reports.definitions import REPORTS
from portal.ui.pages import page


@require_safe
@connected(needs=Reports.users)
def index(request: PortalRequest) -> HttpResponse:
    key = request.connection.key
    listed = [
        (
            report,
            reverse("reports:people" if report.has_subject else f"reports:{slug}", args=[key]),
        )
        for slug, report in REPORTS.items()
        if request.scope.may(report.needed())
    ]
    return page(request, "reports/index.html", {"reports": listed})
