"""The module in which Django looks for a database's wrapper."""

from typing import Any

from django.db import OperationalError as DatabaseOutOfOrder
from django.db.backends.postgresql import base
from django.db.utils import DatabaseErrorWrapper
from django.utils.functional import cached_property
from psycopg import OperationalError

from portal.config.network import Outage
from portal.config.postgresql import surplus

_outage = Outage(OperationalError)
# read_only_sql_transaction, idle_in_transaction_session_timeout, transaction_timeout
_OPERATIONAL = {"25006", "25P03", "25P04"}


class _Errors(DatabaseErrorWrapper):
    """Raises what the server's state is the cause of as `OperationalError`, as SQLite does: psycopg
    has it as `InternalError`, which is otherwise a mistake of the program's."""

    wrapper: "DatabaseWrapper"

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        if getattr(exc_value, "sqlstate", None) in _OPERATIONAL:
            self.wrapper.errors_occurred = True
            error = DatabaseOutOfOrder(*exc_value.args)
            raise error.with_traceback(traceback) from exc_value
        super().__exit__(exc_type, exc_value, traceback)


class DatabaseWrapper(base.DatabaseWrapper):
    """A page that finds no database asks for it several times, up to the words that say so."""

    def get_new_connection(self, conn_params: dict[str, object]) -> Any:
        with _outage.watched():
            result = super().get_new_connection(conn_params)
        surplus.opened(result)
        return result

    @cached_property
    def wrap_database_errors(self) -> _Errors:
        return _Errors(self)
