"""The pages that every kind of session has. Each domain includes them with its `kind`."""

from django.urls import include, path

from portal.sessions.views import (
    change,
    create,
    links,
    listing,
    overview,
    removal,
    session_import,
    templates,
)

urlpatterns = [
    path("", listing.sessions, name="list"),
    path("refresh/", listing.refresh, name="refresh"),
    path("freshness/", listing.freshness, name="freshness"),
    path("export/<slug:file>/", listing.export, name="export"),
    path("import/", session_import.take, name="import"),
    path("import/template.<slug:file>", session_import.template, name="import-template"),
    path("import/<slug:upload>/", session_import.columns, name="import-columns"),
    path("import/<slug:upload>/read/", session_import.read_again, name="import-read"),
    path("create/", create.create, name="create"),
    path("create/preview/", create.preview, name="create-preview"),
    path("create/look/", create.look, name="create-look"),
    path("people/", create.people, name="people"),
    path("templates/", templates.listing, name="templates"),
    path("templates/<int:template_id>/rename/", templates.rename, name="template-rename"),
    path("templates/<int:template_id>/delete/", templates.delete, name="template-delete"),
    path("<str:session_id>/", overview.overview, name="session"),
    path("<str:session_id>/edit/", change.edit, name="edit"),
    path("<str:session_id>/edit/preview/", change.preview, name="edit-preview"),
    path("<str:session_id>/delete/", removal.delete, name="delete"),
    path(
        "<str:session_id>/times/<str:occurrence_id>/delete/",
        removal.delete_occurrence,
        name="delete-occurrence",
    ),
    path("<str:session_id>/end/", removal.end, name="end"),
    path("<str:session_id>/shown/", links.secrets, name="shown"),
    path("<str:session_id>/template/", templates.keep, name="template-new"),
    path("<str:session_id>/calendar/", links.calendar, name="calendar"),
    path("<str:session_id>/registrants/", include("portal.sessions.routes.registrants")),
    path("<str:session_id>/polls/", include("portal.sessions.routes.polls")),
    path("<str:session_id>/held/", include("portal.sessions.routes.instances")),
    path("<str:session_id>/recordings/", include("portal.sessions.routes.recordings")),
]
