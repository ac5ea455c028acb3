"""Pages about the recordings of the account, under `/c/<connection>/recordings/`."""

from django.urls import path

from portal.recordings.views import recording, removal, retention, selection, sharing, who_sees
from portal.recordings.views.listing import RecordingListView, StorageView
from portal.recordings.views.selection import ACTIONS
from portal.recordings.views.sharing import of_itself
from portal.ui.views.connected import paths_of

app_name = "recordings"

_ONE = "<id:uuid>/"
_RULE = "retention/<int:retention_id>/"
_FILE = f"{_ONE}files/<id:file_id>/"
_PAGE = {"whole_page": recording.recording_page}

urlpatterns = [
    *paths_of(RecordingListView),
    *paths_of(StorageView, "storage/", "storage"),
    path("retention/", retention.rules, name="retention"),
    path("retention/new/", retention.NewRuleView.as_view(), name="retention-new"),
    path(f"{_RULE}", retention.rule, name="retention-rule"),
    path(f"{_RULE}on/", retention.TurnRetentionOnView.as_view(), name="retention-on"),
    path(f"{_RULE}off/", retention.TurnRetentionOffView.as_view(), name="retention-off"),
    path(f"{_RULE}remove/", retention.RemoveRuleView.as_view(), name="retention-remove"),
    *(
        path(f"chosen/{name.partition('-')[2]}/", view, name=name.partition(":")[2])
        for name, view in ACTIONS.items()
    ),
    path(f"of/{_ONE}hold/", selection.HoldRecordingView.as_view(), name="hold"),
    path(f"of/{_ONE}release/", selection.ReleaseRecordingView.as_view(), name="release"),
    path(f"of/{_ONE}who-sees/", who_sees.WhoSeesRecordingView.as_view(), name="who-sees"),
    path(f"of/{_ONE}", recording.recording, name="recording"),
    path(f"of/{_ONE}settings/", of_itself(sharing.settings), _PAGE, name="recordings-settings"),
    path(f"of/{_ONE}password/", of_itself(sharing.password), _PAGE, name="recordings-password"),
    path(f"of/{_ONE}recover/", of_itself(removal.recover), name="recordings-recover"),
    path(
        f"of/{_ONE}remove/<str:how>/",
        of_itself(removal.RemoveRecordingView.as_view()),
        name="recordings-remove",
    ),
    path(f"of/{_FILE}recover/", of_itself(removal.recover_file), name="recording-recover"),
    path(
        f"of/{_FILE}remove/<str:how>/",
        of_itself(removal.RemoveFileView.as_view()),
        name="recording-remove",
    ),
    path(f"of/{_FILE}<slug:how>/", recording.file_link, name="file"),
]
