"""The portal's pages, and those of town halls."""

from django.urls import include, path

from portal.config.urls import (
    handler400,
    handler403,
    handler404,
    handler500,
    urlpatterns as of_the_portal,
)

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]
urlpatterns = [
    *of_the_portal,
    path("c/<str:connection>/townhalls/", include("tests.support.townhalls.urls")),
]
