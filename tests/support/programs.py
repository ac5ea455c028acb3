"""Runs the portal as a program of its own, in an environment that a test makes."""

import os
import secrets
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cryptography.fernet import Fernet

ROOT = Path(__file__).resolve().parents[2]
_OURS = {
    "DEMO",
    "DJANGO_ALLOW_ASYNC_UNSAFE",
    "DJANGO_SETTINGS_MODULE",
    "SECRET_KEY",
    "TOKEN_KEYS",
    "AUDIT_KEY",
    "SITE_URL",
    "ALLOWED_HOSTS",
    "ALLOWED_API_HOSTS",
    "DATA_DIR",
    "DATABASE_URL",
    "REDIS_URL",
    "CELERY_BROKER_URL",
    "EMAIL_URL",
    "METRICS_TOKEN",
    "PORT",
    "SANDBOX_PORT",
    "SANDBOX_NOW",
}


def surroundings() -> dict[str, str]:
    """This process's environment without what configures the portal."""
    return {name: value for name, value in os.environ.items() if name not in _OURS}


def production(data_dir: Path) -> dict[str, str]:
    """An environment as an operator sets it, on SQLite and the embedded broker."""
    return {
        "SECRET_KEY": secrets.token_urlsafe(50),
        "TOKEN_KEYS": Fernet.generate_key().decode(),
        "AUDIT_KEY": secrets.token_urlsafe(32),
        "ALLOWED_HOSTS": "switchboard.example",
        "SITE_URL": "https://switchboard.example",
        "DATABASE_URL": f"sqlite:///{data_dir}/switchboard.sqlite3",
        "EMAIL_URL": "smtp+tls://switchboard:secret@mail.example:587",
        "DATA_DIR": str(data_dir),
    }


def run(*arguments: str, environment: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    """`python <arguments>` in the project's directory."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=surroundings() | environment,
        capture_output=True,
        text=True,
        timeout=150,  # a busy machine takes its time
        check=False,
    )


def heard_until(process: "subprocess.Popen[str]", *words: str, timeout: float = 300) -> list[str]:
    """The lines that a program says, up to one with any of these words in it."""
    assert process.stdout
    heard = []
    with _killed_after(process, timeout):
        for line in process.stdout:
            heard.append(line)
            if any(word in line for word in words):
                break
    return heard


@contextmanager
def _killed_after(process: "subprocess.Popen[str]", timeout: float) -> Iterator[None]:
    timer = threading.Timer(timeout, process.kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
