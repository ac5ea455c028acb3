"""Pages about groups, and the same once more about instant messaging groups."""

from django.urls import include, path

from portal.people.groups import group, listing, members
from portal.people.services.groups import GROUPS, IM_GROUPS
from portal.ui.views.connected import paths_of

_pages = [
    *paths_of(listing.GroupListView),
    path("create/", group.CreateGroupView.as_view(), name="create"),
    path("<id:group_id>/", group.MemberListView.as_view(), name="group"),
    path("<id:group_id>/history/", group.GroupHistoryView.as_view(), name="history"),
    path("<id:group_id>/change/", group.ChangeGroupView.as_view(), name="change"),
    path("<id:group_id>/delete/", group.DeleteGroupView.as_view(), name="delete"),
    path(
        "<id:group_id>/members/export/<slug:file>/",
        group.MemberListView.as_view(endpoint="export"),
        name="members-export",
    ),
    path(
        "<id:group_id>/members/compare/",
        group.MemberListView.as_view(endpoint="compare"),
        name="members-compare",
    ),
    path("<id:group_id>/members/add/", members.AddMembersView.as_view(), name="members-add"),
    path(
        "<id:group_id>/members/remove/", members.RemoveMembersView.as_view(), name="members-remove"
    ),
    path(
        "<id:group_id>/members/settings/",
        group.MemberSettingsView.as_view(),
        name="members-settings",
    ),
    path("<id:group_id>/members/move/", group.MoveMembersView.as_view(), name="members-move"),
]
urlpatterns = [
    path("im/", include((_pages, "groups"), namespace="im-groups"), {"kind": IM_GROUPS}),
    path("", include((_pages, "groups")), {"kind": GROUPS}),
]
