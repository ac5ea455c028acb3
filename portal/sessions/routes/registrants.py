"""Pages about those who registered for a session."""

from django.urls import path

from portal.sessions.views import (
    registrant,
    registrant_add,
    registrant_decide,
    registrant_export,
    registrant_import,
    registrants,
)

urlpatterns = [
    path("", registrants.registrant_list, name="registrants"),
    path("add/", registrant_add.add, name="registrant-add"),
    path("import/", registrant_import.take, name="registrants-import"),
    path("export/<str:file>/", registrant_export.export, name="registrants-export"),
    path("decide/<str:action>/", registrant_decide.decide, name="registrants-decide"),
    path("of/<id:registrant_id>/", registrant.registrant, name="registrant"),
]
