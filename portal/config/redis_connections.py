"""Connections to Redis: of the broker, for workers that outlive them, and of the cache.

What a worker still has to say over a connection that was closed meanwhile (that a task has ended,
or which messages it gives back) ends it in Kombu's own transport: that looks up the address in the
closed connection, and finds none. Celery expects an error of the connection there, and gets one
here. Redis delivers such messages again, and a task that finds its row done does nothing.
"""

from typing import Any

from kombu.transport import redis
from redis import ConnectionPool
from redis.connection import Connection
from redis.exceptions import ConnectionError as Gone

from portal.config.network import Outage


class Channel(redis.Channel):
    def _connparams(self, asynchronous: bool = False) -> dict[str, object]:
        if getattr(self.connection, "client", None) is None:
            raise Gone("The connection was closed.")
        params: dict[str, object] = super()._connparams(asynchronous=asynchronous)
        return params


class Transport(redis.Transport):
    Channel = Channel


class Pool(ConnectionPool):
    """No connection of the cache is made while Redis does not answer: a page asks ten times, and
    waits once."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._outage = Outage(Gone)

    def get_connection(self, *_arguments: object, **_options: object) -> Connection:
        with self._outage.watched():
            return super().get_connection()
