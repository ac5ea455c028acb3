"""Kombu's transports, with two faults mended that end a worker.

In the embedded broker, messages are files in a directory. Kombu's own makes a message's file before
it writes it, and a worker may read an empty message. Here a file appears when it is whole.

With Redis, a worker may report the end of a task, or return messages, over a connection that was
closed meanwhile. Kombu's own looks the address up in the closed connection, and finds none. Celery
expects an error of the connection there, and gets one here. Redis delivers such messages again, and
a task whose row is done does nothing.
"""

import fcntl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty
from typing import Any
from uuid import uuid4

import structlog
from kombu.transport import filesystem, redis
from kombu.utils.encoding import bytes_to_str, str_to_bytes
from kombu.utils.json import dumps, loads
from redis.exceptions import ConnectionError as RedisConnectionError

_LISTEN = 0.5  # seconds

log = structlog.get_logger(__name__)


class RedisChannel(redis.Channel):
    def _connparams(self, asynchronous: bool = False) -> dict[str, object]:
        if getattr(self.connection, "client", None) is None:
            raise RedisConnectionError("The connection was closed.")
        params: dict[str, object] = super()._connparams(asynchronous=asynchronous)
        return params


class RedisTransport(redis.Transport):
    Channel = RedisChannel


class FileChannel(filesystem.Channel):
    def _put(self, queue: str, payload: object, **_options: object) -> None:
        name = f"{time.time_ns()}_{uuid4()}.{queue}.msg"
        _write_whole(Path(self.data_folder_out, name), str_to_bytes(dumps(payload)))

    def _get(self, queue: str) -> Any:
        for waiting in sorted(Path(self.data_folder_in).glob(f"*_*.{queue}.msg")):
            claimed = waiting.with_name(f".{waiting.name}.claimed")
            try:
                waiting.rename(claimed)
            except FileNotFoundError:
                continue  # another worker was faster
            text = bytes_to_str(claimed.read_bytes())
            claimed.unlink()
            try:
                return loads(text)
            except ValueError:
                log.error("broker_message_unreadable", message=waiting.name)
        raise Empty

    def _queue_bind(self, exchange: str, routing_key: str, pattern: str, queue: str) -> None:
        bound = filesystem.exchange_queue_t(routing_key or "", pattern or "", queue or "")
        with self._alone():
            table = self.get_table(exchange)
            if bound not in table:
                content = str_to_bytes(dumps([bound, *table]))
                _write_whole(Path(self.control_folder, f"{exchange}.exchange"), content)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        with Path(self.control_folder, "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


class FileTransport(filesystem.Transport):
    Channel = FileChannel

    def drain_events(self, connection: object, timeout: float | None = None) -> None:
        """Returns soon, so that a worker notices a request to stop."""
        super().drain_events(connection, timeout=min(timeout or _LISTEN, _LISTEN))


def _write_whole(path: Path, content: bytes) -> None:
    unfinished = path.with_name(f".{path.name}.{uuid4()}")
    unfinished.write_bytes(content)
    unfinished.replace(path)
