"""The tests' own database: a copy of the one that a run migrates once.

After a test with transactions of its own, only the tables are emptied that have rows. What Django
does empties all and fills in every permission anew, which costs as much as a page.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.db import connection, connections, transaction
from django.test import TransactionTestCase
from pytest_django import DjangoDbBlocker

from portal.audit import chain, trail
from portal.audit.models import FIRST_CHAIN, AuditHead
from portal.connections.calls import AuditedCaller
from portal.contract.operation import Call, Effect
from tests.support.ready_made import lay_out, portal_database, postgresql_template
from tests.support.services import Services


@pytest.fixture(scope="session")
def django_db_keepdb(
    django_db_keepdb: bool, django_db_modify_db_settings: None, services: Services
) -> bool:
    """Returns whether the database is there already, so that it is not made anew."""
    known = connections["default"].settings_dict
    if services.on_postgresql:
        known["TEST"]["TEMPLATE"] = postgresql_template(services.DATABASE_URL)
    if django_db_keepdb or not known["ENGINE"].endswith("sqlite3"):
        return django_db_keepdb
    path = Path(known["TEST"]["NAME"])
    for left in path.parent.glob(f"{path.name}*"):  # by an earlier run, and its log
        left.unlink()
    lay_out(portal_database(), path)
    return True


@pytest.fixture(scope="session", autouse=True)
def _emptied_where_there_are_rows() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", _empty)
        yield


@pytest.fixture(scope="session", autouse=True)
def _no_call_within_a_transaction() -> Iterator[None]:
    """Fails reads of the service while a transaction is open: it would hold its locks for as long
    as the service takes, and the database ends what does nothing for too long. Writes are refused
    by the caller itself."""
    check = AuditedCaller._check

    def checked(caller: AuditedCaller, call: Call[object]) -> None:
        blocks: list[Any] = connection.atomic_blocks
        own = [block for block in blocks if not block._from_testcase]
        is_read = call.operation.effect is Effect.READ
        assert not (own and is_read), f"{call.operation.name} is called within a transaction"
        check(caller, call)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(AuditedCaller, "_check", checked)
        yield


def _empty(test: TransactionTestCase) -> None:
    """Leaves what a database has that was just migrated."""
    for alias in test._databases_names(include_mirrors=False):  # type: ignore[attr-defined]
        connection = connections[alias]
        kept = {model._meta.db_table for model in (ContentType, Permission)}
        names = connection.introspection.django_table_names(only_existing=True, include_views=False)
        tables = [connection.ops.quote_name(name) for name in names if name not in kept]
        with transaction.atomic(using=alias), connection.cursor() as cursor:
            asked = ", ".join(f"EXISTS (SELECT 1 FROM {table})" for table in tables)  # noqa: S608
            cursor.execute(f"SELECT {asked}")
            for table, has_rows in zip(tables, cursor.fetchone(), strict=True):
                if has_rows:
                    # Constraints wait for the end of the transaction.
                    cursor.execute(f"DELETE FROM {table}")  # noqa: S608
            chain.seal_beginning()


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    """Leaves the trail one chain, whose numbers have no gaps by tests that are rolled back."""
    with django_db_blocker.unblock():
        if AuditHead.objects.exclude(pk=FIRST_CHAIN).delete()[0]:
            AuditHead.objects.all().delete()
            chain.seal_beginning()


@pytest.fixture(autouse=True)
def _no_end_waits() -> Iterator[None]:
    """Forgets the ends of calls that a test left for when its database takes them."""
    yield
    trail._waiting.clear()
