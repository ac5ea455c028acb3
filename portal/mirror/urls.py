"""Routes of a connection's mirrors, and those to which the service sends its notifications."""

from django.urls import include, path

from portal.mirror.views import connection, receiver

_mirror = [
    path("", connection.start, name="start"),
    path("search/", connection.everywhere, name="search"),
    path("loading/", connection.loading, name="loading"),
    path("loading/again/", connection.load, name="load"),
    path("changes/", connection.following, name="following"),
    path("changes/follow/", connection.follow, name="follow"),
    path("changes/signed/", connection.FollowSignedView.as_view(), name="follow-signed"),
    path("changes/signed/newest/", connection.forget_earlier, name="forget-earlier-secrets"),
    path("changes/unfollow/", connection.unfollow, name="unfollow"),
]

urlpatterns = [
    path("hooks/<slug:path>/", receiver.hook, name="hook"),
    path("c/<str:connection>/", include((_mirror, "mirror"))),
]
