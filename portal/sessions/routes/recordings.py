"""Pages about what was recorded of a session. A time goes by its UUID, as those held do."""

from django.urls import path

from portal.sessions.views import recorded_removal, recordings

_OF = "<id:uuid>/"
_FILE = f"{_OF}files/<id:file_id>/"

urlpatterns = [
    path("", recordings.recordings, name="recordings"),
    path(f"{_OF}settings/", recordings.settings, name="recordings-settings"),
    path(f"{_OF}password/", recordings.password, name="recordings-password"),
    path(f"{_OF}recover/", recorded_removal.recover, name="recordings-recover"),
    path(f"{_OF}remove/<str:how>/", recorded_removal.remove, name="recordings-remove"),
    path(f"{_FILE}recover/", recorded_removal.recover_file, name="recording-recover"),
    path(f"{_FILE}remove/<str:how>/", recorded_removal.remove_file, name="recording-remove"),
]
