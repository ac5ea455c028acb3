"""A disk of a test's own that can be filled, and databases on it."""

import errno
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp

import pytest

_BLOCK = 1 << 16
_PG = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))


class SmallDisk:
    """A file system in memory; whoever may not mount one skips the test."""

    def __init__(self, megabytes: int) -> None:
        self.place = Path(mkdtemp(prefix="small-disk-"))
        self.place.chmod(0o755)  # another user runs PostgreSQL
        command = [
            "mount",
            "-t",
            "tmpfs",
            "-o",
            f"size={megabytes}m,mode=0755",
            "tmpfs",
            self.place,
        ]
        if not shutil.which("mount") or subprocess.run(command, check=False).returncode:
            pytest.skip("no file system may be mounted here")

    def fill(self) -> None:
        """Leaves no byte, whatever is made free beside it meanwhile."""
        with (self.place / "ballast").open("ab", buffering=0) as ballast:
            for size in (_BLOCK, 1):
                with suppress(OSError):
                    while True:
                        ballast.write(bytes(size))

    def free(self) -> None:
        (self.place / "ballast").unlink()

    @property
    def is_full(self) -> bool:
        try:
            with (self.place / "probe").open("wb", buffering=0) as probe:
                probe.write(b"1")
        except OSError as error:
            return error.errno == errno.ENOSPC
        finally:
            (self.place / "probe").unlink(missing_ok=True)
        return False

    def close(self) -> None:
        subprocess.run(["umount", "--lazy", self.place], check=True)
        self.place.rmdir()


class OwnPostgres:
    """A PostgreSQL of a test's own, run by another user where the tests are run by root."""

    def __init__(self, place: Path, port: int) -> None:
        if not _PG:
            pytest.skip("PostgreSQL's server is not installed")
        self._bin, self._data, self.port = _PG[-1].parent, place / "postgres", port
        self._data.mkdir()
        self._as: list[str] = []
        if os.geteuid() == 0:
            shutil.chown(self._data, "postgres", "postgres")
            self._as = ["runuser", "-u", "postgres", "--"]
        self._run("initdb", "--auth=trust", "--username=postgres", "--no-sync", "--wal-segsize=1")
        settings = {
            "port": port,
            "listen_addresses": "'127.0.0.1'",
            "unix_socket_directories": "''",
            "min_wal_size": "'2MB'",
            "max_wal_size": "'4MB'",
            "shared_buffers": "'16MB'",
            "restart_after_crash": "on",
        }
        with (self._data / "postgresql.conf").open("a") as file:
            file.writelines(f"{name} = {value}\n" for name, value in settings.items())

    @property
    def url(self) -> str:
        return f"postgres://postgres@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        self._run("pg_ctl", "--wait", "--log=/dev/null", "start")

    def is_up(self) -> bool:
        command = [self._bin / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        return not subprocess.run(command, check=False).returncode

    def stop(self) -> None:
        self._run("pg_ctl", "--mode=immediate", "stop", check=False)

    def _run(self, name: str, *arguments: str, check: bool = True) -> None:
        command = [*self._as, str(self._bin / name), f"--pgdata={self._data}", *arguments]
        subprocess.run(command, check=check, stdout=subprocess.DEVNULL, cwd="/")


@pytest.fixture
def small_disk() -> Iterator[SmallDisk]:
    made = SmallDisk(megabytes=96)
    try:
        yield made
    finally:
        made.close()
