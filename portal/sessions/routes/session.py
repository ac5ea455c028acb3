"""The pages that every kind of session has. Each domain includes them with its `spec`."""

from django.urls import include, path

from portal.sessions.views import (
    change,
    create,
    history,
    links,
    listing,
    overview,
    removal,
    templates,
)
from portal.sessions.views.importing import SessionImportView

urlpatterns = [
    path("", listing.SessionListView.as_view(), name="list"),
    path("refresh/", listing.SessionListView.as_view(part="refresh"), name="refresh"),
    path("freshness/", listing.SessionListView.as_view(part="freshness"), name="freshness"),
    path("export/<slug:file>/", listing.SessionListView.as_view(part="export"), name="export"),
    *SessionImportView.paths(),
    path("create/", create.CreateSessionView.as_view(), name="create"),
    path("create/preview/", create.preview, name="create-preview"),
    path("create/look/", create.CreateSessionView.as_view(part="look"), name="create-look"),
    path("people/", create.people, name="people"),
    path("templates/", templates.listing, name="templates"),
    path(
        "templates/<int:template_id>/rename/",
        templates.RenameTemplateView.as_view(),
        name="template-rename",
    ),
    path(
        "templates/<int:template_id>/delete/",
        templates.DeleteSessionTemplateView.as_view(),
        name="template-delete",
    ),
    path("<id:session_id>/", overview.overview, name="session"),
    path("<id:session_id>/edit/", change.edit, name="edit"),
    path("<id:session_id>/edit/preview/", change.preview, name="edit-preview"),
    path("<id:session_id>/delete/", removal.DeleteSessionView.as_view(), name="delete"),
    path(
        "<id:session_id>/times/<id:occurrence_id>/delete/",
        removal.DeleteOccurrenceView.as_view(),
        name="delete-occurrence",
    ),
    path("<id:session_id>/end/", removal.EndSessionView.as_view(), name="end"),
    path("<id:session_id>/shown/", links.secrets, name="shown"),
    path("<id:session_id>/template/", templates.SaveTemplateView.as_view(), name="template-new"),
    path("<id:session_id>/calendar/", links.calendar, name="calendar"),
    path("<id:session_id>/history/", history.history, name="history"),
    path("<id:session_id>/registrants/", include("portal.sessions.routes.registrants")),
    path("<id:session_id>/polls/", include("portal.sessions.routes.polls")),
    path("<id:session_id>/held/", include("portal.sessions.routes.instances")),
    path("<id:session_id>/recordings/", include("portal.sessions.routes.recordings")),
]
