"""The team."""

from django.urls import path

from portal.team.views import changes, members, roles, sessions

app_name = "team"
urlpatterns = [
    path("", members.listing, name="list"),
    path("invite/", members.invite, name="invite"),
    path("second-factor/", members.requirement, name="second-factor"),
    path("roles/", roles.listing, name="roles"),
    path("roles/new/", roles.new, name="role-new"),
    path("roles/<str:key>/", roles.role, name="role"),
    path("roles/<str:key>/edit/", roles.edit, name="role-edit"),
    path("roles/<str:key>/delete/", roles.delete, name="role-delete"),
    path("<int:pk>/", members.member, name="member"),
    path("<int:pk>/role/", members.role, name="member-role"),
    path("<int:pk>/deactivate/", members.deactivate, name="member-deactivate"),
    path("<int:pk>/activate/", members.activate, name="member-activate"),
    path("<int:pk>/sessions/", sessions.of_member, name="member-sessions"),
    path("<int:pk>/sessions/<str:handle>/end/", sessions.end_of_member, name="member-session-end"),
    path("<int:pk>/sign-ins/", sessions.member_sign_ins, name="member-sign-ins"),
    path("<int:pk>/factors/", members.reset_factors, name="member-factors"),
    path("<int:pk>/link/", members.link, name="member-link"),
    path("changes/<int:pk>/now/", changes.now, name="change-now"),
    path("changes/<int:pk>/withdraw/", changes.withdraw, name="change-withdraw"),
    path("changes/<int:pk>/stop/", changes.stop, name="change-stop"),
]
