"""A portal to measure: its database, an administrator with a connection, its worker processes."""

import os
import re
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import packages_distributions
from pathlib import Path

import psutil
from cryptography.fernet import Fernet
from packaging.utils import canonicalize_name

from bench.servers import ROOT, Server

_DEPLOYED = Path(__file__).parent / "deployed"
_TIMEOUT = 60.0
_SETTLED = 10.0


def configure(data_dir: Path, **settings: str) -> None:
    """Makes this process, and those that it starts, a portal with its data there."""
    os.environ.update(environment(data_dir, **settings))
    import django  # noqa: PLC0415 - settings are read from what stands above
    from django.core.management import call_command  # noqa: PLC0415

    django.setup()
    call_command("migrate", verbosity=0)


def environment(data_dir: Path, **settings: str) -> dict[str, str]:
    """That of a portal with its data there."""
    return {
        "DJANGO_SETTINGS_MODULE": "portal.config.settings",
        "DEMO": "true",
        "DATA_DIR": str(data_dir),
        "SECRET_KEY": secrets.token_urlsafe(50),
        "TOKEN_KEYS": Fernet.generate_key().decode(),
        "AUDIT_KEY": secrets.token_urlsafe(32),
        "SITE_URL": "http://127.0.0.1",
        "ALLOWED_HOSTS": "127.0.0.1",
        "ALLOWED_API_HOSTS": "127.0.0.1",
        "LOG_LEVEL": "WARNING",
        "WORKER_THREADS": "4",
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}",
        **settings,
    }


def connect(server: Server, profile: str = "plain") -> str:
    """The key of an administrator's connection to a service."""
    from portal.team.management.commands.seed_demo import ensure_demo  # noqa: PLC0415 - models need the setup

    url = f"http://127.0.0.1:{server.port}/v2"
    email = f"admin{server.port}@example.com"
    return ensure_demo(email, "correct horse battery", url, server.token, profile).key


class Worker:
    """The worker and the beat; `peak` is the most memory that the worker had, in MB."""

    def __init__(self, worker: int) -> None:
        self._process = psutil.Process(worker)
        self.peak = 0.0

    def look(self) -> float:
        """MB of resident memory now."""
        now: float = round(self._process.memory_info().rss / 1e6, 1)
        self.peak = max(self.peak, now)
        return now

    def at_rest(self) -> float:
        """MB once it has started and has had nothing to do."""
        began = self._process.create_time()
        known = 0.0
        while True:
            time.sleep(2.0)
            now = self.look()
            if abs(now - known) < 0.5 and time.time() - began > _SETTLED:
                return now
            known = now


def not_deployed() -> set[str]:
    """The modules that are installed here, and that `requirements.txt` does not bring."""
    named = re.findall(r"^([\w.-]+)==", (ROOT / "requirements.txt").read_text(), re.MULTILINE)
    deployed = {canonicalize_name(name) for name in named}
    return {
        module
        for module, packages in packages_distributions().items()
        if not deployed & {canonicalize_name(name) for name in packages}
    }


@contextmanager
def working() -> Iterator[Worker]:
    """The worker and the beat, with the packages that a deployment has."""
    hidden = {"PYTHONPATH": str(_DEPLOYED), "NOT_DEPLOYED": ",".join(sorted(not_deployed()))}
    started = [
        subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", "portal.config.procfile", name],
            cwd=ROOT,
            env={**os.environ, **hidden},
            stdout=sys.stderr,  # what a bench prints is its own
        )
        for name in ("worker", "beat")
    ]
    try:
        yield Worker(started[0].pid)
    finally:
        for process in started:
            process.send_signal(signal.SIGTERM)
        for process in started:
            process.wait(_TIMEOUT)
