"""What the shell itself needs."""

from django.urls import path

from portal.ui.preferences import choose
from portal.ui.zones import choose_zone

app_name = "ui"

urlpatterns = [
    path("theme/", choose, {"name": "theme"}, name="theme"),
    path("zone/", choose_zone, name="zone"),
    path("density/", choose, {"name": "density"}, name="density"),
]
