"""Pages about sessions: those of all kinds together, and those that each kind has."""

from django.urls import URLPattern, URLResolver, include, path

from portal.recordings.views import removal as recording_removal, sharing
from portal.sessions.policy.remediations import OFFERED
from portal.sessions.specs import SessionSpec
from portal.sessions.views import (
    calendar,
    change,
    create,
    instances,
    listing,
    overview,
    policy,
    polls,
    registrant_add,
    registrants,
    removal,
    templates,
    who_sees,
)
from portal.sessions.views.importing import RegistrantImportView, SessionImportView
from portal.sessions.views.instances import recordings, recordings_tab
from portal.ui.views.connected import paths_of

instances_urls = [
    path("", instances.instance_list, name="held"),
    path("<id:uuid>/", instances.instance, name="held-one"),
    path("<id:uuid>/export/<str:file>/", instances.export, name="held-export"),
]
polls_urls = [
    path("", polls.poll_list, name="polls"),
    path("new/", polls.AddPollView.as_view(), name="poll-new"),
    path("<id:poll_id>/", polls.ChangePollView.as_view(), name="poll"),
    path("<id:poll_id>/delete/", polls.DeletePollView.as_view(), name="poll-delete"),
]
_OF = "<id:uuid>/"
_FILE = f"{_OF}files/<id:file_id>/"
_TAB = {"whole_page": recordings_tab}
recordings_urls = [
    path("", recordings, name="recordings"),
    path(f"{_OF}settings/", sharing.settings, _TAB, name="recordings-settings"),
    path(f"{_OF}password/", sharing.password, _TAB, name="recordings-password"),
    path(f"{_OF}recover/", recording_removal.recover, name="recordings-recover"),
    path(
        f"{_OF}remove/<str:how>/",
        instances.RemoveInstanceRecordingView.as_view(),
        name="recordings-remove",
    ),
    path(f"{_FILE}recover/", recording_removal.recover_file, name="recording-recover"),
    path(
        f"{_FILE}remove/<str:how>/",
        recording_removal.RemoveFileView.as_view(),
        name="recording-remove",
    ),
]
registrants_urls = [
    path("", registrants.RegistrantListView.as_view(), name="registrants"),
    path("add/", registrant_add.AddRegistrantView.as_view(), name="registrant-add"),
    *RegistrantImportView.paths(name="registrants-import"),
    path(
        "export/<str:file>/",
        registrants.RegistrantListView.as_view(endpoint="export"),
        name="registrants-export",
    ),
    path("by-date/<str:file>/", registrants.export, name="registrants-by-date"),
    path("decide/<str:action>/", registrant_add.DecideView.as_view(), name="registrants-decide"),
    path("of/<id:registrant_id>/", registrants.registrant, name="registrant"),
]
_session_urls: list[URLPattern | URLResolver] = [
    *paths_of(listing.SessionListView),
    *SessionImportView.paths(),
    *paths_of(create.CreateSessionView, "create/", "create"),
    path("create/preview/", create.create_preview, name="create-preview"),
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
    path("<id:session_id>/shown/", overview.secrets, name="shown"),
    path("<id:session_id>/template/", templates.SaveTemplateView.as_view(), name="template-new"),
    path("<id:session_id>/calendar/", overview.calendar, name="calendar"),
    path("<id:session_id>/who-sees/", who_sees.WhoSeesSessionView.as_view(), name="who-sees"),
    path("<id:session_id>/history/", overview.history, name="history"),
    path("<id:session_id>/registrants/", include(registrants_urls)),
    path("<id:session_id>/polls/", include(polls_urls)),
    path("<id:session_id>/held/", include(instances_urls)),
    path("<id:session_id>/recordings/", include(recordings_urls)),
]


def urls_of(spec: SessionSpec, *own: URLPattern) -> list[URLPattern | URLResolver]:
    """Returns the pages of a kind, in the namespace of its family; `own` are those that only this
    kind has."""
    return [path("", include(([*_session_urls, *own], spec.family)), {"spec": spec})]


app_name = "sessions"
urlpatterns: list[URLPattern | URLResolver] = [
    *paths_of(calendar.CalendarView, "calendar/", "calendar"),
    *paths_of(policy.PolicyListView, "policy/", "policy"),
    *(
        path(
            f"policy/{each.name}/",
            policy.RemediateView.as_view(remediation=each),
            name=f"policy-{each.name}",
        )
        for each in OFFERED
    ),
]
