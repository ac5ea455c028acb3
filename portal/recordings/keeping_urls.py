"""The route that is open to hosts without an account, by the links in their mails."""

from django.urls import path

from portal.recordings.views.keeping import keep

urlpatterns = [path("<str:token>/", keep, name="keep")]
