"""Loading the lists of an account when it is connected, and every night."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.urls import reverse
from django.utils import timezone

from portal.access import availability
from portal.access.grants import scope_of
from portal.access.models import Connection
from portal.access.roles import Role
from portal.client import TimedOut
from portal.contract.users import Users
from portal.directory.users import USERS
from portal.jobs.models import Job
from portal.mirror import loading
from portal.mirror.models import MirrorState
from portal.mirror.refresh import refresh
from tests.support.fault_server import answer
from tests.support.html import text_of
from tests.support.loaded import all_loaded
from tests.support.portal import admin_client_for, member
from tests.support.scopes import whole
from tests.support.shares import share_with

pytestmark = pytest.mark.django_db


def load(connection):
    """Loads all as workers would; the jobs have their own tests."""
    jobs = set(Job.objects.values_list("kind", flat=True))
    assert jobs == {"account.load", "sessions.read"}
    for state in MirrorState.objects.filter(connection=connection):
        refresh(state.pk)
    unread = MirrorState.objects.filter(refreshed_at=None)
    assert {state.kind for state in unread} == {"sessions"}
    all_loaded(connection)
    MirrorState.objects.update(requested_at=None)


def test_all_lists_are_loaded_once_an_account_is_added(client, sandbox):
    given = {
        "name": "Sandbox",
        "base_url": sandbox.url,
        "way": "query",
        "token": sandbox.token,
        "colour": "blue",
    }
    answered = client.post(reverse("connections:new"), given)
    connection = Connection.objects.get()
    url = reverse("mirror:loading", args=[connection.key])
    assert answered["Location"] == reverse("connections:check", args=[connection.key])
    page = client.get(url).text
    assert "0 of 7 lists are loaded" in text_of(page)
    assert 'hx-trigger="every 1s' in page
    assert "The account is being loaded: 0 of 7 lists" in text_of(client.get("/").text)
    load(connection)
    page = client.get(url).text
    assert "7 of 7 lists are loaded" in text_of(page)
    assert "every 1s" not in page
    home = text_of(client.get("/").text)
    assert "lists are loaded" not in home
    assert "Not everything is loaded yet" not in home


def test_lists_already_loaded_are_not_loaded_at_beginning(connection):
    all_loaded(connection)
    loading.begin(connection)
    assert not Job.objects.exists()
    assert not MirrorState.objects.exclude(requested_at=None).exists()


def test_night_loads_one_list_of_a_connection_at_a_time(connection):
    all_loaded(connection)
    assert loading.load_due() == 0
    for kind in ("users", "groups"):
        old(connection, kind, refreshed_at=timezone.now() - timedelta(days=2))
    assert loading.load_due() == 1
    assert loading.load_due() == 0, "one is being loaded"
    assert MirrorState.objects.exclude(requested_at=None).get().kind == USERS.name


def old(connection, kind, **values):
    """A list that was read an hour ago, within a second."""
    at = timezone.now() - timedelta(hours=1)
    states = MirrorState.objects.filter(connection=connection, kind=kind)
    states.update(**{"refreshed_at": at, "took": 1.0, **values})


def wanted():
    return set(MirrorState.objects.exclude(requested_at=None).values_list("kind", flat=True))


def test_lists_looked_at_are_loaded_again_during_the_day(connection):
    all_loaded(connection)
    now = timezone.now()
    for kind in ("users", "groups"):
        old(connection, kind, viewed_at=now - timedelta(hours=2))
    old(connection, "storage", viewed_at=now - timedelta(days=2))
    assert loading.load_due() == 2
    assert wanted() == {"users", "groups"}


def test_list_that_takes_long_is_loaded_within_the_budget(connection):
    all_loaded(connection)
    now = timezone.now()
    old(connection, "users", viewed_at=now, took=1200.0)
    assert loading.load_due() == 1, "alone it may take half of the time"
    MirrorState.objects.update(requested_at=None)
    cache.clear()
    old(connection, "groups", viewed_at=now)
    assert loading.load_due() == 1
    assert wanted() == {"groups"}, "two share the budget"


def test_list_looked_at_is_the_next_of_the_first_sync(connection):
    all_loaded(connection)
    by_job = MirrorState.objects.filter(kind__in=("sessions", "recordings"))
    by_job.update(refreshed_at=None)
    assert [one.loaded_list.source.name for one in loading.in_turn(connection)] == ["sessions"]
    by_job.filter(kind="recordings").update(viewed_at=timezone.now())
    loading.begin(connection)
    assert wanted() == {"recordings"}
    assert not loading.in_turn(connection), "the other waits"


def test_failed_list_is_not_tried_again_at_once(connection):
    all_loaded(connection)
    users = MirrorState.objects.filter(kind=USERS.name)
    users.update(refreshed_at=None)
    assert loading.load_due() == 1
    users.update(requested_at=None, failure="No.")
    assert loading.load_due() == 0


def test_service_that_is_away_is_left_alone(connection):
    availability.record_health(connection.key, TimedOut(Users.list, "No answer"))
    assert loading.load_due() == 0


def test_lists_beyond_the_role_are_not_loaded(connect):
    connection = connect(member("viewer@example.com", Role.VIEWER))
    own = loading.progress_of([scope_of(connection.owner, connection)])[connection.pk]
    assert 0 < len(own) <= len(loading.progress_of([whole(connection)])[connection.pk])
    loading.begin(connection)
    begun = set(MirrorState.objects.values_list("kind", flat=True))
    assert begun == {one.loaded_list.source.name for one in own} - {"recordings"}


def test_what_the_service_does_not_offer_is_a_remark(faulty, fault_server):
    all_loaded(faulty)
    MirrorState.objects.filter(kind="storage").update(refreshed_at=None)
    fault_server.always(answer(200, {"code": 200, "message": "No permission."}))
    loading.begin(faulty)
    refresh(MirrorState.objects.get(kind="storage").pk)
    state = MirrorState.objects.get(kind="storage")
    assert state.failure or state.notes


def test_whoever_sees_a_part_is_told_without_counts(connection):
    colleague = member("cy@example.com", Role.ADMINISTRATOR)
    share_with(connection, colleague, Role.ADMINISTRATOR, departments=["Sales"])
    home = admin_client_for(colleague).get("/").text
    assert "Nothing needs you" not in home
    assert reverse("mirror:loading", args=[connection.key]) not in home


def test_old_lists_alone_are_loaded_when_asked(client, connection):
    all_loaded(connection)
    groups = MirrorState.objects.filter(kind="groups")
    groups.update(refreshed_at=timezone.now() - timedelta(days=1))
    client.post(reverse("mirror:load", args=[connection.key]))
    assert MirrorState.objects.exclude(requested_at=None).get().kind == "groups"
