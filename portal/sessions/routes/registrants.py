"""Pages about those who registered for a session."""

from django.urls import path

from portal.sessions.views import (
    registrant,
    registrant_add,
    registrant_decide,
    registrants,
    registrants_by_date,
)
from portal.sessions.views.importing import RegistrantImportView

urlpatterns = [
    path("", registrants.RegistrantListView.as_view(), name="registrants"),
    path("add/", registrant_add.AddRegistrantView.as_view(), name="registrant-add"),
    *RegistrantImportView.paths(name="registrants-import"),
    path(
        "export/<str:file>/",
        registrants.RegistrantListView.as_view(part="export"),
        name="registrants-export",
    ),
    path("by-date/<str:file>/", registrants_by_date.export, name="registrants-by-date"),
    path("decide/<str:action>/", registrant_decide.DecideView.as_view(), name="registrants-decide"),
    path("of/<id:registrant_id>/", registrant.registrant, name="registrant"),
]
