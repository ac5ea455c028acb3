"""Routes of a connection's mirrors."""

from django.urls import path

from portal.mirror.views import following, loading, search, signing, start

app_name = "mirror"
urlpatterns = [
    path("", start.start, name="start"),
    path("search/", search.everywhere, name="search"),
    path("loading/", loading.loading, name="loading"),
    path("loading/again/", loading.load, name="load"),
    path("changes/", following.following, name="following"),
    path("changes/follow/", following.follow, name="follow"),
    path("changes/signed/", signing.FollowSignedView.as_view(), name="follow-signed"),
    path("changes/signed/newest/", signing.forget_earlier, name="forget-earlier-secrets"),
    path("changes/unfollow/", following.unfollow, name="unfollow"),
]
