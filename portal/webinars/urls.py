"""Pages about webinars, under `/c/<connection>/webinars/`."""

from django.urls import include, path

from portal.webinars.kind import WEBINARS
from portal.webinars.views import panelists

app_name = "webinars"
kind = {"kind": WEBINARS}

urlpatterns = [
    path("", include("portal.sessions.routes.session"), kind),
    path("<str:session_id>/panelists/", panelists.panelist_list, kind, name="panelists"),
    path("<str:session_id>/panelists/add/", panelists.add, kind, name="panelists-add"),
    path(
        "<str:session_id>/panelists/remove-all/",
        panelists.remove_all,
        kind,
        name="panelists-remove-all",
    ),
    path(
        "<str:session_id>/panelists/<str:panelist_id>/remove/",
        panelists.remove,
        kind,
        name="panelist-remove",
    ),
]
