"""A line to a host of a test's own, which can be cut so that neither end is told."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from secrets import randbelow, token_hex

import pytest

_NOBODY = "02:00:00:00:00:01"  # an address of hardware that is none


class CutLine:
    """A namespace of the network; the test is skipped if none may be made.

    While it is cut, what either end sends is addressed to hardware that is not there: nothing
    arrives, nothing is refused, and both ends take their connections for open.
    """

    def __init__(self) -> None:
        if not shutil.which("ip") or os.getuid():
            pytest.skip("no namespace of the network may be made here")
        mark, net = token_hex(3), f"10.{200 + randbelow(50)}.{randbelow(256)}"
        self.name, self.near, self.far = f"line-{mark}", f"near-{mark}", f"far-{mark}"
        self.here, self.address = f"{net}.1", f"{net}.2"
        _ip("netns", "add", self.name)
        _ip("link", "add", self.near, "type", "veth", "peer", self.far, "netns", self.name)
        for words, device, address in (
            ((), self.near, self.here),
            (("-n", self.name), self.far, self.address),
        ):
            _ip(*words, "addr", "add", f"{address}/30", "dev", device)
            _ip(*words, "link", "set", device, "up")
        _ip("-n", self.name, "link", "set", "lo", "up")

    @property
    def within(self) -> tuple[str, ...]:
        """What precedes a command that is to run at the other end."""
        return ("ip", "netns", "exec", self.name)

    def cut(self) -> None:
        nobody = ("lladdr", _NOBODY, "nud", "permanent")
        _ip("neigh", "replace", self.address, *nobody, "dev", self.near)
        _ip("-n", self.name, "neigh", "replace", self.here, *nobody, "dev", self.far)

    def mend(self) -> None:
        """Has each end look for the other again; also where it was not cut."""
        _ip("neigh", "flush", "dev", self.near, "nud", "permanent")
        _ip("-n", self.name, "neigh", "flush", "dev", self.far, "nud", "permanent")

    def close(self) -> None:
        _ip("link", "del", self.near)
        _ip("netns", "del", self.name)


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)


@pytest.fixture
def cut_line() -> Iterator[CutLine]:
    made = CutLine()
    yield made
    made.close()
