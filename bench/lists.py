"""`make bench-lists` and `make bench-calendar`: how fast pages that read the mirror answer.

The list of people is searched, filtered, sorted and paged; the calendar shows a month of sessions.

Each question goes through the whole portal but the web server: session, middleware, view, queries
and template, by Django's test client in one process, as the page's own script asks (the fragment
of the results), the first page as a whole. Every answer includes the count of matches.

The page itself is then asked for through the web server too, with two processes, by more and more
viewers at once, beside the same application without a server. With the list of people go Home,
Live, a person, a job and the trail, each beside Django's own admin list of the same 50 rows and
columns: the ratio is of CPU seconds, of all processes of the web server, for an answer.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from secrets import token_hex
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

from cryptography.fernet import Fernet

from bench import served
from bench.command import Aim, Options, finish, say
from bench.person_service import person_service

# What is measured: its module, how many rows it has, and in how many ms it is to answer (p95).
PAGES = {
    "people": ("bench.lists_of", 50_000, 100.0),
    "recordings": ("bench.recordings_of", 100_000, 100.0),
    "calendar": ("bench.calendar_of", 5_000, 200.0),
}
Figures = dict[str, dict[str, float]]
Served = dict[str, Figures]


def main() -> None:
    given = _arguments()
    measured: dict[str, Figures] = {}
    pages: dict[str, Served] = {}
    with TemporaryDirectory(prefix="switchboard-lists-") as directory, person_service() as service:
        url = f"sqlite:///{directory}/lists.sqlite3"
        measured["sqlite"], pages["sqlite"] = _measured(given, directory, url, service)
        with own_database(given.postgresql) as url:
            if url:
                data = _measured(given, directory, url, service)
                measured["postgresql"], pages["postgresql"] = data
            else:
                say("No PostgreSQL is named, or none answers.")
    _, _, aim = PAGES[given.page]
    say(*_table(measured, aim), *served.table(pages))
    worst = {name: max(each["p95_ms"] for each in data.values()) for name, data in measured.items()}
    figures = {given.page: given.rows, "aim_p95_ms": aim, "worst_p95_ms": worst, **measured}
    figures |= {"aim_ratio": served.AIM, "served": pages}
    finish(figures, aims(aim))


def aims(milliseconds: float) -> list[Aim]:
    return [
        Aim("An answer, p95 in ms", "worst_p95_ms/*", milliseconds, at_most=True),
        Aim(
            "CPU of a page through the web server, to none",
            "served/*/*/*/ratio",
            served.AIM,
            at_most=True,
        ),
        Aim(
            "CPU of the list of people, to Django's admin",
            "served/*/People/*/to_admin",
            1.0,
            at_most=True,
        ),
    ]


def _arguments() -> argparse.Namespace:
    parser = Options(
        "lists", __doc__, rows=300, times=2, rounds=1, seconds=0.2, viewers=[1, 2], postgresql=""
    )
    parser.add_argument("page", nargs="?", choices=PAGES, default="people")
    parser.add_argument("--rows", type=int, help="people, recordings, or sessions in a month")
    parser.add_argument("--times", type=int, default=40, help="requests of each kind")
    parser.add_argument("--rounds", type=int, default=1, help="through the web server and without")
    parser.add_argument("--viewers", type=int, nargs="+", default=[1, 4, 16, 32], help="at once")
    parser.add_argument(
        "--seconds", type=float, default=1.5, help="of each page and number of viewers"
    )
    parser.add_argument(
        "--postgresql",
        default=os.environ.get("BENCH_POSTGRESQL", "postgres://postgres@127.0.0.1:5432/postgres"),
        help="a server where a database may be made; it is dropped afterwards",
    )
    given = parser.given()
    given.rows = given.rows or PAGES[given.page][1]
    return given


def _measured(
    given: argparse.Namespace, directory: str, url: str, service: str
) -> tuple[Figures, Served]:
    """The figures of one database, from a process of its own that knows no other."""
    environment = {
        "PATH": os.environ["PATH"],
        "DATA_DIR": directory,
        "DATABASE_URL": url,
        "DEMO": "true",
        "SECRET_KEY": token_hex(40),
        "TOKEN_KEYS": Fernet.generate_key().decode(),
        "AUDIT_KEY": token_hex(32),
        "ALLOWED_HOSTS": "testserver,127.0.0.1",
        "LOG_LEVEL": "ERROR",
        "DJANGO_SETTINGS_MODULE": "portal.config.settings",
        "ALLOWED_API_HOSTS": "127.0.0.1",
        "BENCH_SERVICE": service,
    }
    command = [sys.executable, "-m", PAGES[given.page][0], str(given.rows), str(given.times)]
    data = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)  # noqa: S603
    found = json.loads(data.stdout.splitlines()[-1])
    pages = served.measure(environment, found["pages"], found["cookie"], given)
    return found["questions"], pages


@contextmanager
def own_database(server: str) -> Iterator[str]:
    """The URL of a database for this run; empty where no server is named, or none answers."""
    if not server:
        yield ""
        return
    import psycopg  # noqa: PLC0415 - not every machine has libpq

    name = f"switchboard_lists_{token_hex(4)}"
    try:
        connection = psycopg.connect(server, autocommit=True, connect_timeout=3)
    except psycopg.OperationalError:
        yield ""
        return
    with connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    try:
        yield urlsplit(server)._replace(path=f"/{name}").geturl()
    finally:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def _table(measured: dict[str, Figures], aim: float) -> Iterator[str]:
    yield "In ms, by Django's test client; each answer includes the count of matches."
    yield ""
    heads = [f"{name} {column}" for name in measured for column in ("p50", "p95")]
    yield _row("", heads)
    for question in next(iter(measured.values())):
        cells = [
            f"{each[question][column]:.1f}" + ("" if each[question]["p95_ms"] < aim else " !")
            for each in measured.values()
            for column in ("p50_ms", "p95_ms")
        ]
        yield _row(question, cells)
    yield ""


def _row(title: str, cells: list[Any]) -> str:
    return f"{title:<34}" + "".join(f"{cell:>18}" for cell in cells)


if __name__ == "__main__":
    main()
