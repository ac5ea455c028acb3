"""Pages about what was recorded of a session. A time goes by its UUID, as those held do."""

from django.urls import path

from portal.recordings.views import removal, sharing
from portal.sessions.views.recordings import recordings, recordings_tab

_OF = "<id:uuid>/"
_FILE = f"{_OF}files/<id:file_id>/"
_TAB = {"whole_page": recordings_tab}

urlpatterns = [
    path("", recordings, name="recordings"),
    path(f"{_OF}settings/", sharing.settings, _TAB, name="recordings-settings"),
    path(f"{_OF}password/", sharing.password, _TAB, name="recordings-password"),
    path(f"{_OF}recover/", removal.recover, name="recordings-recover"),
    path(
        f"{_OF}remove/<str:how>/", removal.RemoveRecordingView.as_view(), name="recordings-remove"
    ),
    path(f"{_FILE}recover/", removal.recover_file, name="recording-recover"),
    path(f"{_FILE}remove/<str:how>/", removal.RemoveFileView.as_view(), name="recording-remove"),
]
