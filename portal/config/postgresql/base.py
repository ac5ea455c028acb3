"""The module in which Django looks for a database's wrapper."""

from typing import Any

from django.db.backends.postgresql import base
from psycopg import OperationalError

from portal.config.network import Outage

_outage = Outage(OperationalError)


class DatabaseWrapper(base.DatabaseWrapper):
    """A page that finds no database asks for it several times, up to the words that say so."""

    def get_new_connection(self, conn_params: dict[str, object]) -> Any:
        with _outage.watched():
            return super().get_new_connection(conn_params)
