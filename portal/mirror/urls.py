"""What a connection's mirrors have pages for."""

from django.urls import path

from portal.mirror.views import following, search

app_name = "mirror"
urlpatterns = [
    path("search/", search.everywhere, name="search"),
    path("changes/", following.following, name="following"),
    path("changes/follow/", following.follow, name="follow"),
    path("changes/unfollow/", following.unfollow, name="unfollow"),
]
