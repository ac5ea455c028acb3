"""Pages about webinars, under `/c/<connection>/webinars/`."""

from django.urls import include, path

from portal.webinars.spec import WEBINARS
from portal.webinars.views import panelists

app_name = "webinars"
spec = {"spec": WEBINARS}

urlpatterns = [
    path("", include("portal.sessions.routes.session"), spec),
    path("<id:session_id>/panelists/", panelists.panelist_list, spec, name="panelists"),
    path(
        "<id:session_id>/panelists/add/",
        panelists.AddPanelistsView.as_view(),
        spec,
        name="panelists-add",
    ),
    path(
        "<id:session_id>/panelists/remove-all/",
        panelists.RemoveAllPanelistsView.as_view(),
        spec,
        name="panelists-remove-all",
    ),
    path(
        "<id:session_id>/panelists/<id:panelist_id>/remove/",
        panelists.RemovePanelistView.as_view(),
        spec,
        name="panelist-remove",
    ),
]
