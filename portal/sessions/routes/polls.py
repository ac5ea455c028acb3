"""Pages about a session's polls."""

from django.urls import path

from portal.sessions.views import polls

urlpatterns = [
    path("", polls.poll_list, name="polls"),
    path("new/", polls.add, name="poll-new"),
    path("<str:poll_id>/", polls.change, name="poll"),
    path("<str:poll_id>/delete/", polls.delete, name="poll-delete"),
]
