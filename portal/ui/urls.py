"""Routes of the first page, preferences, columns and views of lists, files of the audit trail."""

from django.urls import include, path

from portal.ui import list_preferences
from portal.ui.preferences import choose, choose_locale
from portal.ui.views import accounts
from portal.ui.views.audit_export import export
from portal.ui.views.home import hide_steps, home, settings_overview

_preferences = [
    path("theme/", choose, {"name": "theme"}, name="theme"),
    path("locale/", choose_locale, name="locale"),
    path("density/", choose, {"name": "density"}, name="density"),
]
_lists = [
    path("<slug:name>/columns/", list_preferences.choose_columns, name="columns"),
    path("<slug:name>/views/", list_preferences.save_view, name="view-save"),
    path("<slug:name>/views/<int:pk>/", list_preferences.rename_view, name="view-rename"),
    path("<slug:name>/views/<int:pk>/delete/", list_preferences.delete_view, name="view-delete"),
]

urlpatterns = [
    path("", home, name="home"),
    path("accounts/", accounts.accounts, name="accounts"),
    path("accounts/in-need/", accounts.in_need, name="accounts-in-need"),
    path("accounts/switch/", accounts.switch, name="accounts-switch"),
    path("first-steps/<str:key>/", hide_steps, name="home-steps"),
    path("settings/", settings_overview, name="settings"),
    path("audit/export/<str:kind>/", export, name="audit-export"),
    path("preferences/", include((_preferences, "ui"))),
    path("c/<str:connection>/lists/", include((_lists, "lists"))),
]
