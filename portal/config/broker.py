"""The embedded broker: messages are files in a directory.

Kombu's own file transport makes a message's file before it writes it, so that now and then a worker
reads an empty message, and ends. Here a file appears under its name when it is whole.
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
from kombu.transport import filesystem
from kombu.utils.encoding import bytes_to_str, str_to_bytes
from kombu.utils.json import dumps, loads

_LISTEN = 0.5

log = structlog.get_logger(__name__)


class Channel(filesystem.Channel):
    def _put(self, queue: str, payload: object, **_options: object) -> None:
        name = f"{time.time_ns()}_{uuid4()}.{queue}.msg"
        _write_whole(Path(self.data_folder_out, name), str_to_bytes(dumps(payload)))

    def _get(self, queue: str) -> Any:
        for waiting in sorted(Path(self.data_folder_in).glob(f"*_*.{queue}.msg")):
            taken = waiting.with_name(f".{waiting.name}.taken")
            try:
                waiting.rename(taken)
            except FileNotFoundError:
                continue  # another worker was faster
            text = bytes_to_str(taken.read_bytes())
            taken.unlink()
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


class Transport(filesystem.Transport):
    Channel = Channel

    def drain_events(self, connection: object, timeout: float | None = None) -> None:
        """Returns soon, so that a worker that was asked to stop sees it."""
        super().drain_events(connection, timeout=min(timeout or _LISTEN, _LISTEN))


def _write_whole(path: Path, content: bytes) -> None:
    unfinished = path.with_name(f".{path.name}.{uuid4()}")
    unfinished.write_bytes(content)
    unfinished.replace(path)
