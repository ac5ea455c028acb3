"""Redis as the broker, for workers that outlive its connections.

What a worker still has to say over a connection that was closed meanwhile (that a task has ended,
or which messages it gives back) ends it in Kombu's own transport: that looks up the address in the
closed connection, and finds none. Celery expects an error of the connection there, and gets one
here. Redis delivers such messages again, and a task that finds its row done does nothing.
"""

from kombu.transport import redis
from redis.exceptions import ConnectionError as Gone


class Channel(redis.Channel):
    def _connparams(self, asynchronous: bool = False) -> dict[str, object]:
        if getattr(self.connection, "client", None) is None:
            raise Gone("The connection was closed.")
        params: dict[str, object] = super()._connparams(asynchronous=asynchronous)
        return params


class Transport(redis.Transport):
    Channel = Channel
