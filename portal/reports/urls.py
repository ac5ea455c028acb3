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

app_name = "reports"


def _pages(slug: str) -> list[URLPattern]:
    base = f"{slug}/<id:person_id>/" if REPORTS[slug].has_subject else f"{slug}/"
    return [
        path(base, ReportView.as_view(report=slug), name=slug),
        path(
            f"{base}refresh/",
            ReportView.as_view(report=slug, part="refresh"),
            name=f"{slug}-refresh",
        ),
        path(
            f"{base}export/<slug:file>/",
            ReportView.as_view(report=slug, part="export"),
            name=f"{slug}-export",
        ),
    ]


def _session_pages(family: str) -> list[URLPattern]:
    found = []
    for tab in tabs_of(family):
        base = f"{family}s/<id:instance>/" + (f"{tab.name}/" if tab.name else "")
        name = f"{family}-{tab.name}".rstrip("-")
        page = SessionReportView.as_view(family=family, tab=tab)
        file = SessionReportView.as_view(family=family, tab=tab, part="export")
        found += [
            path(base, page, name=name),
            path(f"{base}export/<slug:file>/", file, name=f"{name}-export"),
        ]
    return found


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
