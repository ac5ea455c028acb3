"""Pages about meetings: those of all sessions, the invitation and the live stream."""

from django.urls import path

from portal.meetings.spec import MEETINGS
from portal.meetings.views import invitation, livestream
from portal.sessions.urls import urls_of

_STREAM = "<id:session_id>/livestream/"
urlpatterns = urls_of(
    MEETINGS,
    path("<id:session_id>/invitation/", invitation.invitation, name="invitation"),
    path(_STREAM, livestream.stream, name="livestream"),
    path(f"{_STREAM}where/", livestream.ConfigureStreamView.as_view(), name="livestream-place"),
    path(f"{_STREAM}start/", livestream.StartStreamView.as_view(), name="livestream-start"),
    path(f"{_STREAM}stop/", livestream.StopStreamView.as_view(), name="livestream-stop"),
)
