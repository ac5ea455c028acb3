"""The page that the portal opens with."""

from django.urls import path

from portal.ui.views.home import home

urlpatterns = [path("", home, name="home")]
