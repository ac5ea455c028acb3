"""The mirror of people against a running service."""

import uuid
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from portal.client import Api
from portal.client.caller import HttpCaller
from portal.contract.users import (
    CreateAction,
    LicenceType,
    NewUser,
    NewUserInfo,
    RemovalAction,
    UserQuery,
    UserRemoval,
    UserStatus,
)
from portal.directory import users as mirror
from portal.directory.models import MirroredUser
from portal.directory.users import USERS, UserFilter
from portal.mirror import rows
from portal.mirror.mirrored_list import REFRESHES
from portal.mirror.models import MirrorState
from portal.mirror.refresh import refresh
from portal.translation import folded
from portal.work import queue
from tests.support.scopes import whole

pytestmark = pytest.mark.django_db


@pytest.fixture
def api(connection):
    """The service itself, past roles and audit."""
    return Api(HttpCaller(connection.target))


@pytest.fixture
def state(connection):
    return USERS.request(connection)


def _everyone(api):
    return {
        user.id: status.value
        for status in UserStatus
        for user in api.users.list.all(UserQuery(status=status, page_size=300))
    }


def _mirrored(connection):
    rows = MirroredUser.objects.filter(connection=connection)
    return dict(rows.values_list("user_id", "status"))


def _create(api):
    info = NewUserInfo(email=f"{uuid.uuid4()}@example.com", type=LicenceType.BASIC)
    return api.users.create(NewUser(action=CreateAction.CUST_CREATE, user_info=info)).id


def test_everyone_of_every_status_is_copied(connection, api, state):
    assert refresh(state.pk)
    assert _mirrored(connection) == _everyone(api)
    state.refresh_from_db()
    assert state.refreshed_at
    assert not state.is_wanted
    connection.refresh_from_db()
    assert connection.people == len(_everyone(api))


def test_who_has_gone_from_the_service_goes_from_the_copy(connection, api, state):
    gone = _create(api)
    refresh(state.pk)
    assert gone in _mirrored(connection)
    api.users.delete(gone, UserRemoval(action=RemovalAction.DELETE))
    refresh(USERS.request(connection).pk)
    assert _mirrored(connection) == _everyone(api)


def test_person_removed_while_list_is_read_does_not_come_back(connection, api, state, monkeypatch):
    gone = _create(api)
    store: Callable[..., int] = rows.store
    removed: list[str] = []

    def store_after_a_removal(*arguments):
        if not removed:
            removed.append(gone)
            api.users.delete(gone, UserRemoval(action=RemovalAction.DELETE))
            mirror.drop(connection, gone)
        return store(*arguments)

    monkeypatch.setattr(rows, "store", store_after_a_removal)
    refresh(state.pk)
    assert gone not in _mirrored(connection)
    assert _mirrored(connection) == _everyone(api)


def test_a_failed_refresh_keeps_the_old_copy_and_says_why(connection, api, state):
    refresh(state.pk)
    before = _mirrored(connection)
    connection.set_token("not-the-token")
    connection.save()
    refresh(USERS.request(connection).pk)
    state.refresh_from_db()
    assert state.failure
    assert state.refreshed_at
    assert not state.is_running
    assert _mirrored(connection) == before


def test_a_refresh_under_way_is_not_begun_a_second_time(state):
    MirrorState.objects.filter(pk=state.pk).update(
        lease=uuid.uuid4(), leased_until=timezone.now() + timedelta(seconds=30)
    )
    assert not refresh(state.pk)


def test_the_refresh_of_a_dead_worker_is_taken_over(connection, api, state):
    MirrorState.objects.filter(pk=state.pk).update(
        lease=uuid.uuid4(), leased_until=timezone.now() - timedelta(seconds=1)
    )
    assert refresh(state.pk)
    assert _mirrored(connection) == _everyone(api)


@pytest.fixture
def woken(monkeypatch):
    woken_for: list[int] = []
    monkeypatch.setattr(queue, "enqueue", lambda _task, key, **_: woken_for.append(key))
    return woken_for


def test_the_sweep_wakes_a_worker_again_for_a_lost_message(state, woken):
    assert REFRESHES.sweep() == 1
    assert woken == [state.pk]


def test_person_read_alone_keeps_status_that_only_lists_contain(connection, api, state):
    refresh(state.pk)
    inactive = MirroredUser.objects.filter(connection=connection, status="inactive").first()
    assert inactive
    mirror.put(connection, api.users.get(inactive.user_id))
    assert mirror.status_of(whole(connection), inactive.user_id) == "inactive"


def test_search_finds_all_words_in_any_order_and_any_case(connection, state):
    refresh(state.pk)
    person = MirroredUser.objects.exclude(first_name="").exclude(last_name="").first()
    assert person
    words = f"{person.last_name.upper()} {person.first_name.lower()}"
    found = mirror.find(whole(connection), UserFilter(search=words))
    assert person in found
    assert all(folded(person.last_name) in row.search for row in found)


@pytest.mark.parametrize("key", sorted(mirror.SORTS))
def test_each_sort_is_reverse_of_its_opposite_and_loses_nobody(connection, state, key):
    refresh(state.pk)
    upwards = [getattr(row, key) for row in mirror.find(whole(connection), UserFilter(), key)]
    downwards = [
        getattr(row, key) for row in mirror.find(whole(connection), UserFilter(), f"-{key}")
    ]
    assert len(upwards) == len(downwards) == MirroredUser.objects.count()
    if key == "name":
        upwards = [value.casefold() for value in upwards]
        downwards = [value.casefold() for value in downwards]
    assert upwards == downwards[::-1]
