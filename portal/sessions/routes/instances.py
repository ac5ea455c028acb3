"""Pages about the times a session was held. A time goes by its UUID."""

from django.urls import path

from portal.sessions.views import instances

urlpatterns = [
    path("", instances.held_list, name="held"),
    path("<id:uuid>/", instances.held, name="held-one"),
    path("<id:uuid>/export/<str:file>/", instances.export, name="held-export"),
]
