"""Asks one page of the WSGI application over and over, without a web server.

`python -m bench.in_process ADDRESS COOKIE TIMES` prints one line of JSON: ms of CPU and of time.
"""

import io
import json
import sys
import time
from statistics import median
from typing import Any

from portal.config.wsgi import application


def main(address: str, cookie: str, times: int) -> None:
    asked = {
        "REQUEST_METHOD": "GET",
        "PATH_INFO": address.partition("?")[0],
        "QUERY_STRING": address.partition("?")[2],
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "HTTP_HOST": "127.0.0.1",
        "HTTP_COOKIE": cookie,
        "wsgi.url_scheme": "http",
        "wsgi.errors": sys.stderr,
    }
    for _ in range(10):  # the first ones fill caches
        ask(asked)
    cpu, taken = time.process_time(), []
    for _ in range(times):
        start = time.perf_counter()
        ask(asked)
        taken.append(time.perf_counter() - start)
    cpu = time.process_time() - cpu
    data = {"cpu_ms": round(cpu / times * 1000, 2), "p50_ms": round(median(taken) * 1000, 2)}
    print(json.dumps(data))  # noqa: T201


def ask(asked: dict[str, Any]) -> None:
    said: list[str] = []
    answer = application(
        {**asked, "wsgi.input": io.BytesIO()}, lambda status, _headers, *_: said.append(status)
    )
    content = b"".join(answer)
    if hasattr(answer, "close"):
        answer.close()
    if said != ["200 OK"]:
        raise RuntimeError(f"{asked['PATH_INFO']} was answered with {said}: {content[:200]!r}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
