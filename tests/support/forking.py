"""Forks programs from a process that has imported what they import.

    python -m tests.support.forking MODULE …

What has been imported and set up is paid once, not by every program. `tests.support.fork_server`
asks, over the socket that is the standard input: a byte for each program, with its standard
streams and a socket. Over that come its arguments and surroundings as a line of JSON, and back go
its number and, in the end, its status. Once the asking process has ended, the server ends with its
last program.
"""

import gc
import importlib
import json
import os
import runpy
import selectors
import signal
import socket
import struct
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

NUMBER = struct.Struct("!q")  # how numbers and statuses are sent
_STREAMS = 3  # standard ones, which have the first descriptors
Asked = tuple[list[int], socket.socket]  # for a program with these streams


def main() -> None:
    with socket.socket(fileno=os.dup(0)) as control:
        for name in sys.argv[1:]:
            importlib.import_module(name)
        gc.collect()
        gc.freeze()  # else the collector of each program would write to all that they share
        asked = _serve(control)
    if asked is not None:
        _become(*asked)()  # in the fork, which ends as any program does


def _serve(control: socket.socket) -> Asked | None:
    """Returns what is asked for, in each fork; nothing at the end of the server itself."""
    running: dict[int, socket.socket] = {}
    ended, told = socket.socketpair()
    with ended, told, selectors.DefaultSelector() as selector, _told_of_ends(told):
        selector.register(control, selectors.EVENT_READ)
        selector.register(ended, selectors.EVENT_READ)
        is_asked = True
        while is_asked or running:
            ready = {key.fileobj for key, _ in selector.select()}
            if ended in ready:
                ended.recv(4096)
                _tell_ends(running)
            if control not in ready:
                continue
            byte, passed, _, _ = socket.recv_fds(control, 1, _STREAMS + 1)
            if not byte:
                is_asked = False
                selector.unregister(control)
                continue
            *streams, asker = passed
            number = os.fork()
            if not number:
                for each in running.values():
                    each.close()
                return streams, socket.socket(fileno=asker)
            for stream in streams:
                os.close(stream)
            running[number] = socket.socket(fileno=asker)
            running[number].send(NUMBER.pack(number))
    return None


@contextmanager
def _told_of_ends(told: socket.socket) -> Iterator[None]:
    """Meanwhile the end of a child is written to this socket, and Ctrl-C ends no server."""
    told.setblocking(False)
    before = {
        signal.SIGCHLD: signal.signal(signal.SIGCHLD, lambda *_: None),
        signal.SIGINT: signal.signal(signal.SIGINT, signal.SIG_IGN),
    }
    signal.set_wakeup_fd(told.fileno(), warn_on_full_buffer=False)
    try:
        yield
    finally:
        signal.set_wakeup_fd(-1)
        for number, handler in before.items():
            signal.signal(number, handler)


def _tell_ends(running: dict[int, socket.socket]) -> None:
    with suppress(ChildProcessError):  # none is left
        while True:
            number, status = os.waitpid(-1, os.WNOHANG)
            if not number:
                return
            with running.pop(number) as asker, suppress(OSError):  # the asking process has ended
                asker.send(NUMBER.pack(os.waitstatus_to_exitcode(status)))


def _become(streams: list[int], asker: socket.socket) -> Callable[[], None]:
    """Makes this process what a new one would be, but for what it has imported."""
    with asker, asker.makefile() as lines:
        asked: dict[str, Any] = json.loads(lines.readline())
    if asked["new_session"]:
        os.setsid()
    for place, stream in enumerate(streams):
        os.dup2(stream, place)
    for stream in streams:
        os.close(stream)
    os.environ.clear()
    os.environ.update(asked["environment"])
    time.tzset()
    os.chdir(asked["folder"])
    first, *others = asked["arguments"]
    if first == "-c":
        sys.argv = ["-c", *others[1:]]
        return lambda: exec(compile(others[0], "<string>", "exec"), {"__name__": "__main__"})  # noqa: S102
    if first == "-m":
        sys.argv = ["-m", *others[1:]]
        return lambda: _discard(runpy.run_module(others[0], run_name="__main__", alter_sys=True))
    sys.argv = [first, *others]
    return lambda: _discard(runpy.run_path(first, run_name="__main__"))


def _discard(_: object) -> None:
    """Drops the names that a program leaves in its module."""


if __name__ == "__main__":
    main()
