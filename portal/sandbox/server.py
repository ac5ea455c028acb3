"""The sandbox as a granian server: worker processes with threads, one announcement."""

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
    """Serves until SIGTERM or SIGINT; raises `OSError` if another program has the port."""
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
    """Imports the modules of the workers before they fork, so that they share the parent's memory.

    The objects are frozen, since the collector would write to each of them. The codec of host names
    is imported at its first use, which the announcing thread makes: a worker that is forked in the
    middle of that import would never get to the end of its own.
    """
    from portal.sandbox import application, courier, simulation  # noqa: F401, PLC0415

    "localhost".encode("idna")
    gc.collect()
    gc.freeze()


def _end_at_last() -> None:
    """Ends all processes a while after the first signal, if granian has not.

    Granian's handler takes a lock that a second signal, such as another Ctrl-C, finds taken by the
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
    """Returns the application of a worker process, which ends with its parent.

    Each worker carries notifications to subscribers beside its requests.
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
    """Waits for a port of a process that was just killed. Granian's sockets share a port with any
    other listener, so this checks first."""
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
