"""Pages about meetings, under `/c/<connection>/meetings/`."""

from django.urls import include, path

from portal.meetings import views
from portal.meetings.domain import MEETINGS

app_name = "meetings"
spec = {"spec": MEETINGS}

urlpatterns = [
    path("", include("portal.sessions.session_urls"), spec),
    path("<id:session_id>/invitation/", views.invitation, spec, name="invitation"),
    path("<id:session_id>/livestream/", views.stream, spec, name="livestream"),
    path(
        "<id:session_id>/livestream/where/",
        views.ConfigureStreamView.as_view(),
        spec,
        name="livestream-place",
    ),
    path(
        "<id:session_id>/livestream/start/",
        views.StartStreamView.as_view(),
        spec,
        name="livestream-start",
    ),
    path(
        "<id:session_id>/livestream/stop/",
        views.StopStreamView.as_view(),
        spec,
        name="livestream-stop",
    ),
]
