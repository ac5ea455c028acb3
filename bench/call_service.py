"""A service that lists telephone calls, as many on each day as it is told, after a latency.

python -m bench.call_service PORT CALLS_A_DAY PAGE_SIZE LATENCY_MS
"""

import json
import sys
import time
from datetime import date, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit


class Calls(BaseHTTPRequestHandler):
    """Answers `/report/telephone`, and anything else with an empty object."""

    protocol_version = "HTTP/1.1"
    # Else the content waits 40 ms for the head to be acknowledged, and that is not the latency.
    disable_nagle_algorithm = True
    a_day = page_size = latency_ms = 0

    def do_GET(self) -> None:
        time.sleep(self.latency_ms / 1000)
        parts = urlsplit(self.path)
        asked = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        is_report = parts.path.endswith("/report/telephone")
        content = json.dumps(self._page(asked) if is_report else {}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        """Says nothing."""

    def _page(self, asked: dict[str, str]) -> dict[str, Any]:
        first, last = date.fromisoformat(asked["from"]), date.fromisoformat(asked["to"])
        size = min(int(asked.get("page_size", 30)), self.page_size)
        number, total = int(asked.get("page_number", 1)), ((last - first).days + 1) * self.a_day
        numbers = range((number - 1) * size, min(number * size, total))
        rows = [_call(first + timedelta(days=at // self.a_day), at % self.a_day) for at in numbers]
        page = {"page_number": number, "page_size": size, "page_count": len(rows)}
        return {**page, "total_records": total, "telephony_usage": rows}


def _call(day: date, number: int) -> dict[str, Any]:
    hours, seconds = divmod(number % 86_400, 3600)
    start = f"{day}T{hours:02}:{seconds // 60:02}:{seconds % 60:02}Z"
    return {
        "meeting_id": 100_000_000 + number,
        "meeting_type": "Meeting",
        "host_name": f"Host {number % 500}",
        "host_email": f"host{number % 500}@example.com",
        "dept": "Sales",
        "phone_number": f"+1 555 {number:07}",
        "call_in_number": "+1 555 0100",
        "country_name": "United States",
        "start_time": start,
        "end_time": start,
        "duration": number % 90,
        "total": 0.25,
    }


def main() -> None:
    port, Calls.a_day, Calls.page_size, Calls.latency_ms = map(int, sys.argv[1:])
    ThreadingHTTPServer.request_queue_size = 128
    server = ThreadingHTTPServer(("127.0.0.1", port), Calls)
    server.daemon_threads = True
    server.serve_forever()


if __name__ == "__main__":
    main()
