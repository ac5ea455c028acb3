"""A service with one person, whatever is asked of it: for pages about a person."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

_PERSON = {
    "id": "person",
    "email": "ada@example.com",
    "first_name": "Ada",
    "last_name": "Adams",
    "type": 2,
    "dept": "Department 07",
    "status": "active",
    "timezone": "Europe/Berlin",
}


class Person(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        person = {**_PERSON, "id": self.path.partition("?")[0].rpartition("/")[2]}
        content = json.dumps(person).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        """Says nothing."""


@contextmanager
def person_service() -> Iterator[str]:
    """Yields its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Person)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v2"
    finally:
        server.shutdown()
