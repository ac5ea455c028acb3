"""URLs of a user's list preferences, under `/c/<connection>/lists/`."""

from django.urls import path

from portal.ui import list_preferences as views

app_name = "lists"

urlpatterns = [
    path("<slug:name>/columns/", views.choose_columns, name="columns"),
    path("<slug:name>/views/", views.save_view, name="view-save"),
    path("<slug:name>/views/<int:pk>/", views.rename_view, name="view-rename"),
    path("<slug:name>/views/<int:pk>/delete/", views.delete_view, name="view-delete"),
]
