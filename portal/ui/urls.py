"""What the shell itself needs."""

from django.urls import path

from portal.ui.preferences import choose

app_name = "ui"

urlpatterns = [
    path("theme/", choose, {"name": "theme"}, name="theme"),
    path("density/", choose, {"name": "density"}, name="density"),
]
