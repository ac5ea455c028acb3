"""The addresses of the pages about one session, the same for meetings and webinars."""

from django.urls import URLPattern, path

from portal.dashboards.services.session.board import Board
from portal.dashboards.views.session import participants, quality, sharing


def session_urls(board: Board) -> list[URLPattern]:
    """Under `<family>/<id>/`; the id is a UUID or a number."""
    spec, base = {"board": board}, f"{board.family}/<id:instance>/"
    name = board.noun
    return [
        path(base, participants.ParticipantsView.as_view(), spec, name=name),
        path(f"{base}sharing/", sharing.SharingView.as_view(), spec, name=f"{name}-sharing"),
        path(f"{base}quality/", quality.QualityTabView.as_view(), spec, name=f"{name}-quality"),
        path(
            f"{base}quality/<id:participant>/",
            quality.PersonQualityView.as_view(),
            spec,
            name=f"{name}-person",
        ),
        path(
            f"{base}participants/<slug:file>/",
            participants.ParticipantsFileView.as_view(),
            spec,
            name=f"{name}-export",
        ),
    ]
