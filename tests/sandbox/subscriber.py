"""Somebody who listens to webhooks, and something that happens in the service's own process."""

import json
import os
import queue
import subprocess
import sys
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from tests.plugins.sandbox import Sandbox

_ROOT = Path(__file__).resolve().parents[2]
_EMIT = """
import sys, json, django
django.setup()
from portal.contract.webhooks import WebhookEvent
from portal.sandbox.families.events import emit
for each in json.loads(sys.argv[1]):
    emit(WebhookEvent(each[0]), each[1])
"""


def happens(sandbox: Sandbox, *events: tuple[str, dict[str, Any]]) -> None:
    """An event that the service sends, reported from another process on its database."""
    subprocess.run(
        [sys.executable, "-c", _EMIT, json.dumps(events)],
        cwd=_ROOT,
        env={
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "portal.sandbox.settings",
            "SANDBOX_DATA_DIR": str(sandbox.data_dir),
            "SANDBOX_DATABASE_URL": sandbox.database_url,
        },
        check=True,
    )


@dataclass
class Notification:
    authorization: str
    media_type: str
    document: dict[str, Any]


class Subscriber:
    """Answers with the statuses it was given, then with 204."""

    def __init__(self, *statuses: int, port: int = 0) -> None:
        self.heard: queue.Queue[Notification] = queue.Queue()
        self._statuses = list(statuses)
        subscriber = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                subscriber._hear(self)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._thread = Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook?from=conf"

    def next(self, timeout: float = 60) -> Notification:
        """The next notification; `queue.Empty` if none comes."""
        return self.heard.get(timeout=timeout)

    def fall_silent(self) -> None:
        """Takes connections from now on, and never answers."""
        self._server.shutdown()

    def close(self) -> None:
        self._server.shutdown()  # a second time is no harm
        self._server.server_close()

    def _hear(self, handler: BaseHTTPRequestHandler) -> None:
        content = handler.rfile.read(int(handler.headers["Content-Length"]))
        status = self._statuses.pop(0) if self._statuses else 204
        handler.send_response(status)
        handler.send_header("Content-Length", "0")
        handler.end_headers()
        self.heard.put(
            Notification(
                handler.headers["Authorization"],
                handler.headers["Content-Type"],
                json.loads(content),
            )
        )
