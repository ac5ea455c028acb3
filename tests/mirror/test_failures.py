"""Whatever goes wrong while a list is read: it is said plainly, and the old copy stays whole."""

from contextlib import ExitStack, contextmanager
from datetime import timedelta

import pytest
from cryptography.fernet import Fernet
from django.db import connection as database
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from portal.access.models import Connection
from portal.client import RetryPolicy
from portal.connections import api
from portal.directory import users as mirror
from portal.directory.users import USERS, UserFilter
from portal.mirror import rows
from portal.mirror.mirrored_list import REFRESHES
from portal.mirror.models import MirrorState
from portal.mirror.refresh import refresh
from tests.support.fault_server import (
    Behaviour,
    answer,
    drip,
    garbage,
    reset,
    silence,
    truncated,
)
from tests.support.mirror_services import on_page, people_list, person
from tests.support.scopes import whole

PEOPLE = [person(number) for number in range(100)]
SIZE = 30
CHANGED = [{**one, "dept": "Physics"} for one in PEOPLE]
HTML = answer(200, body=b"<html>Bad gateway</html>", headers={"Content-Type": "text/html"})
TROUBLES = {
    "hanging": silence(),
    "dripping": drip(b"HTTP/1.1 200 OK\r\n" * 100, every=0.05),
    "down": answer(503, {"message": "Maintenance."}),
    "broken off": reset(after_reading=True),
    "a page of another kind": HTML,
    "not HTTP": garbage(),
    "cut short": truncated({"users": PEOPLE[:50], "total_records": 100}),
    "records that are none": answer(200, {"total_records": 900, "users": ["?", 7, None]}),
    "totals that are none": answer(200, {"total_records": "many", "users": {}}),
    "the token is no longer taken": answer(401, {"message": "Invalid access token."}),
}


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(api, "BACKGROUND", RetryPolicy(attempts=1, seconds=60))


def _copied(connection, people):
    """The mirror after a refresh that went well."""
    state = USERS.request(connection)
    assert refresh(state.pk)
    assert len(_departments(connection)) == len(people)
    return MirrorState.objects.get(pk=state.pk)


def _departments(connection):
    return dict(mirror.find(whole(connection), UserFilter()).values_list("user_id", "dept"))


@pytest.mark.django_db
@pytest.mark.parametrize("page", [1, 3], ids=["at once", "half way"])
@pytest.mark.parametrize("name", TROUBLES)
def test_trouble_with_the_service_is_said_and_loses_nobody(
    name, page, faulty, fault_server, settings
):
    fault_server.always(people_list(PEOPLE, size=SIZE))
    before = _copied(faulty, PEOPLE)
    trouble: Behaviour = TROUBLES[name]
    fault_server.always(on_page(page, trouble, people_list(CHANGED, size=SIZE)))
    usual, settings.API_TIMEOUT = settings.API_TIMEOUT, 0.3
    refresh(USERS.request(faulty).pk)
    settings.API_TIMEOUT = usual
    state = MirrorState.objects.get(pk=before.pk)
    assert state.failure
    assert (state.refreshed_at, state.is_running) == (before.refreshed_at, False)
    assert _departments(faulty).keys() == {one["id"] for one in PEOPLE}
    client = Client()
    client.force_login(faulty.owner)
    shown = client.get(reverse("people:list", args=[faulty.key])).content.decode()
    assert "u0@example.com" in shown
    assert escape(state.failure) in shown
    fault_server.always(people_list(CHANGED, size=SIZE))
    assert not _copied(faulty, CHANGED).failure
    assert set(_departments(faulty).values()) == {"Physics"}


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(database.vendor != "sqlite", reason="a limit that only SQLite has")
def test_a_full_disk_is_said_and_loses_nobody(faulty, fault_server):
    fault_server.always(people_list(PEOPLE, size=SIZE))
    before = _copied(faulty, PEOPLE)
    longer = [{**one, "dept": "Physics" * 100} for one in PEOPLE]
    fault_server.always(people_list(longer, size=SIZE))
    with database.cursor() as cursor:
        cursor.execute("PRAGMA page_count")
        [pages] = cursor.fetchone()
        cursor.execute(f"PRAGMA max_page_count={pages}")
        refresh(USERS.request(faulty).pk)
        cursor.execute("PRAGMA max_page_count=1073741823")
    state = MirrorState.objects.get(pk=before.pk)
    assert "disk is full" in state.failure
    assert state.refreshed_at == before.refreshed_at
    assert _departments(faulty).keys() == {one["id"] for one in PEOPLE}
    assert not _copied(faulty, longer).failure
    assert len(set(_departments(faulty).values())) == 1


@contextmanager
def _locked():
    """Locks the table of people, with a short timeout for others."""
    other = database.copy()
    with database.cursor() as own, other.cursor() as theirs:
        if database.vendor == "sqlite":
            own.execute("PRAGMA busy_timeout=1")
            theirs.execute("BEGIN IMMEDIATE")
        else:
            own.execute("SET lock_timeout='20ms'")
            theirs.execute("BEGIN")
            theirs.execute("LOCK TABLE mirror_mirroreduser")
        try:
            yield
        finally:
            theirs.execute("ROLLBACK")
            reset = "PRAGMA busy_timeout=20000" if database.vendor == "sqlite" else "RESET ALL"
            own.execute(reset)
    other.close()


@pytest.mark.django_db(transaction=True)
def test_locked_database_is_reported_and_next_try_succeeds(faulty, fault_server, monkeypatch):
    fault_server.always(people_list(PEOPLE, size=SIZE))
    before = _copied(faulty, PEOPLE)
    fault_server.always(people_list(CHANGED, size=SIZE))
    store, locks = rows.store, ExitStack()

    def store_and_lock(*arguments):
        count = store(*arguments)
        if not locks._exit_callbacks:
            locks.enter_context(_locked())
        return count

    with monkeypatch.context() as patch, locks:
        patch.setattr(rows, "store", store_and_lock)
        refresh(USERS.request(faulty).pk)
    state = MirrorState.objects.get(pk=before.pk)
    # If not even the failure could be written, the lease shows that no reading has finished.
    assert "busy" in state.failure or state.lease
    assert state.refreshed_at == before.refreshed_at
    assert _departments(faulty).keys() == {one["id"] for one in PEOPLE}
    MirrorState.objects.filter(lease=state.lease).update(
        leased_until=timezone.now() - timedelta(seconds=1), requested_at=timezone.now()
    )
    assert REFRESHES.sweep() == 1
    assert refresh(before.pk)
    assert set(_departments(faulty).values()) == {"Physics"}


@pytest.mark.django_db
def test_a_token_that_no_key_opens_is_said(faulty, fault_server):
    under_another = Fernet(Fernet.generate_key()).encrypt(b"token").decode()
    Connection.objects.filter(pk=faulty.pk).update(sealed_token=under_another)
    state = USERS.request(faulty)
    refresh(state.pk)
    state.refresh_from_db()
    assert "token" in state.failure
    assert not state.is_running
    assert fault_server.requests == []
