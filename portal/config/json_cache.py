"""Cache whose contents are JSON, in Redis and in files: reading it runs nothing.

Django's own backends unpickle what they find, so that whoever can write to the cache has the
program run what they like. Here the worst they can do is to have a wrong value read.
"""

import json
import os
import tempfile
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.filebased import FileBasedCache
from django.core.files import locks

_LOOK_EVERY = 60.0  # seconds between two looks for files that have expired
_next_look: dict[str, float] = {}


class Serializer:
    """For Django's Redis backend. Whole numbers are written as such, which Redis can add to."""

    def dumps(self, value: object) -> bytes | int:
        """Raises `TypeError` for what would come back as something else, such as a tuple."""
        if type(value) is int:
            return value
        written = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        if json.loads(written) != value:
            raise TypeError(f"{type(value).__name__} does not come back from JSON as it was")
        return written.encode("utf-8", "surrogatepass")

    def loads(self, content: bytes) -> Any:
        return json.loads(content.decode("utf-8", "surrogatepass"))


class FileCache(FileBasedCache):
    """Files of a line that says until when, and the value. What is neither counts as expired.

    Nothing is forgotten before its time, unless there is far too much: counts of failed sign-ins
    are kept here, and codes that were used. Django's removes any third of 300 entries.
    """

    _serializer = Serializer()
    # What Django's has, which its stubs leave out.
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
        """Only one of several that add the same at once succeeds: locks are made of it."""
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
        """Removes what has expired; of far too much, what would expire next."""
        now = time.monotonic()
        if now < _next_look.get(self._dir, 0.0):
            return
        _next_look[self._dir] = now + _LOOK_EVERY
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
        """Adds to a number, which is kept for as long as it was to be; of several that add to it at
        once, none is lost."""
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
    """Until when a file says that it holds."""
    try:
        until = json.loads(file.readline(64))
    except ValueError:
        return 0.0
    if until is None:
        return float("inf")
    return until if isinstance(until, int | float) else 0.0


def _until(path: Path) -> float:
    """Returns when the file ends, which may be gone."""
    try:
        with path.open("rb") as file:
            return _expiry(file)
    except OSError:
        return 0.0
