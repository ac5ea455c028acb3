"""The chat archive, under `/c/<connection>/chat/`."""

from django.urls import path

from portal.chat.views.conversations import Conversations
from portal.chat.views.messages import AllMessages, SessionMessages
from portal.chat.views.reason import EndReading, GiveReason

app_name = "chat"

urlpatterns = [
    path("reason/", GiveReason.as_view(), name="reason"),
    path("close/", EndReading.as_view(), name="close"),
    path("", Conversations.as_view(), name="list"),
    path("more/", Conversations.as_view(part="more"), name="list-more"),
    path("refresh/", Conversations.as_view(part="refresh"), name="list-refresh"),
    path("export/<slug:file>/", Conversations.as_view(part="export"), name="list-export"),
    path("messages/", AllMessages.as_view(), name="messages"),
    path("messages/more/", AllMessages.as_view(part="more"), name="messages-more"),
    path("messages/refresh/", AllMessages.as_view(part="refresh"), name="messages-refresh"),
    path(
        "messages/export/<slug:file>/", AllMessages.as_view(part="export"), name="messages-export"
    ),
    path("sessions/<id:chat_id>/", SessionMessages.as_view(), name="session"),
    path("sessions/<id:chat_id>/more/", SessionMessages.as_view(part="more"), name="session-more"),
    path(
        "sessions/<id:chat_id>/refresh/",
        SessionMessages.as_view(part="refresh"),
        name="session-refresh",
    ),
    path(
        "sessions/<id:chat_id>/export/<slug:file>/",
        SessionMessages.as_view(part="export"),
        name="session-export",
    ),
]
