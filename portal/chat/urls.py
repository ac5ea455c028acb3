"""The chat archive, under `/c/<connection>/chat/`."""

from django.urls import path

from portal.chat.views import (
    AllMessagesView,
    ConversationsView,
    EndReadingView,
    GiveReasonView,
    SessionMessagesView,
)
from portal.ui.views.connected import paths_of

app_name = "chat"

urlpatterns = [
    path("reason/", GiveReasonView.as_view(), name="reason"),
    path("close/", EndReadingView.as_view(), name="close"),
    *paths_of(ConversationsView, name="list"),
    *paths_of(AllMessagesView, "messages/", "messages"),
    *paths_of(SessionMessagesView, "sessions/<id:chat_id>/", "session"),
]
