"""Routes of the shell itself."""

from django.urls import path

from portal.ui.preferences import choose, choose_locale

app_name = "ui"

urlpatterns = [
    path("theme/", choose, {"name": "theme"}, name="theme"),
    path("locale/", choose_locale, name="locale"),
    path("density/", choose, {"name": "density"}, name="density"),
]
