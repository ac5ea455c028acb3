"""Routes of a connection's mirrors."""

from django.urls import path

from portal.mirror.views import connection, signing

app_name = "mirror"
urlpatterns = [
    path("", connection.start, name="start"),
    path("search/", connection.everywhere, name="search"),
    path("loading/", connection.loading, name="loading"),
    path("loading/again/", connection.load, name="load"),
    path("changes/", signing.following, name="following"),
    path("changes/follow/", signing.follow, name="follow"),
    path("changes/signed/", signing.FollowSignedView.as_view(), name="follow-signed"),
    path("changes/signed/newest/", signing.forget_earlier, name="forget-earlier-secrets"),
    path("changes/unfollow/", signing.unfollow, name="unfollow"),
]
