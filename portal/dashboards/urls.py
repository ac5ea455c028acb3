"""Pages about what happens and what happened, under `/c/<connection>/dashboards/`."""

from django.urls import URLPattern, path

from portal.dashboards.routes import session_urls
from portal.dashboards.services.session.board import MEETINGS, WEBINARS
from portal.dashboards.views import alerts, now
from portal.dashboards.views.messages import Messages
from portal.dashboards.views.past import PastSessions
from portal.dashboards.views.ports import Ports, PortsFile
from portal.dashboards.views.rooms import RoomList, RoomPage
from portal.dashboards.views.session import thresholds
from portal.dashboards.views.streams.board import QualityBoard, QualityParticipants
from portal.dashboards.views.streams.person import PersonBoard

app_name = "dashboards"

urlpatterns: list[URLPattern] = [
    *session_urls(MEETINGS),
    *session_urls(WEBINARS),
    path("thresholds/", thresholds.edit, name="thresholds"),
    path("", now.now, name="now"),
    path("curve/", now.curve, name="now-curve"),
    path("alerts/", alerts.alerts, name="alerts"),
    path("alerts/rules/new/", alerts.AddRule.as_view(), name="alert-rule-new"),
    path(
        "alerts/rules/<int:rule_id>/delete/", alerts.DeleteRule.as_view(), name="alert-rule-delete"
    ),
    path("past/", PastSessions.as_view(), name="past"),
    path("past/more/", PastSessions.as_view(part="more"), name="past-more"),
    path("past/refresh/", PastSessions.as_view(part="refresh"), name="past-refresh"),
    path("past/export/<slug:file>/", PastSessions.as_view(part="export"), name="past-export"),
    path("quality/", QualityBoard.as_view(), name="quality"),
    path("quality/read/", QualityBoard.as_view(part="read"), name="quality-read"),
    path("quality/reading/", QualityBoard.as_view(part="reading"), name="quality-reading"),
    path("quality/export/<slug:file>/", QualityBoard.as_view(part="export"), name="quality-export"),
    path("quality/participants/", QualityParticipants.as_view(), name="quality-participants"),
    path(
        "quality/participants/export/<slug:file>/",
        QualityParticipants.as_view(part="export"),
        name="quality-participants-export",
    ),
    path("quality/people/<slug:person>/", PersonBoard.as_view(), name="quality-person"),
    path("messages/", Messages.as_view(), name="messages"),
    path("messages/more/", Messages.as_view(part="more"), name="messages-more"),
    path("messages/refresh/", Messages.as_view(part="refresh"), name="messages-refresh"),
    path("messages/export/<slug:file>/", Messages.as_view(part="export"), name="messages-export"),
    path("ports/", Ports.as_view(), name="ports"),
    path("ports/export/<slug:file>/", PortsFile.as_view(), name="ports-export"),
    path("rooms/", RoomList.as_view(), name="rooms"),
    path("rooms/export/<slug:file>/", RoomList.as_view(part="export"), name="rooms-export"),
    path("rooms/<id:room_id>/", RoomPage.as_view(), name="room"),
    path(
        "rooms/<id:room_id>/export/<slug:file>/",
        RoomPage.as_view(part="export"),
        name="room-export",
    ),
    path("rooms/<id:room_id>/more/", RoomPage.as_view(part="more"), name="room-more"),
    path("rooms/<id:room_id>/refresh/", RoomPage.as_view(part="refresh"), name="room-refresh"),
]
