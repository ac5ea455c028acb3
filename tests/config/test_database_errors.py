"""Errors of a database are told apart by their codes, whatever class a driver gives them."""

import psycopg
import pytest
from django.db import InternalError, OperationalError, connection
from psycopg import errors

from portal.config.database_errors import Trouble, is_read_only, trouble_of
from portal.config.postgresql.base import DatabaseWrapper
from tests.support.database_faults import database_that_takes_nothing

POSTGRESQL = [
    (errors.ReadOnlySqlTransaction, Trouble.READ_ONLY),
    (errors.IdleInTransactionSessionTimeout, Trouble.BUSY),
    (errors.LockNotAvailable, Trouble.BUSY),
    (errors.DiskFull, Trouble.FULL),
    (errors.TooManyConnections, Trouble.CROWDED),
    (errors.AdminShutdown, Trouble.AWAY),
]


def raised(error: psycopg.Error) -> Exception:
    """Returns what Django raises for an error of psycopg."""
    wrapper = DatabaseWrapper({"NAME": "none"}, alias="none")
    with pytest.raises(Exception) as caught, wrapper.wrap_database_errors:  # noqa: PT011
        raise error
    return caught.value


@pytest.mark.parametrize(("error", "trouble"), POSTGRESQL)
def test_state_of_the_server_is_an_operational_error(error, trouble):
    result = raised(error("in another language"))
    assert isinstance(result, OperationalError)
    assert trouble_of(result) is trouble


def test_mistake_within_transaction_stays_one_of_the_program():
    assert isinstance(raised(errors.InFailedSqlTransaction("aborted")), InternalError)


def test_refused_connection_without_code_is_told_by_words():
    slots = "connection failed: FATAL: remaining connection slots are reserved"
    assert trouble_of(OperationalError(slots)) is Trouble.CROWDED


@pytest.mark.django_db(transaction=True)
def test_write_to_read_only_database_is_told_on_each_of_them():
    with database_that_takes_nothing(), connection.cursor() as cursor:
        with pytest.raises(OperationalError) as caught:
            cursor.execute("DELETE FROM work_outgoingmail")
        assert is_read_only(caught.value)
