"""`make bench-trail`: audit entries that processes append at the same time, on PostgreSQL.

Each appender is a process with a connection of its own, and writes one entry after the other, each
in a transaction of its own, as pages do: first to a trail of one chain, as that of a database just
upgraded is, then of several. At last the trail is verified.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from secrets import token_hex
from tempfile import TemporaryDirectory
from typing import Any

from cryptography.fernet import Fernet

from bench.command import Aim, Options, finish, say, unavailable
from bench.lists import own_database

# Two and a half times what one lock for all allowed on two cores, however many processes appended.
AIMS = [Aim("Appends a second of several processes", "appends_per_second/several chains/4", 655.0)]


def main() -> None:
    parser = Options("trail", __doc__, processes=2, seconds=0.3, rounds=1)
    parser.add_argument("--processes", type=int, default=4, help="appenders at the same time")
    parser.add_argument("--seconds", type=float, default=5.0, help="of each round")
    parser.add_argument("--rounds", type=int, default=2, help="the best of them counts")
    parser.add_argument(
        "--postgresql",
        default=os.environ.get("BENCH_POSTGRESQL", "postgres://postgres@127.0.0.1:5432/postgres"),
        help="a server where a database may be made; it is dropped afterwards",
    )
    given = parser.given()
    rates: dict[str, dict[str, float]] = {}
    with _trail(given.postgresql) as trail:
        for name in ("one chain", "several chains"):
            rates[name] = {
                str(count): max(_rate(trail, count, given.seconds) for _ in range(given.rounds))
                for count in (1, given.processes)
            }
            _run(trail, "open")
        say(_run(trail, "verify"))
    for name, each in rates.items():
        say(*(f"{name:<16}{count:>3} appenders {rate:>8.1f}/s" for count, rate in each.items()))
    several, one = (rates[name][str(given.processes)] for name in ("several chains", "one chain"))
    finish({"appends_per_second": rates, "ratio": round(several / one, 2)}, AIMS)


@contextmanager
def _trail(server: str) -> Iterator[Mapping[str, str]]:
    """The environment of a program with a trail of its own."""
    with own_database(server) as url, TemporaryDirectory(prefix="switchboard-trail-") as directory:
        if not url:
            unavailable("No PostgreSQL is named, or none answers.")
        environment = {
            "PATH": os.environ["PATH"],
            "DATA_DIR": directory,
            "DATABASE_URL": url,
            "DEMO": "true",
            "SECRET_KEY": token_hex(40),
            "TOKEN_KEYS": Fernet.generate_key().decode(),
            "AUDIT_KEY": token_hex(32),
            "LOG_LEVEL": "ERROR",
            "DJANGO_SETTINGS_MODULE": "portal.config.settings",
        }
        _run(environment, "make")
        yield environment


def _run(environment: Mapping[str, str], *words: str) -> str:
    command = [sys.executable, "-m", "bench.trail_appender", *words]
    result = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True, text=True)  # noqa: S603
    return result.stdout.strip()


def _rate(environment: Mapping[str, str], count: int, seconds: float) -> float:
    """Appends a second of so many processes, which begin together."""
    command = [sys.executable, "-m", "bench.trail_appender", "append"]
    with ExitStack() as stack:
        appenders: list[Any] = [
            stack.enter_context(
                subprocess.Popen(  # noqa: S603
                    [*command, str(number), str(seconds)],
                    env=environment,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                )
            )
            for number in range(count)
        ]
        for each in appenders:
            each.stdout.readline()  # it is ready
        began = time.perf_counter()
        for each in appenders:
            each.stdin.write("\n")
            each.stdin.flush()
        appended = sum(int(each.stdout.readline()) for each in appenders)
        return round(appended / (time.perf_counter() - began), 1)


if __name__ == "__main__":
    main()
