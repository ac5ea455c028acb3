"""Connections of the cache to Redis, which are not made while it does not answer."""

from typing import Any

from redis import ConnectionPool
from redis.connection import Connection
from redis.exceptions import ConnectionError as Gone

from portal.config.network import Outage


class Pool(ConnectionPool):
    """A page asks the cache ten times: it waits for it once."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._outage = Outage(Gone)

    def get_connection(self, *_arguments: object, **_options: object) -> Connection:
        with self._outage.watched():
            return super().get_connection()
