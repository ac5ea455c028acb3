"""Files of the audit trail, under `/audit/export/`."""

from django.urls import path

from portal.ui.views.audit_trail import export

app_name = "audit"

urlpatterns = [
    path("<str:kind>/", export, name="export"),
]
