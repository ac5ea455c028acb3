"""The demonstration: everything on this machine, from nothing, with one command.

Makes the requirements of the portal (keys, a database, an administrator and a sandbox account),
then runs the processes of the Procfile until Ctrl-C. The next start finds all of it in `DATA_DIR`.
"""

import contextlib
import fcntl
import http.client
import json
import os
import secrets
import socket
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import django
from cryptography.fernet import Fernet
from django.core.management import call_command
from django.db import connections

from portal.config.environment import BASE_DIR, is_loopback
from portal.config.procfile import Supervisor, commands

_HOST = "127.0.0.1"
_PROFILES = ("plain", "current")
_EMAIL = "admin@example.com"
_LOADED_WITHIN = 60.0  # seconds; what takes longer goes on while pages are looked at
_TIMEOUT = 180.0  # a slow machine takes its time at the first start


class Unable(Exception):
    """Raised if the demo cannot start; the text says why and what to do."""


@dataclass(frozen=True)
class Demo:
    """Address and folders of this run of the demonstration."""

    data_dir: Path
    port: int
    sandbox_port: int
    sandbox_now: str = ""
    profile: str = "plain"

    @classmethod
    def from_environment(cls) -> "Demo":
        data_dir = Path(os.environ.get("DATA_DIR") or BASE_DIR / ".data").resolve()
        if (host := os.environ.get("WEB_HOST", _HOST)) and not is_loopback(host.strip("[]")):
            raise Unable(
                f"WEB_HOST={host} would let others in, and the demonstration is for this machine "
                "alone: leave it out."
            )
        demo = cls(
            data_dir,
            _port("PORT", 8000),
            _port("SANDBOX_PORT", 8001),
            _moment("SANDBOX_NOW"),
            _profile("SANDBOX_PROFILE"),
        )
        if demo.port == demo.sandbox_port:
            raise Unable("PORT and SANDBOX_PORT are the same: choose two different ports.")
        return demo

    @property
    def url(self) -> str:
        return f"http://{_HOST}:{self.port}"

    @property
    def sandbox_url(self) -> str:
        return f"http://{_HOST}:{self.sandbox_port}/v2"

    @property
    def credentials_file(self) -> Path:
        return self.data_dir / "demo-credentials.json"


def _port(name: str, default: int) -> int:
    text = os.environ.get(name) or str(default)
    if not text.isdecimal() or not 0 < int(text) < 65536:
        raise Unable(f"{name}={text} is not a port: choose a number from 1 to 65535.")
    return int(text)


def _moment(name: str) -> str:
    text = os.environ.get(name, "")
    with contextlib.suppress(ValueError):
        if not text or 2000 <= datetime.fromisoformat(text).year < 2100:
            return text
    raise Unable(f"{name}={text} is not a moment from 2000 to 2099: write 2027-02-28T23:40.")


def _profile(name: str) -> str:
    text = os.environ.get(name) or "plain"
    if text not in _PROFILES:
        raise Unable(f"{name}={text} is not a profile: choose {' or '.join(_PROFILES)}.")
    return text


@contextlib.contextmanager
def sole_run(data_dir: Path) -> Iterator[bool]:
    """Locks the data directory for this run, and yields whether the last run was interrupted."""
    try:
        data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = (data_dir / "demo.lock").open("a+")
    except OSError as error:
        raise Unable(f"DATA_DIR {data_dir} cannot be used: {error.strerror}.") from error
    with lock:
        try:
            # A lock of this process alone: unlike `flock`, its children do not inherit it.
            fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Unable(
                f"Switchboard already runs on {data_dir}. "
                "Stop it, or choose other data: DATA_DIR=… make run"
            ) from None
        lock.seek(0)
        cut_short = bool(lock.read())
        lock.truncate(0)
        lock.write("running")
        lock.flush()
        try:
            yield cut_short
        finally:
            lock.truncate(0)


def await_port(name: str, port: int, *, timeout: float) -> None:
    """Raises `Unable` if the port is taken and stays so for `timeout` seconds."""
    deadline = time.monotonic() + timeout
    while True:
        try:
            socket.create_server((_HOST, port)).close()
        except OSError as error:
            if time.monotonic() > deadline:
                raise Unable(
                    f"Port {port} cannot be used: {error.strerror}. "
                    f"Choose another: {name}={port + 10} make run"
                ) from error
            time.sleep(0.2)
        else:
            return


def write_private(path: Path, text: str) -> None:
    """Writes a file that only its owner can read, whole or not at all."""
    unfinished = path.with_name(f".{path.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)


def keys(data_dir: Path) -> dict[str, str]:
    """Returns the demo's own keys, made at the first run."""
    path = data_dir / "demo.env"
    if not path.exists():
        made = {
            "SECRET_KEY": secrets.token_urlsafe(50),
            "TOKEN_KEYS": Fernet.generate_key().decode(),
            "AUDIT_KEY": secrets.token_urlsafe(32),
            "SANDBOX_TOKEN": secrets.token_urlsafe(32),
        }
        write_private(path, "".join(f"{name}={value}\n" for name, value in made.items()))
    lines = (line.partition("=") for line in path.read_text().splitlines())
    return {name: value for name, equals, value in lines if equals}


def credentials(demo: Demo, sandbox_token: str) -> dict[str, str]:
    """Returns the administrator's sign-in; the password is made once, the addresses are new."""
    stored: dict[str, str] = {}
    with contextlib.suppress(FileNotFoundError):
        stored = json.loads(demo.credentials_file.read_text())
    current = {
        "url": demo.url,
        "email": stored.get("email", _EMAIL),
        "password": stored.get("password") or secrets.token_urlsafe(12),
        "sandbox_url": demo.sandbox_url,
        "sandbox_token": sandbox_token,
        "sandbox_profile": demo.profile,
    }
    if "colleagues" in stored:
        current["colleagues"] = stored["colleagues"]
    if current != stored:
        write_private(demo.credentials_file, json.dumps(current, indent=2) + "\n")
    return current


def environment(demo: Demo, made: dict[str, str]) -> dict[str, str]:
    """Returns the variables that configure the processes; others, such as DATABASE_URL, stay as
    given."""
    # Every port, so that a second sandbox can be connected to.
    api_hosts = (_HOST, os.environ.get("ALLOWED_API_HOSTS"))
    return {
        **made,
        "DEMO": "true",
        "DJANGO_SETTINGS_MODULE": "portal.config.settings",
        "DATA_DIR": str(demo.data_dir),
        "PORT": str(demo.port),
        "SANDBOX_PORT": str(demo.sandbox_port),
        "SANDBOX_DATA_DIR": str(demo.data_dir / "sandbox"),
        "SANDBOX_NOW": demo.sandbox_now,
        "SANDBOX_PROFILE": demo.profile,
        "SITE_URL": demo.url,
        "ALLOWED_HOSTS": f"{_HOST},localhost,[::1]",
        "ALLOWED_API_HOSTS": ",".join(filter(None, api_hosts)),
        "WEB_HOST": _HOST,
        "WEB_WORKERS": os.environ.get("WEB_WORKERS", "1"),
        "WEB_THREADS": os.environ.get("WEB_THREADS", "16"),
        "WORKER_THREADS": os.environ.get("WORKER_THREADS", "8"),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}",
        "PYTHONUNBUFFERED": "1",
        "LOG_LEVEL": os.environ.get("LOG_LEVEL", "WARNING"),
    }


def prepare_database() -> None:
    django.setup()
    call_command("migrate", interactive=False, verbosity=0)
    call_command("seed_demo")
    connections.close_all()


def announce(demo: Demo, sign_in: dict[str, str]) -> None:
    """Waits until the portal and the sandbox answer, then shows the address and the sign-in."""
    deadline = time.monotonic() + _TIMEOUT
    while not (_answers(demo.port, "/account/login/") and _answers(demo.sandbox_port, "/v2/users")):
        if time.monotonic() > deadline:
            show(f"Switchboard has not answered within {_TIMEOUT:.0f} s. The lines above say why.")
            return
        time.sleep(0.1)
    show("The sample account is being loaded …")
    call_command("load_lists", wait=_LOADED_WITHIN)
    connections.close_all()
    show(
        f"""
  Switchboard is ready.

    Address    {sign_in["url"]}
    Email      {sign_in["email"]}
    Password   {sign_in["password"]}

  The sandbox service answers at {sign_in["sandbox_url"]}. Ctrl-C stops everything.
"""
    )
    if os.environ.get("SAMPLE", "on") != "off":
        call_command("seed_sample")
        connections.close_all()


def _answers(port: int, path: str) -> bool:
    """Returns whether something below 500 comes back: the sandbox answers 401 without a token."""
    connection = http.client.HTTPConnection(_HOST, port, timeout=5)
    try:
        connection.request("GET", path)
        return connection.getresponse().status < 500
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def show(text: str) -> None:
    print(text, flush=True)  # noqa: T201


def run(demo: Demo) -> int:
    os.umask(0o077)
    with sole_run(demo.data_dir) as cut_short:
        timeout = 10.0 if cut_short else 0.0
        await_port("PORT", demo.port, timeout=timeout)
        await_port("SANDBOX_PORT", demo.sandbox_port, timeout=timeout)
        made = keys(demo.data_dir)
        sign_in = credentials(demo, made["SANDBOX_TOKEN"])
        os.environ.update(environment(demo, made))
        show("Switchboard is starting …")
        prepare_database()
        supervisor = Supervisor(
            commands().items(), cwd=str(BASE_DIR), started=lambda: announce(demo, sign_in)
        )
        supervisor.loop()
    show("Switchboard has stopped. The data is kept.")
    return 0


def remove_sample(demo: Demo) -> int:
    """Removes the sample of a running demonstration."""
    os.environ.update(environment(demo, keys(demo.data_dir)))
    django.setup()
    call_command("seed_sample", remove=True)
    show("The sample is gone.")
    return 0


def main() -> int:
    try:
        demo = Demo.from_environment()
        return remove_sample(demo) if sys.argv[1:] == ["remove-sample"] else run(demo)
    except Unable as problem:
        print(f"Switchboard cannot start. {problem}", file=sys.stderr)  # noqa: T201
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
