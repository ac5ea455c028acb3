"""A disk of a test's own that can be filled."""

import errno
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp

import pytest

_BLOCK = 1 << 16


class SmallDisk:
    """A file system in memory; the test is skipped if none may be mounted."""

    def __init__(self, megabytes: int) -> None:
        self.place = Path(mkdtemp(prefix="small-disk-"))
        self.place.chmod(0o755)  # another user runs PostgreSQL
        command: list[str | Path] = [
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


@pytest.fixture
def small_disk() -> Iterator[SmallDisk]:
    made = SmallDisk(megabytes=96)
    try:
        yield made
    finally:
        made.close()
