"""Pages about single changes of a connection's account, under `/c/<connection>/changes/`."""

from django.urls import path

from portal.jobs.views import undoing

app_name = "changes"

urlpatterns = [
    path("<int:change>/undo/", undoing.UndoChangeView.as_view(), name="undo"),
]
