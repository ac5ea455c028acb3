"""Pages about what happens and what happened, under `/c/<connection>/dashboards/`."""

from django.urls import URLPattern, path

from portal.dashboards.services.session.readings import MEETINGS, WEBINARS, Board
from portal.dashboards.views import alerts, now
from portal.dashboards.views.past import MessagesView, PastSessionsView
from portal.dashboards.views.rooms import PortsView, RoomListView, RoomPageView
from portal.dashboards.views.session import pages, quality, thresholds
from portal.dashboards.views.streams import (
    PersonBoardView,
    QualityBoardView,
    QualityParticipantsView,
)
from portal.ui.views.connected import paths_of


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
    *paths_of(PastSessionsView, "past/", "past"),
    *paths_of(QualityBoardView, "quality/", "quality"),
    *paths_of(QualityParticipantsView, "quality/participants/", "quality-participants"),
    path("quality/people/<slug:person>/", PersonBoardView.as_view(), name="quality-person"),
    *paths_of(MessagesView, "messages/", "messages"),
    *paths_of(PortsView, "ports/", "ports"),
    *paths_of(RoomListView, "rooms/", "rooms"),
    *paths_of(RoomPageView, "rooms/<id:room_id>/", "room"),
]
