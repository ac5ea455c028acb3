"""Routes of a connection's mirrors."""

from django.urls import include, path

from portal.mirror.views import connection

_mirror = [
    path("", connection.start, name="start"),
    path("search/", connection.everywhere, name="search"),
    path("loading/", connection.loading, name="loading"),
    path("loading/again/", connection.load, name="load"),
]

urlpatterns = [
    path("c/<str:connection>/", include((_mirror, "mirror"))),
]
