"""Pages of reports, under `/c/<connection>/reports/`."""

from django.urls import URLPattern, path

from portal.reports.definitions import REPORTS
from portal.reports.views.report import PeopleView, ReportView, index
from portal.reports.views.saved import (
    DeleteReportView,
    EditReportView,
    SaveReportView,
    SendReportView,
    run_file,
    saved,
)
from portal.reports.views.session import SessionReportView, tabs_of
from portal.ui.views.connected import paths_of

app_name = "reports"


def _pages(slug: str) -> list[URLPattern]:
    base = f"{slug}/<id:person_id>/" if REPORTS[slug].has_subject else f"{slug}/"
    return paths_of(ReportView, base, slug, report=slug)


def _session_pages(family: str) -> list[URLPattern]:
    pages: list[URLPattern] = []
    for tab in tabs_of(family):
        base = f"{family}s/<id:instance>/" + (f"{tab.name}/" if tab.name else "")
        name = f"{family}-{tab.name}".rstrip("-")
        pages += paths_of(SessionReportView, base, name, family=family, tab=tab)
    return pages


urlpatterns: list[URLPattern] = [
    path("", index, name="index"),
    path("saved/", saved, name="saved"),
    path("saved/new/", SaveReportView.as_view(), name="saved-new"),
    path("saved/<int:saved_id>/edit/", EditReportView.as_view(), name="saved-edit"),
    path("saved/<int:saved_id>/delete/", DeleteReportView.as_view(), name="saved-delete"),
    path("saved/<int:saved_id>/send/", SendReportView.as_view(), name="saved-send"),
    path("saved/runs/<str:run_key>/file/", run_file, name="run-file"),
    path("people/", PeopleView.as_view(), name="people"),
    *(each for slug in REPORTS for each in _pages(slug)),
    *_session_pages("meeting"),
    *_session_pages("webinar"),
]
