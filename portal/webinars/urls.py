"""Pages about webinars, under `/c/<connection>/webinars/`."""

from django.urls import include, path

from portal.webinars.spec import WEBINARS
from portal.webinars.views import panelists

app_name = "webinars"
kind = {"kind": WEBINARS}

urlpatterns = [
    path("", include("portal.sessions.routes.session"), kind),
    path("<id:session_id>/panelists/", panelists.panelist_list, kind, name="panelists"),
    path("<id:session_id>/panelists/add/", panelists.add, kind, name="panelists-add"),
    path(
        "<id:session_id>/panelists/remove-all/",
        panelists.RemoveAllPanelists.as_view(),
        kind,
        name="panelists-remove-all",
    ),
    path(
        "<id:session_id>/panelists/<id:panelist_id>/remove/",
        panelists.RemovePanelist.as_view(),
        kind,
        name="panelist-remove",
    ),
]
