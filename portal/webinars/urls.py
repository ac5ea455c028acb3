"""Pages about webinars: those of all sessions, and panelists."""

from django.urls import path

from portal.sessions.urls import urls_of
from portal.webinars.spec import WEBINARS
from portal.webinars.views import panelists

_PANELISTS = "<id:session_id>/panelists/"
urlpatterns = urls_of(
    WEBINARS,
    path(_PANELISTS, panelists.panelist_list, name="panelists"),
    path(f"{_PANELISTS}add/", panelists.AddPanelistsView.as_view(), name="panelists-add"),
    path(
        f"{_PANELISTS}remove-all/",
        panelists.RemoveAllPanelistsView.as_view(),
        name="panelists-remove-all",
    ),
    path(
        f"{_PANELISTS}<id:panelist_id>/remove/",
        panelists.RemovePanelistView.as_view(),
        name="panelist-remove",
    ),
)
