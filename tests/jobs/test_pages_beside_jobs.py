"""Pages while jobs write to the database: none waits for them."""

import time
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.db import connection as database, connections
from django.db.models import Count
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from portal.audit.models import AuditEntry, AuditHead
from portal.config import database as brief_locks
from portal.directory.groups import GROUPS
from portal.directory.users import USERS
from portal.jobs.models import Job, JobItem
from portal.mirror.models import MirrorState
from portal.mirror.rows import state_of
from portal.reports.services import fetching, storing
from portal.reports.services.sources import SOURCES
from portal.sign_in.session_store import SEEN
from tests.support.job_runs import drafted

PAGES = ("people:list", "people:licences", "groups:list", "meetings:list", "recordings:list")


@pytest.fixture
def old(connection):
    """A connection whose lists were read long ago, and not viewed since. Rows that are made when a
    page is first shown exist."""
    long_ago = timezone.now() - timedelta(hours=2)
    for kind in (USERS.name, GROUPS.name, "sessions", "recordings"):
        state = state_of(connection, kind)
        MirrorState.objects.filter(pk=state.pk).update(refreshed_at=long_ago, viewed_at=None)
    for source in SOURCES.values():
        storing.report_of(connection, source)
    return connection


@pytest.fixture
def soon(monkeypatch):
    monkeypatch.setattr(brief_locks, "_WAIT", 0.02)


@contextmanager
def writing():
    """Another process writes meanwhile: it has every lock that a job takes."""
    other = connections.create_connection("default")
    try:
        with other.cursor() as cursor:
            cursor.execute("BEGIN IMMEDIATE" if other.vendor == "sqlite" else "BEGIN")
            if other.vendor != "sqlite":
                for model in (MirrorState, AuditHead):
                    cursor.execute(f"SELECT 1 FROM {model._meta.db_table} FOR UPDATE")  # noqa: S608
            yield
            cursor.execute("ROLLBACK")
    finally:
        other.close()


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize("name", PAGES)
def test_page_does_not_wait_for_jobs_that_write(name, old, client):
    url = reverse(name, args=[old.key])
    before = AuditEntry.objects.count()
    with writing():
        assert client.get(url).status_code == 200
    assert AuditEntry.objects.count() == before
    assert not MirrorState.objects.exclude(viewed_at=None).exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("soon")
@pytest.mark.skipif(database.vendor != "sqlite", reason="no job locks what it writes elsewhere")
def test_report_that_cannot_be_begun_says_so(old, client, monkeypatch):
    monkeypatch.setattr(fetching, "_WINDOWS_AT_ONCE", 0)
    url = reverse("reports:hosts", args=[old.key])
    with writing():
        page = client.get(url)
    assert "Load the page again in a moment" in page.text
    assert not Job.objects.exists()
    assert "Load the page again in a moment" not in client.get(url).text
    assert Job.objects.count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("soon")
@pytest.mark.skipif(database.vendor != "sqlite", reason="no job locks sessions elsewhere")
def test_use_of_session_is_noted_once_database_is_free(old, client):
    session = client.session
    session[SEEN] = before = int(time.time()) - 300
    session.save()
    url = reverse("connections:list")
    with writing():
        assert client.get(url).status_code == 200
    assert client.session[SEEN] == before
    assert client.get(url).status_code == 200
    assert client.session[SEEN] > before


@pytest.mark.django_db(transaction=True)
def test_list_is_asked_for_once_the_database_is_free(old):
    USERS.mark_viewed(old)
    state = state_of(old, USERS.name)
    assert state.is_wanted
    assert state.viewed_at is not None


@pytest.mark.django_db
def test_fresh_list_that_was_just_viewed_is_only_read(connection, client):
    for _ in range(2):
        MirrorState.objects.update(refreshed_at=timezone.now(), requested_at=None)
        with CaptureQueriesContext(database) as asked:
            client.get(reverse("groups:list", args=[connection.key]))
    written = [each["sql"] for each in asked if not each["sql"].startswith("SELECT")]
    assert written == []


@pytest.mark.django_db
@pytest.mark.skipif(database.vendor != "sqlite", reason="a plan of SQLite's")
def test_items_of_jobs_are_counted_by_an_index_alone(connection):
    job = drafted(connection, ["a@example.com"])
    counts = JobItem.objects.filter(job__in=[job.pk]).values_list("job", "action", "state")
    plan = counts.annotate(count=Count("pk")).order_by().explain()
    assert "COVERING INDEX jobitem_action" in plan
    assert "TEMP B-TREE" not in plan
