"""Serves the sandbox with granian: worker processes with threads, one announcement."""

import gc
import multiprocessing
import os
import signal
import socket
import threading
import time
from typing import Any

from granian import Granian
from granian.constants import Interfaces
from granian.log import LogLevels

from portal.sandbox.options import options
from portal.sandbox.wsgi import make_application

WORKERS = 2
THREADS = 32
_TIMEOUT = 5.0
_WORKERS_END_WITHIN = 3
_LONGEST_END = _WORKERS_END_WITHIN + 2
_ANY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104


def serve(host: str, port: int) -> None:
    """Serves until SIGTERM or SIGINT; `OSError` if the port is another's."""
    _wait_until_free(host, port)
    server = Granian(
        f"{__name__}:worker_application",
        address=host,
        port=port,
        interface=Interfaces.WSGI,
        factory=True,
        workers=WORKERS,
        blocking_threads=THREADS,
        workers_kill_timeout=_WORKERS_END_WITHIN,
        respawn_failed_workers=True,
        websockets=False,
        log_level=LogLevels.error,
    )
    _end_at_last()
    _import_ahead()
    server.on_startup(lambda: threading.Thread(target=_announce, args=(host, port)).start())
    server.serve()


def _import_ahead() -> None:
    """Imports what the workers need before they fork, so that they share the parent's memory.

    Frozen, for the collector would write to every object that it looks at. The codec of host names
    is imported with the first of them, and the thread that announces the service has one: a worker
    that is forked in the middle of that import would never get to the end of its own.
    """
    from portal.sandbox import application, courier, simulation  # noqa: F401, PLC0415

    "localhost".encode("idna")
    gc.collect()
    gc.freeze()


def _end_at_last() -> None:
    """Ends everything a while after the first signal, if granian has not.

    Its handler takes a lock that a second signal, such as another Ctrl-C, can find taken by the
    first, for ever. The number of a signal is written here before any handler runs.
    """
    signals, data = socket.socketpair()
    data.setblocking(False)
    signal.set_wakeup_fd(data.fileno(), warn_on_full_buffer=False)

    def wait() -> None:
        with data:  # open for as long as signals are listened to
            while signals.recv(1)[0] not in {signal.SIGINT, signal.SIGTERM}:
                pass
            time.sleep(_LONGEST_END)
            for worker in multiprocessing.active_children():
                worker.kill()
            os._exit(0)

    threading.Thread(target=wait, daemon=True).start()


def worker_application() -> Any:
    """The application of a worker process, which ends with the process that started it.

    Beside its requests each carries notifications to subscribers.
    """
    threading.Thread(target=_end_with_parent, daemon=True).start()
    application = make_application()
    from portal.sandbox import courier  # noqa: PLC0415 - models need the setup

    courier.start()
    if not options().frozen:
        from portal.sandbox.simulation import run  # noqa: PLC0415 - models need the setup

        threading.Thread(target=run, daemon=True).start()
    return application


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _wait_until_free(host: str, port: int) -> None:
    """Granian's sockets share a port with whoever listens there, so this asks first.

    One that was just killed is waited for.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    deadline = time.monotonic() + _TIMEOUT
    while True:
        try:
            socket.create_server((host, port), family=family).close()
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
        else:
            return


def _announce(host: str, port: int) -> None:
    address = (_ANY_ADDRESS.get(host, host), port)
    shown = f"[{host}]" if ":" in host else host
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        time.sleep(0.02)
        try:
            socket.create_connection(address, timeout=1).close()
        except OSError:
            continue
        print(f"Sandbox listening on http://{shown}:{port}/v2", flush=True)  # noqa: T201
        return
