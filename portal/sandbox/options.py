"""Options of the sandbox; worker processes read them from their environment."""

import json
import os
import re
from argparse import ArgumentTypeError
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Self

import environ

_VARIABLE = "SANDBOX_OPTIONS"
_SECONDS = {"s": 1, "m": 60, "h": 3600}


@dataclass(frozen=True)
class Rate:
    """A number of requests in a number of seconds."""

    requests: int
    seconds: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parses `10/s`, `100/m` or `5000/h`."""
        found = re.fullmatch(r"([1-9][0-9]{0,6})/([smh])", text)
        if not found:
            raise ArgumentTypeError("write a rate as in 10/s, 100/m or 5000/h")
        return cls(int(found[1]), _SECONDS[found[2]])


@dataclass(frozen=True)
class Options:
    """`latency` is in seconds; `error_rate` is the share of requests that fail, from 0 to 1.

    Nothing happens by itself in an account that is `frozen`. In the profile `current` tokens are
    taken as a bearer alone, and got at `/oauth/token`: each lives `token_seconds`, and ends the
    one before it where there is `one_token`. They have all scopes, or `only_scopes` if any are
    given. Calls of `without_scopes` are refused there, and those of families that are
    `without_plans`; `class_limits` are of operations by their weight,
    and a `daily_limit` of those that are heavy or scarce, 0 for none. Notifications are
    signed with the `hook_secret`.
    """

    token: str = field(repr=False)
    data_dir: str
    rate_limit: Rate | None = None
    latency: float = 0.0
    error_rate: float = 0.0
    frozen: bool = False
    profile: str = "plain"
    token_seconds: int = 3600
    one_token: bool = False
    only_scopes: tuple[str, ...] = ()
    without_scopes: tuple[str, ...] = ()
    without_plans: tuple[str, ...] = ()
    class_limits: Mapping[str, Rate] = field(default_factory=dict)
    daily_limit: int = 0
    hook_secret: str = field(default="", repr=False)

    @property
    def is_current(self) -> bool:
        return self.profile == "current"

    @classmethod
    def from_environment(cls) -> Self:
        given = json.loads(os.environ[_VARIABLE])
        rate = given.pop("rate_limit")
        lists = ("only_scopes", "without_scopes", "without_plans")
        given |= {name: tuple(given[name]) for name in lists}
        given["class_limits"] = {name: Rate(**each) for name, each in given["class_limits"].items()}
        return cls(rate_limit=rate and Rate(**rate), **given)

    def to_environment(self) -> None:
        os.environ[_VARIABLE] = json.dumps(asdict(self))


@cache
def options() -> Options:
    return Options.from_environment()


def database(data_dir: str | Path) -> dict[str, object]:
    """Returns Django's settings for `SANDBOX_DATABASE_URL`, or for SQLite under the data
    directory."""
    url = os.environ.get("SANDBOX_DATABASE_URL") or f"sqlite:///{Path(data_dir, 'sandbox.sqlite3')}"
    settings: dict[str, object] = {**environ.Env.db_url_config(url), "CONN_MAX_AGE": None}
    if url.startswith("sqlite:"):
        settings["OPTIONS"] = {
            "timeout": 20,
            "transaction_mode": "IMMEDIATE",
            # Each of many threads has a cache of its own; the system keeps the file in memory.
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"
            " PRAGMA cache_size=-512",
        }
    return settings
