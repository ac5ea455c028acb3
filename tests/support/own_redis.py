"""A Redis of a test's own, on a free port, that can be killed and comes back empty."""

import shutil
import socket
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest
from redis import Redis, RedisError

from tests.support.cut_line import CutLine
from tests.support.deployment import free_port


class OwnRedis:
    """Keeps nothing on disk. `flags` are as `redis-server` has them, such as `--maxmemory 2mb`.

    It runs on this host, or at the other end of a line.
    """

    def __init__(self, place: Path, *flags: str, line: CutLine | None = None) -> None:
        if not shutil.which("redis-server"):
            pytest.skip("redis-server is not installed")
        self.place, self.flags = place, flags
        self.address = line.address if line else "127.0.0.1"
        self._within = line.within if line else ()
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://{self.address}:{self.port}/0"

    @property
    def client(self) -> "Redis":
        return Redis(self.address, self.port, decode_responses=True)

    def start(self) -> None:
        listens = ["--port", str(self.port), "--bind", self.address, "--protected-mode", "no"]
        keeps = ["--save", "", "--appendonly", "no", "--dir", str(self.place)]
        with (self.place / "redis.log").open("ab") as log:
            self._process = subprocess.Popen(
                [*self._within, "redis-server", *listens, *keeps, *self.flags],
                stdout=log,
                stderr=log,
            )
        while not self._answers():
            assert self._process.poll() is None, (self.place / "redis.log").read_text()

    def cannot_save(self) -> None:
        """From now on its disk takes nothing; it refuses writes where it is to save them."""
        self.client.config_set("dir", "/proc")
        with suppress(RedisError):
            self.client.bgsave()
        while self.client.info("persistence")["rdb_last_bgsave_status"] == "ok":
            pass

    def kill(self) -> None:
        process, self._process = self._process, None
        if process:
            process.kill()
            process.wait()

    def _answers(self) -> bool:
        try:
            with socket.create_connection((self.address, self.port), timeout=1):
                return bool(self.client.ping())
        except (OSError, RedisError):
            return False
