"""The environment that configures Switchboard, read once and checked as a whole.

Outside the demo no important value has a default: one message names every missing or malformed
value, and the program does not start.
"""

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from ipaddress import ip_address
from math import isfinite
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import environ
from cryptography.fernet import Fernet
from django.core.exceptions import ImproperlyConfigured

V = TypeVar("V")

BASE_DIR = Path(__file__).resolve().parents[2]

# What may be given as a file instead, whose path is the value of `SECRET_KEY_FILE` and so on.
SECRETS = (
    *("SECRET_KEY", "TOKEN_KEYS", "AUDIT_KEY", "DATABASE_URL", "REDIS_URL", "CELERY_BROKER_URL"),
    *("EMAIL_URL", "METRICS_TOKEN", "OIDC_CLIENT_SECRET"),
)
_API_HOST = re.compile(
    r"(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?", re.IGNORECASE
)
_YES = {"true", "yes", "on", "1"}
_NO = {"false", "no", "off", "0"}


def is_loopback(host: str) -> bool:
    """Returns whether this host is an address of this machine alone."""
    if host == "localhost":
        return True
    try:
        address = ip_address(host)
    except ValueError:
        return False
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


class Misconfigured(ImproperlyConfigured):
    """Raised for an environment that the program cannot start with; the text is for its operator,
    who is shown it alone."""


def _show_error(
    kind: type[BaseException], error: BaseException, traceback: TracebackType | None
) -> None:
    if isinstance(error, Misconfigured):
        print(error, file=sys.stderr)  # noqa: T201
    else:
        sys.__excepthook__(kind, error, traceback)


class Environment:
    """Reader of variables that collects their faults; `check` then raises all of them at once."""

    def __init__(self) -> None:
        self._wrong: list[str] = []
        self._values: dict[str, str] = dict(os.environ)
        self.demo = self.flag("DEMO", default=False)
        self.data_dir = Path(os.environ.get("DATA_DIR") or BASE_DIR / ".data").resolve()
        if self.demo:
            environ.Env.read_env(self.data_dir / "demo.env")
        self._unread: set[str] = set()
        self._values = {**os.environ, **dict(self._from_files())}
        self._env = environ.Env()
        self._env.ENVIRON = self._values

    def _from_files(self) -> Iterator[tuple[str, str]]:
        """Yields the secrets that are given as files, without the line breaks at their ends."""
        for name in SECRETS:
            variable = f"{name}_FILE"
            path = os.environ.get(variable)
            if not path:
                continue
            if os.environ.get(name):
                self._wrong.append(f"{name} and {variable} are both set: leave one out")
                continue
            self._unread.add(name)
            try:
                text = Path(path).read_text(encoding="utf-8").strip()
            except (OSError, ValueError) as error:
                reason = error.strerror if isinstance(error, OSError) else "it is no text"
                self._wrong.append(f"{variable}: {path} cannot be read ({reason})")
                continue
            if not text:
                self._wrong.append(f"{variable}: {path} is empty")
                continue
            self._unread.remove(name)
            yield name, ",".join(text.split()) if name == "TOKEN_KEYS" else text

    def read(self, cast: Callable[..., V], name: str, *, default: V) -> V:
        """Returns an optional value."""
        try:
            return cast(name) if self._values.get(name) else default
        except (ValueError, ImproperlyConfigured):
            self._wrong.append(f"{name} is malformed")
            return default

    def need(self, cast: Callable[..., V], name: str, *, demo: V) -> V:
        """Returns a value that must be set; the demo has its own."""
        if not self._values.get(name) and name not in self._unread and not self.demo:
            self._wrong.append(f"{name} is not set")
        return self.read(cast, name, default=demo)

    def text(self, name: str, default: str = "") -> str:
        return self.read(self._env.str, name, default=default)

    def flag(self, name: str, *, default: bool) -> bool:
        """Returns a yes or no; any other text is malformed, and no default for it."""
        text = self._values.get(name, "").strip().lower()
        if text and text not in _YES | _NO:
            self._wrong.append(f"{name} is malformed: write true or false")
        return text in _YES if text in _YES | _NO else default

    def number(
        self, name: str, default: int, *, at_least: int = 0, at_most: int | None = None
    ) -> int:
        """Returns a whole number of this range."""
        value = self.read(self._env.int, name, default=default)
        if value < at_least or (at_most is not None and value > at_most):
            until = "" if at_most is None else f" to {at_most}"
            self._wrong.append(f"{name} is {value}: write a number from {at_least}{until}")
            return default
        return value

    def seconds(self, name: str, default: float, *, at_least: float) -> float:
        value = self.read(self._env.float, name, default=default)
        if not isfinite(value) or value < at_least:
            self._wrong.append(f"{name} is {value:g}: write seconds from {at_least:g} on")
            return default
        return value

    def choice(self, name: str, choices: tuple[str, ...], *, default: str) -> str:
        """Returns one of these words, however it is written."""
        text = self.text(name, default).strip().upper()
        if text not in choices:
            self._wrong.append(f"{name} is {text}: write one of {', '.join(choices)}")
            return default
        return text

    def api_hosts(self, name: str) -> list[str]:
        """Returns hosts, each `name` or `name:port`."""
        result = self.listing(name)
        for host in result:
            if not _API_HOST.fullmatch(host):
                self._wrong.append(
                    f"{name} has {host}: write hosts alone, as in meet.example or 10.0.0.7:8443"
                )
        return result

    def listing(self, name: str) -> list[str]:
        result: list[str] = self.read(self._env.list, name, default=[])
        return [item.strip() for item in result if item]

    def secret(self, name: str, *, at_least: int) -> str:
        """Returns an optional value of at least this length."""
        return self._long_enough(name, self.text(name), at_least)

    def some_of(self, name: str, choices: list[str], *, default: list[str]) -> list[str]:
        """Returns the choices that the variable lists, or all for true, and none for false."""
        text = self._values.get(name, "").strip().lower()
        if not text:
            return default
        if text in _YES | _NO:
            return choices if text in _YES else []
        results = [item.strip() for item in text.split(",") if item.strip()]
        if unknown := [item for item in results if item not in choices]:
            offered = ", ".join(choices)
            self._wrong.append(
                f"{name} has {', '.join(unknown)}: write true, false, or some of {offered}"
            )
        return results

    def needed_text(self, name: str, demo: str, *, at_least: int = 1) -> str:
        return self._long_enough(name, self.need(self._env.str, name, demo=demo), at_least)

    def _long_enough(self, name: str, value: str, at_least: int) -> str:
        if value and len(value) < at_least:
            self._wrong.append(f"{name} is shorter than {at_least} characters")
        return value

    def needed_listing(self, name: str, demo: list[str]) -> list[str]:
        return [item.strip() for item in self.need(self._env.list, name, demo=demo) if item]

    def hosts(self, name: str, demo: list[str]) -> list[str]:
        """Returns the host names to answer to; outside the demo none that allows any host."""
        result = self.needed_listing(name, demo)
        for host in result:
            if not self.demo and ("*" in host or ("." not in host.strip(".") and host[0] == ".")):
                self._wrong.append(
                    f"{name} has {host}, which allows any host: name each, or a domain's own names "
                    "as in .switchboard.example"
                )
        return result

    def loopback(self, name: str) -> None:
        """Requires an address of this machine for the demo, which has no TLS, and a password in a
        file."""
        host = self._values.get(name, "").strip("[]")
        if self.demo and host and not is_loopback(host):
            self._wrong.append(
                f"{name}={host} is no address of this machine alone, which the demonstration "
                "(DEMO=true) needs: take 127.0.0.1, or leave it out"
            )

    def url(self, name: str, default: str, schemes: tuple[str, ...]) -> str:
        """Returns an address with one of these schemes, or the default."""
        value = self.text(name, default)
        if value and value.split("://", 1)[0] not in schemes:
            self._wrong.append(f"{name} does not begin with {':// or '.join(schemes)}://")
            return default
        return value

    def origin(self, name: str, demo: str) -> str:
        """Returns the portal's scheme and host, https outside the demo."""
        self.need(self._env.str, name, demo=demo)
        value = self.url(name, demo, ("https", "http") if self.demo else ("https",)).rstrip("/")
        if value.count("/") != 2:
            self._wrong.append(f"{name} has a path: write scheme and host alone")
        return value

    def database(self, name: str, demo: str) -> dict[str, Any]:
        self.need(self._env.str, name, demo=demo)
        return self._parsed(
            self._env.db_url_config, name, demo, ("postgres", "postgresql", "sqlite")
        )

    def email(self, name: str, demo: str) -> dict[str, Any]:
        """Returns Django's `EMAIL_*` settings, from an address such as
        smtp+tls://user:password@host:587."""
        self.need(self._env.str, name, demo=demo)
        schemes = tuple(self._env.EMAIL_SCHEMES)
        result = self._parsed(self._env.email_url_config, name, demo, schemes)
        return {setting: value for setting, value in result.items() if value is not None}

    def _parsed(
        self,
        parse: Callable[[str], dict[str, Any]],
        name: str,
        default: str,
        schemes: tuple[str, ...],
    ) -> dict[str, object]:
        try:
            return parse(self.url(name, default, schemes))
        except ValueError:
            self._wrong.append(f"{name} is malformed")
            return parse(default)

    def fernet_keys(self, name: str) -> list[str]:
        keys = self.needed_listing(name, [])
        for number, key in enumerate(keys, start=1):
            try:
                Fernet(key)
            except ValueError:
                self._wrong.append(f"{name}: key {number} is not 32 bytes in URL-safe base64")
        if not keys and self.demo:
            self._wrong.append(f"{name} is not set")
        return keys

    def openid_connect(self) -> list[dict[str, Any]]:
        """Returns the provider that `OIDC_*` describe, in the form of allauth; all are set, or
        none."""
        names = ("OIDC_NAME", "OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET")
        name, issuer, client_id, secret = values = [self.text(variable) for variable in names]
        if not any(values):
            return []
        self._wrong += [
            f"{variable} is not set, but other OIDC_ variables are"
            for variable, value in zip(names, values, strict=True)
            if not value
        ]
        if not issuer.startswith("https://") and not self.demo:
            self._wrong.append("OIDC_ISSUER does not begin with https://")
        return [
            {
                "provider_id": "sso",
                "name": name,
                "client_id": client_id,
                "secret": secret,
                "settings": {"server_url": issuer},
            }
        ]

    def check(self, folders: Mapping[str, Path]) -> None:
        """Raises `ImproperlyConfigured` with all faults. If there are none, makes the missing
        folders, which are given by the names of their variables."""
        if not self._wrong:
            for name, path in folders.items():
                self._make(name, path)
        if self._wrong:
            lines = "\n".join(f"  - {line}" for line in sorted(set(self._wrong)))
            sys.excepthook = _show_error
            raise Misconfigured(
                f"Switchboard cannot start with this environment:\n{lines}\n"
                "README.md lists every variable. For a demonstration, use `make run`."
            )

    def _make(self, name: str, path: Path) -> None:
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            self._wrong.append(
                f"{name}: the folder {path} cannot be made ({error.strerror}): make it for the "
                "user that runs Switchboard, or name another"
            )
            return
        if not os.access(path, os.W_OK | os.X_OK):
            self._wrong.append(
                f"{name}: the folder {path} cannot be written to: give it to the user that runs "
                "Switchboard, or name another"
            )
