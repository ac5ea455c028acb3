"""Pages about a session's polls."""

from django.urls import path

from portal.sessions.views import polls

urlpatterns = [
    path("", polls.poll_list, name="polls"),
    path("new/", polls.AddPollView.as_view(), name="poll-new"),
    path("<id:poll_id>/", polls.ChangePollView.as_view(), name="poll"),
    path("<id:poll_id>/delete/", polls.DeletePollView.as_view(), name="poll-delete"),
]
