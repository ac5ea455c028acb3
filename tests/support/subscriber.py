"""A receiver of webhooks, and something that happens in the service's own process."""

import json
import queue
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from tests.support.sandbox import Sandbox, run_within

_EMIT = """
import json, sys
from portal.contract.webhooks import WebhookEvent
from portal.sandbox.families.events import emit
for each in json.loads(sys.argv[1]):
    emit(WebhookEvent(each[0]), each[1])
"""


def happens(sandbox: Sandbox, *events: tuple[str, dict[str, Any]]) -> None:
    """An event that the service sends, reported from another process on its database."""
    run_within(sandbox, _EMIT, json.dumps(events))


@dataclass
class Notification:
    authorization: str
    media_type: str
    document: dict[str, Any]
    headers: dict[str, str]
    content: bytes


class Subscriber:
    """Answers with the statuses it was given, then with 204, or with 200 and what it `answers`."""

    def __init__(
        self,
        *statuses: int,
        port: int = 0,
        answers: Callable[[dict[str, Any]], object] | None = None,
    ) -> None:
        self._answers = answers
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
        said = self._answers(json.loads(content)) if self._answers else None
        body = json.dumps(said).encode() if said else b""
        handler.send_response(200 if said else status)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)
        self.heard.put(
            Notification(
                handler.headers["Authorization"],
                handler.headers["Content-Type"],
                json.loads(content),
                dict(handler.headers),
                content,
            )
        )
