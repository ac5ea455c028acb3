"""The page that the portal opens with."""

from django.urls import path

from portal.ui.views.home import home, settings_overview

urlpatterns = [
    path("", home, name="home"),
    path("settings/", settings_overview, name="settings"),
]
