"""Pages about groups of one kind; where they stand says of which."""

from django.urls import path

from portal.people.views.groups import editing, group, listing, members, settings

app_name = "groups"

urlpatterns = [
    path("", listing.group_list, name="list"),
    path("refresh/", listing.refresh, name="refresh"),
    path("freshness/", listing.freshness, name="freshness"),
    path("create/", editing.CreateGroup.as_view(), name="create"),
    path("<id:group_id>/", group.group, name="group"),
    path("<id:group_id>/history/", group.history, name="history"),
    path("<id:group_id>/change/", editing.ChangeGroup.as_view(), name="change"),
    path("<id:group_id>/delete/", editing.DeleteGroup.as_view(), name="delete"),
    path("<id:group_id>/members/add/", members.add, name="members-add"),
    path("<id:group_id>/members/remove/", members.remove, name="members-remove"),
    path("<id:group_id>/members/settings/", settings.of_members, name="members-settings"),
]
