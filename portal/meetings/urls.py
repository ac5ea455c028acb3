"""Pages about meetings, under `/c/<connection>/meetings/`."""

from django.urls import include, path

from portal.meetings.spec import MEETINGS
from portal.meetings.views import invitation, livestream

app_name = "meetings"
spec = {"spec": MEETINGS}

urlpatterns = [
    path("", include("portal.sessions.routes.session"), spec),
    path("<id:session_id>/invitation/", invitation.invitation, spec, name="invitation"),
    path("<id:session_id>/livestream/", livestream.stream, spec, name="livestream"),
    path(
        "<id:session_id>/livestream/where/",
        livestream.ConfigureStreamView.as_view(),
        spec,
        name="livestream-place",
    ),
    path(
        "<id:session_id>/livestream/start/",
        livestream.StartStreamView.as_view(),
        spec,
        name="livestream-start",
    ),
    path(
        "<id:session_id>/livestream/stop/",
        livestream.StopStreamView.as_view(),
        spec,
        name="livestream-stop",
    ),
]
