"""The audit trail."""

from django.urls import path

from portal.audit import views

app_name = "audit"
urlpatterns = [
    path("", views.listing, name="trail"),
    path("<int:sequence>/", views.entry, name="entry"),
]
