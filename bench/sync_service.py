"""An account to be loaded whole, as a service of its own with a latency and a limit.

python -m bench.sync_service PORT PEOPLE SESSIONS LATENCY_MS LIMIT

Sessions are spread over the people, one in four lies within the last 30 days. Beyond LIMIT requests
a second (0: any number) it answers 429. `/counts` says how many were answered, and refused.
"""

import json
import re
import sys
import time
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from typing import Any
from urllib.parse import parse_qs, urlsplit

_HOST = re.compile(r"/users/u(\d+)/(meetings|webinars|recordings)$")
_SESSION = re.compile(r"/meetings/(\d+)$")
_FIRST_ID = 100_000_000
_BURST = 1.0  # seconds of the limit that may come at once


class Account(BaseHTTPRequestHandler):
    """Answers what the first sync asks; lists that an account of this kind lacks are empty."""

    protocol_version = "HTTP/1.1"
    # Else the content waits 40 ms for the head to be acknowledged, and that is not the latency.
    disable_nagle_algorithm = True
    people = sessions = latency_ms = limit = 0
    lock = Lock()
    room, filled_at = 0.0, 0.0
    counts = {"answered": 0, "refused": 0}

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        if parts.path.endswith("/counts"):
            self._send(200, self.counts)
            return
        time.sleep(self.latency_ms / 1000)
        if not self._is_allowed():
            self._send(429, {"code": 429, "message": "Too many requests."})
            return
        asked = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        self._send(200, self._content(parts.path.removeprefix("/v2"), asked))

    def log_message(self, *_: Any) -> None:
        """Says nothing."""

    def _is_allowed(self) -> bool:
        cls = type(self)
        with self.lock:
            if cls.limit:
                now = time.monotonic()
                gained = (now - cls.filled_at) * cls.limit
                cls.room, cls.filled_at = min(cls.room + gained, cls.limit * _BURST), now
                if cls.room < 1:
                    self.counts["refused"] += 1
                    return False
                cls.room -= 1
            self.counts["answered"] += 1
            return True

    def _send(self, status: int, data: dict[str, Any]) -> None:
        content = json.dumps(data).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        if status == 429:
            self.send_header("Retry-After", "1")
        self.end_headers()
        self.wfile.write(content)

    def _content(self, path: str, asked: dict[str, str]) -> dict[str, Any]:
        if path == "/users":
            total = self.people if asked.get("status", "active") == "active" else 0
            return _page("users", asked, total, _person)
        if found := _HOST.match(path):
            host, kind = int(found[1]), found[2]
            if kind != "meetings":
                return _page("meetings" if kind == "recordings" else kind, asked, 0, _person)
            numbers = range(host, self.sessions, self.people)
            return _page(kind, asked, len(numbers), lambda at: _session(numbers[at], host))
        if found := _SESSION.match(path):
            number = int(found[1]) - _FIRST_ID
            return _session(number, number % self.people)
        if path.startswith("/metrics/"):
            return {"page_size": 300, "next_page_token": "", path.rpartition("/")[2]: []}
        if path == "/report/daily":
            return {"year": int(asked["year"]), "month": int(asked["month"]), "dates": []}
        if path == "/report/cloud_recording":
            days = {name: asked[name] for name in ("from", "to")}
            return {**days, "cloud_recording_storage": []}
        name = path.rpartition("/")[2]
        return _page(name, asked, 0, _person)


def _page(name: str, asked: dict[str, str], total: int, made: Any) -> dict[str, Any]:
    size, number = int(asked.get("page_size", 30)), int(asked.get("page_number", 1))
    rows = [made(at) for at in range((number - 1) * size, min(number * size, total))]
    page = {"page_count": len(rows), "page_number": number, "page_size": size}
    return {**page, "total_records": total, "next_page_token": "", name: rows}


def _person(at: int) -> dict[str, Any]:
    return {
        "id": f"u{at}",
        "first_name": "Person",
        "last_name": f"{at:06}",
        "email": f"person{at:06}@example.com",
        "type": 2,
        "dept": f"Department {at % 40}",
        "status": "active",
        "created_at": "2025-01-01T00:00:00Z",
        "last_login_time": "2026-11-01T08:00:00Z",
    }


def _session(number: int, host: int) -> dict[str, Any]:
    days = number % 28 if number % 4 == 0 else 40 + number % 300
    start = datetime.now(UTC) - timedelta(days=days)
    return {
        "uuid": f"uuid-{number}",
        "id": _FIRST_ID + number,
        "host_id": f"u{host}",
        "topic": f"Session {number}",
        "type": 2,
        "start_time": f"{start:%Y-%m-%dT%H:%M:%SZ}",
        "duration": 45,
        "timezone": "UTC",
        "created_at": f"{start - timedelta(days=7):%Y-%m-%dT%H:%M:%SZ}",
    }


def main() -> None:
    numbers = [int(each) for each in sys.argv[1:]]
    port, Account.people, Account.sessions, Account.latency_ms, Account.limit = numbers
    ThreadingHTTPServer.request_queue_size = 128
    server = ThreadingHTTPServer(("127.0.0.1", port), Account)
    server.daemon_threads = True
    server.serve_forever()


if __name__ == "__main__":
    main()
