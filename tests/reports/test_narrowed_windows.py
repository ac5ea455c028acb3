"""Reports that an earlier release may have kept narrowed are read anew after the upgrade."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection as database
from django.db.migrations.executor import MigrationExecutor

from portal.access.http import Origin
from portal.access.roles import Role
from portal.connections.services import shares
from portal.reports.models import StoredReport, StoredWindow
from portal.reports.services.fetching import ReportWindow, lacking
from portal.reports.services.sources import DAILY, HOSTS, PERSON, TELEPHONE
from portal.reports.windows import Span
from tests.support.shares import share_with

pytestmark = pytest.mark.deep

BEFORE = [("reports", "0004_folded")]


@pytest.fixture
def earlier(transactional_db):
    """The database before windows were marked."""
    MigrationExecutor(database).migrate(BEFORE)
    yield
    executor = MigrationExecutor(database)
    executor.migrate(executor.loader.graph.leaf_nodes())


def last_month():
    last = datetime.now(UTC).date().replace(day=1) - timedelta(days=1)
    return Span(last.replace(day=1), last)


def kept(connection, source, subject=""):
    report = StoredReport.objects.create(connection=connection, source=source.name, subject=subject)
    days = {"first": last_month().first, "last": last_month().last}
    StoredWindow.objects.create(
        report=report, read_at=datetime.now(UTC), reader="page 1", is_whole=True, **days
    )


def is_asked_again(connection, source, subject=""):
    return bool(lacking(connection, ReportWindow(source, last_month(), subject)))


@pytest.mark.usefixtures("earlier")
def test_reports_that_may_be_narrowed_are_read_anew(connect, administrator, operator):
    limited, ended, whole = (connect(administrator, name) for name in ("Now", "Once", "Never"))
    share_with(limited, operator, departments=["Sales"])
    seen, by = shares.version_of(ended), Origin(administrator)
    share = shares.give(by, ended, operator, Role.OPERATOR, seen=seen, limits={"groups": ["g1"]})
    share.delete()
    share_with(whole, operator, families=["meetings"])
    for connection in (limited, ended, whole):
        for source in (HOSTS, TELEPHONE, DAILY):
            kept(connection, source)
        kept(connection, PERSON, "u1")
    assert not is_asked_again(limited, HOSTS)
    executor = MigrationExecutor(database)
    executor.migrate(executor.loader.graph.leaf_nodes())
    for connection in (limited, ended):
        assert is_asked_again(connection, HOSTS)
        assert is_asked_again(connection, TELEPHONE)
        assert not is_asked_again(connection, DAILY)
        assert not is_asked_again(connection, PERSON, "u1")
    assert not any(is_asked_again(whole, source) for source in (HOSTS, TELEPHONE, DAILY))
