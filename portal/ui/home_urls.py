"""The page that the portal opens with."""

from django.urls import path

from portal.ui.views.home import home
from portal.ui.views.settings_overview import settings_overview

urlpatterns = [
    path("", home, name="home"),
    path("settings/", settings_overview, name="settings"),
]
