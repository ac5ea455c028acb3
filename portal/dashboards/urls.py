"""Pages about what happens and what happened, under `/c/<connection>/dashboards/`."""

from django.urls import URLPattern, path

from portal.dashboards.services.session.readings import MEETINGS, WEBINARS, Board
from portal.dashboards.views import alerts, now
from portal.dashboards.views.past import MessagesView, PastSessionsView
from portal.dashboards.views.rooms import PortsFileView, PortsView, RoomListView, RoomPageView
from portal.dashboards.views.session import pages, quality, thresholds
from portal.dashboards.views.streams import (
    PersonBoardView,
    QualityBoardView,
    QualityParticipantsView,
)


def session_urls(board: Board) -> list[URLPattern]:
    """Under `<family>/<id>/`; the id is a UUID or a number."""
    spec, base = {"board": board}, f"{board.family}/<id:instance>/"
    name = board.noun
    return [
        path(base, pages.ParticipantsView.as_view(), spec, name=name),
        path(f"{base}sharing/", pages.SharingView.as_view(), spec, name=f"{name}-sharing"),
        path(f"{base}quality/", quality.QualityTabView.as_view(), spec, name=f"{name}-quality"),
        path(
            f"{base}quality/<id:participant>/",
            quality.PersonQualityView.as_view(),
            spec,
            name=f"{name}-person",
        ),
        path(
            f"{base}participants/<slug:file>/",
            pages.ParticipantsFileView.as_view(),
            spec,
            name=f"{name}-export",
        ),
    ]


app_name = "dashboards"

urlpatterns: list[URLPattern] = [
    *session_urls(MEETINGS),
    *session_urls(WEBINARS),
    path("thresholds/", thresholds.edit, name="thresholds"),
    path("", now.now, name="now"),
    path("curve/", now.curve, name="now-curve"),
    path("alerts/", alerts.alerts, name="alerts"),
    path("alerts/rules/new/", alerts.AddRuleView.as_view(), name="alert-rule-new"),
    path(
        "alerts/rules/<int:rule_id>/",
        alerts.EditRuleView.as_view(),
        name="alert-rule-edit",
    ),
    path(
        "alerts/rules/<int:rule_id>/delete/",
        alerts.DeleteRuleView.as_view(),
        name="alert-rule-delete",
    ),
    path("past/", PastSessionsView.as_view(), name="past"),
    path("past/more/", PastSessionsView.as_view(part="more"), name="past-more"),
    path("past/refresh/", PastSessionsView.as_view(part="refresh"), name="past-refresh"),
    path("past/export/<slug:file>/", PastSessionsView.as_view(part="export"), name="past-export"),
    path("quality/", QualityBoardView.as_view(), name="quality"),
    path("quality/read/", QualityBoardView.as_view(part="read"), name="quality-read"),
    path("quality/reading/", QualityBoardView.as_view(part="reading"), name="quality-reading"),
    path(
        "quality/export/<slug:file>/",
        QualityBoardView.as_view(part="export"),
        name="quality-export",
    ),
    path("quality/participants/", QualityParticipantsView.as_view(), name="quality-participants"),
    path(
        "quality/participants/export/<slug:file>/",
        QualityParticipantsView.as_view(part="export"),
        name="quality-participants-export",
    ),
    path("quality/people/<slug:person>/", PersonBoardView.as_view(), name="quality-person"),
    path("messages/", MessagesView.as_view(), name="messages"),
    path("messages/more/", MessagesView.as_view(part="more"), name="messages-more"),
    path("messages/refresh/", MessagesView.as_view(part="refresh"), name="messages-refresh"),
    path(
        "messages/export/<slug:file>/", MessagesView.as_view(part="export"), name="messages-export"
    ),
    path("ports/", PortsView.as_view(), name="ports"),
    path("ports/export/<slug:file>/", PortsFileView.as_view(), name="ports-export"),
    path("rooms/", RoomListView.as_view(), name="rooms"),
    path("rooms/export/<slug:file>/", RoomListView.as_view(part="export"), name="rooms-export"),
    path("rooms/<id:room_id>/", RoomPageView.as_view(), name="room"),
    path(
        "rooms/<id:room_id>/export/<slug:file>/",
        RoomPageView.as_view(part="export"),
        name="room-export",
    ),
    path("rooms/<id:room_id>/more/", RoomPageView.as_view(part="more"), name="room-more"),
    path("rooms/<id:room_id>/refresh/", RoomPageView.as_view(part="refresh"), name="room-refresh"),
]
