"""Pages about meetings, under `/c/<connection>/meetings/`."""

from django.urls import include, path

from portal.meetings.kind import MEETINGS
from portal.meetings.views import invitation, livestream

app_name = "meetings"
kind = {"kind": MEETINGS}

urlpatterns = [
    path("", include("portal.sessions.routes.session"), kind),
    path("<str:session_id>/invitation/", invitation.invitation, kind, name="invitation"),
    path("<str:session_id>/livestream/", livestream.stream, kind, name="livestream"),
    path("<str:session_id>/livestream/where/", livestream.configure, kind, name="livestream-place"),
    path("<str:session_id>/livestream/start/", livestream.start, kind, name="livestream-start"),
    path("<str:session_id>/livestream/stop/", livestream.stop, kind, name="livestream-stop"),
]
