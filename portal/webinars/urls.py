"""Pages about webinars, under `/c/<connection>/webinars/`."""

from django.urls import include, path

from portal.webinars import views
from portal.webinars.domain import WEBINARS

app_name = "webinars"
spec = {"spec": WEBINARS}

urlpatterns = [
    path("", include("portal.sessions.session_urls"), spec),
    path("<id:session_id>/panelists/", views.panelist_list, spec, name="panelists"),
    path(
        "<id:session_id>/panelists/add/",
        views.AddPanelistsView.as_view(),
        spec,
        name="panelists-add",
    ),
    path(
        "<id:session_id>/panelists/remove-all/",
        views.RemoveAllPanelistsView.as_view(),
        spec,
        name="panelists-remove-all",
    ),
    path(
        "<id:session_id>/panelists/<id:panelist_id>/remove/",
        views.RemovePanelistView.as_view(),
        spec,
        name="panelist-remove",
    ),
]
