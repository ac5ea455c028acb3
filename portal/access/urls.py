"""Connections, the team, and the audit trail."""

from django.urls import path

from portal.access.views import audit, connections, team

app_name = "access"
urlpatterns = [
    path("connections/", connections.listing, name="connections"),
    path("connections/new/", connections.new, name="connection-new"),
    path("connections/<str:key>/", connections.edit, name="connection"),
    path("connections/<str:key>/test/", connections.test, name="connection-test"),
    path("connections/<str:key>/remove/", connections.remove, name="connection-remove"),
    path("team/", team.listing, name="team"),
    path("team/invite/", team.invite, name="invite"),
    path("team/<int:pk>/", team.member, name="member"),
    path("team/<int:pk>/role/", team.role, name="member-role"),
    path("team/<int:pk>/deactivate/", team.deactivate, name="member-deactivate"),
    path("team/<int:pk>/activate/", team.activate, name="member-activate"),
    path("team/<int:pk>/sessions/", team.end_sessions, name="member-sessions"),
    path("team/<int:pk>/factors/", team.reset_factors, name="member-factors"),
    path("team/<int:pk>/link/", team.link, name="member-link"),
    path("audit/", audit.listing, name="audit"),
    path("audit/<int:sequence>/", audit.entry, name="audit-entry"),
    path("audit/export/<str:kind>/", audit.export, name="audit-export"),
]
