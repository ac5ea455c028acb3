"""Cache whose contents are JSON, in Redis and in files: reading it runs nothing.

Django's own backends unpickle their contents: a writer to the cache could run any program. Here a
writer can at most change a value.
"""

import json
import os
import re
import tempfile
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.filebased import FileBasedCache
from django.core.files import locks
from django.utils.crypto import salted_hmac
from redis import ConnectionPool
from redis.connection import Connection
from redis.exceptions import ConnectionError as RedisConnectionError

from portal.config.network import Outage

_KIND = re.compile(r"[a-z][a-z_-]*")
_CULL_EVERY = 60.0  # seconds between two searches for expired files
_next_cull: dict[str, float] = {}


def key_of(key: str, prefix: str, version: int) -> str:
    """Returns the key under which a value is stored: what it is of, and a digest of the rest, which
    can name accounts, people and addresses in any characters."""
    kind = _KIND.match(key)
    digest = salted_hmac("portal.config.json_cache", key, algorithm="sha256").hexdigest()
    return f"{prefix}:{version}:{kind[0] if kind else ''}:{digest}"


class RedisPool(ConnectionPool):
    """Connections of the cache to Redis: while it does not answer, none is made, since a page would
    try ten times."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._outage = Outage(RedisConnectionError)

    def get_connection(self, *_arguments: object, **_options: object) -> Connection:
        with self._outage.watched():
            return super().get_connection()


class Serializer:
    """Serializer of Django's Redis backend. Whole numbers stay as such, which Redis can add to."""

    def dumps(self, value: object) -> bytes | int:
        """Returns the value as JSON. Raises `TypeError` for one that JSON changes, such as a
        tuple."""
        if type(value) is int:
            return value
        written = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        if json.loads(written) != value:
            raise TypeError(f"{type(value).__name__} does not come back from JSON as it was")
        return written.encode("utf-8", "surrogatepass")

    def loads(self, content: bytes) -> Any:
        return json.loads(content.decode("utf-8", "surrogatepass"))


class FileCache(FileBasedCache):
    """Cache of files: a line with the expiry, and the value. Any other file counts as expired.

    Values stay until they expire, unless there are far too many: counts of failed sign-ins and used
    codes are stored here. Django's removes any third of 300 entries.
    """

    _serializer = Serializer()
    # Attributes of Django's class that its stubs lack.
    _dir: str
    _max_entries: int
    _createdir: Callable[[], None]
    _key_to_file: Callable[..., str]
    _list_cache_files: Callable[[], list[str]]
    _delete: Callable[[str], bool]

    def add(
        self,
        key: object,
        value: object,
        timeout: float | None = DEFAULT_TIMEOUT,
        version: int | None = None,
    ) -> bool:
        """Adds a value. Only one of several simultaneous calls succeeds: locks rely on it."""
        if self.has_key(key, version):
            return False
        self._createdir()
        handle, written = tempfile.mkstemp(dir=self._dir)
        try:
            with os.fdopen(handle, "wb") as file:
                self._write_content(file, timeout, value)
            os.link(written, self._key_to_file(key, version))
        except FileExistsError:
            return False
        finally:
            Path(written).unlink()
        return True

    def _cull(self) -> None:
        """Removes expired files and, if there are far too many, those that expire next."""
        now = time.monotonic()
        if now < _next_cull.get(self._dir, 0.0):
            return
        _next_cull[self._dir] = now + _CULL_EVERY
        lasting = []
        for path in self._list_cache_files():
            until = _until(Path(path))
            if until < time.time():
                self._delete(path)
            else:
                lasting.append((until, path))
        for _, path in sorted(lasting)[: max(len(lasting) - self._max_entries, 0)]:
            self._delete(path)

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        try:
            with Path(self._key_to_file(key, version)).open("rb") as file:
                return default if self._is_expired(file) else self._value(file)
        except FileNotFoundError:
            return default
        except (ValueError, zlib.error):
            self.delete(key, version)
            return default

    def touch(
        self, key: object, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None
    ) -> bool:
        missing = object()
        value = self.get(key, missing, version)
        if value is missing:
            return False
        self.set(key, value, timeout, version)
        return True

    def incr(self, key: object, delta: int = 1, version: int | None = None) -> int:
        """Adds to a number, which keeps its expiry; simultaneous calls lose nothing."""
        self._createdir()
        with (Path(self._dir) / "incr.lock").open("wb") as lock:
            locks.lock(lock, locks.LOCK_EX)
            try:
                with Path(self._key_to_file(key, version)).open("rb") as file:
                    seconds = _expiry(file) - time.time()
                    value = int(self._value(file)) + delta
            except FileNotFoundError:
                raise ValueError(f"Key {key!r} not found") from None  # untranslated: for the log
            self.set(key, value, None if seconds == float("inf") else seconds, version)
        return value

    def _value(self, file: IO[bytes]) -> Any:
        return self._serializer.loads(zlib.decompress(file.read()))

    def _write_content(self, file: IO[bytes], timeout: float | None, value: object) -> None:
        until = self.get_backend_timeout(timeout)
        written = self._serializer.dumps(value)
        content = str(written).encode() if isinstance(written, int) else written
        file.write(json.dumps(until).encode() + b"\n" + zlib.compress(content))

    def _is_expired(self, file: IO[bytes]) -> bool:
        if _expiry(file) >= time.time():
            return False
        self._delete(file.name)
        return True


def _expiry(file: IO[bytes]) -> float:
    """Returns the expiry that a file begins with."""
    try:
        until = json.loads(file.readline(64))
    except ValueError:
        return 0.0
    if until is None:
        return float("inf")
    return until if isinstance(until, int | float) else 0.0


def _until(path: Path) -> float:
    """Returns the expiry of a file, which may be gone."""
    try:
        with path.open("rb") as file:
            return _expiry(file)
    except OSError:
        return 0.0
