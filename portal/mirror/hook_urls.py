"""Routes to which the service sends its notifications, outside of any connection's pages."""

from django.urls import path

from portal.mirror.views.receiver import hook

urlpatterns = [path("<slug:path>/", hook, name="hook")]
