"""Connections, and the people with whom they are shared."""

from django.urls import path

from portal.connections.views import connections, elevation, sharing

app_name = "connections"
urlpatterns = [
    path("", connections.listing, name="list"),
    path("new/", connections.new, name="new"),
    path("scopes/", connections.scopes, name="scopes"),
    path("<str:key>/", connections.edit, name="connection"),
    path("<str:key>/check/", connections.check, name="check"),
    path("<str:key>/test/", connections.test, name="test"),
    path("<str:key>/used-up/", connections.used_up, name="used-up"),
    path("<str:key>/remove/", connections.remove, name="remove"),
    path("<str:key>/leave/", sharing.leave, name="leave"),
    path("<str:key>/elevation/", elevation.ask, name="elevation"),
    path("<str:key>/elevation/end/", elevation.give_back, name="elevation-end"),
    path("<str:key>/hand-over/", sharing.hand_over, name="hand-over"),
    path("<str:key>/shares/new/", sharing.new, name="share-new"),
    path("<str:key>/shares/<int:pk>/", sharing.edit, name="share"),
    path("<str:key>/shares/<int:pk>/limits/", sharing.limits, name="share-limits"),
    path("<str:key>/shares/<int:pk>/end/", sharing.change_end, name="share-end"),
    path("<str:key>/shares/<int:pk>/elevation/", elevation.decide, name="share-elevation"),
    path("<str:key>/shares/<int:pk>/remove/", sharing.revoke, name="share-remove"),
]
