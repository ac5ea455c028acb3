"""A view of a connection of which nobody has decided who gets in fails the start."""

import pytest
from django.http import HttpResponse
from django.test import RequestFactory, override_settings
from django.urls import path

from portal.connections.connected import NoOperation, connected
from portal.contract.users import Users
from portal.ui.views.connected import ConnectedView, undecided_views


class Decided(ConnectedView):
    needs = Users.list


class Forgotten(ConnectedView):
    """Says nothing."""


@connected(needs=Users.list)
def decided(_request):
    return HttpResponse()


@connected(needs=NoOperation("A test."))
def open_to_all(_request):
    return HttpResponse()


def forgotten(_request, connection):
    return HttpResponse(connection)


urlpatterns = [
    path("c/<str:connection>/decided/", Decided.as_view(), name="decided"),
    path("c/<str:connection>/given/", Forgotten.as_view(needs=Users.list), name="given"),
    path("c/<str:connection>/function/", decided, name="function"),
    path("c/<str:connection>/open/", open_to_all, name="open"),
    path("c/<str:connection>/forgotten/", Forgotten.as_view(), name="forgotten"),
    path("c/<str:connection>/bare/", forgotten, name="bare"),
    path("elsewhere/", forgotten, name="elsewhere"),
]


def test_every_view_of_the_portal_is_decided():
    assert undecided_views() == []


@override_settings(ROOT_URLCONF=__name__)
def test_a_view_that_says_nothing_fails_the_start():
    assert [error.msg for error in undecided_views()] == [
        "The view of forgotten does not say which operation it needs.",
        "The view of bare does not say which operation it needs.",
    ]


def test_a_view_that_says_nothing_lets_nobody_in(administrator, connection):
    request = RequestFactory().get("/")
    request.user = administrator
    with pytest.raises(Exception, match="Forgotten does not say which operation it needs"):
        Forgotten.as_view()(request, connection=connection.key)
