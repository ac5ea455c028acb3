"""Connections, the team, and the audit trail."""

from django.urls import path

from portal.access.views import audit, connections, sessions, sharing, team

app_name = "access"
urlpatterns = [
    path("account/sign-ins/", sessions.own_sign_ins, name="sign-ins"),
    path("account/sessions/", sessions.own, name="sessions"),
    path("account/sessions/end/", sessions.end_others, name="sessions-end-others"),
    path("account/sessions/<str:handle>/end/", sessions.end_own, name="session-end"),
    path("connections/", connections.listing, name="connections"),
    path("connections/new/", connections.new, name="connection-new"),
    path("connections/<str:key>/", connections.edit, name="connection"),
    path("connections/<str:key>/check/", connections.check, name="connection-check"),
    path("connections/<str:key>/test/", connections.test, name="connection-test"),
    path("connections/<str:key>/remove/", connections.remove, name="connection-remove"),
    path("connections/<str:key>/leave/", sharing.leave, name="connection-leave"),
    path("connections/<str:key>/hand-over/", sharing.hand_over, name="connection-hand-over"),
    path("connections/<str:key>/shares/new/", sharing.new, name="share-new"),
    path("connections/<str:key>/shares/<int:pk>/", sharing.edit, name="share"),
    path("connections/<str:key>/shares/<int:pk>/limits/", sharing.limits, name="share-limits"),
    path("connections/<str:key>/shares/<int:pk>/remove/", sharing.revoke, name="share-remove"),
    path("team/", team.listing, name="team"),
    path("team/invite/", team.invite, name="invite"),
    path("team/second-factor/", team.requirement, name="second-factor"),
    path("team/<int:pk>/", team.member, name="member"),
    path("team/<int:pk>/role/", team.role, name="member-role"),
    path("team/<int:pk>/deactivate/", team.deactivate, name="member-deactivate"),
    path("team/<int:pk>/activate/", team.activate, name="member-activate"),
    path("team/<int:pk>/sessions/", sessions.of_member, name="member-sessions"),
    path(
        "team/<int:pk>/sessions/<str:handle>/end/",
        sessions.end_of_member,
        name="member-session-end",
    ),
    path("team/<int:pk>/sign-ins/", sessions.member_sign_ins, name="member-sign-ins"),
    path("team/<int:pk>/factors/", team.reset_factors, name="member-factors"),
    path("team/<int:pk>/link/", team.link, name="member-link"),
    path("audit/", audit.listing, name="audit"),
    path("audit/<int:sequence>/", audit.entry, name="audit-entry"),
]
