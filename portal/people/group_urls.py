"""Pages about groups of one kind; where they stand says of which."""

from django.urls import path

from portal.people.views.groups import editing, group, listing, members

app_name = "groups"

urlpatterns = [
    path("", listing.group_list, name="list"),
    path("refresh/", listing.refresh, name="refresh"),
    path("freshness/", listing.freshness, name="freshness"),
    path("create/", editing.create, name="create"),
    path("<str:group_id>/", group.group, name="group"),
    path("<str:group_id>/history/", group.history, name="history"),
    path("<str:group_id>/change/", editing.change, name="change"),
    path("<str:group_id>/delete/", editing.delete, name="delete"),
    path("<str:group_id>/members/add/", members.add, name="members-add"),
    path("<str:group_id>/members/remove/", members.remove, name="members-remove"),
]
