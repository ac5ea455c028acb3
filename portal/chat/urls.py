"""The chat archive, under `/c/<connection>/chat/`."""

from django.urls import path

from portal.chat.views import (
    AllMessagesView,
    ConversationsView,
    EndReadingView,
    GiveReasonView,
    SessionMessagesView,
)

app_name = "chat"

urlpatterns = [
    path("reason/", GiveReasonView.as_view(), name="reason"),
    path("close/", EndReadingView.as_view(), name="close"),
    path("", ConversationsView.as_view(), name="list"),
    path("more/", ConversationsView.as_view(part="more"), name="list-more"),
    path("refresh/", ConversationsView.as_view(part="refresh"), name="list-refresh"),
    path("export/<slug:file>/", ConversationsView.as_view(part="export"), name="list-export"),
    path("messages/", AllMessagesView.as_view(), name="messages"),
    path("messages/more/", AllMessagesView.as_view(part="more"), name="messages-more"),
    path("messages/refresh/", AllMessagesView.as_view(part="refresh"), name="messages-refresh"),
    path(
        "messages/export/<slug:file>/",
        AllMessagesView.as_view(part="export"),
        name="messages-export",
    ),
    path("sessions/<id:chat_id>/", SessionMessagesView.as_view(), name="session"),
    path(
        "sessions/<id:chat_id>/more/", SessionMessagesView.as_view(part="more"), name="session-more"
    ),
    path(
        "sessions/<id:chat_id>/refresh/",
        SessionMessagesView.as_view(part="refresh"),
        name="session-refresh",
    ),
    path(
        "sessions/<id:chat_id>/export/<slug:file>/",
        SessionMessagesView.as_view(part="export"),
        name="session-export",
    ),
]
