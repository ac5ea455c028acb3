"""Sessions that were held, as tests find them."""

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx

from tests.plugins.sandbox import Sandbox
from tests.sandbox.conftest import Json

TODAY = datetime.now(UTC).date()
HALF_A_YEAR = {"from": str(TODAY - timedelta(days=190)), "to": str(TODAY)}


def days(first: date, last: date) -> Json:
    return {"from": str(first), "to": str(last)}


def read(api: httpx.Client, path: str, **asked: Any) -> Json:
    answer = api.get(path, params=asked)
    assert answer.status_code == 200, answer.text
    return answer.json()


def sessions(api: httpx.Client, kind: str, which: str, **asked: Any) -> list[Json]:
    """Meetings or webinars on the dashboard, at most 300."""
    params = {**HALF_A_YEAR, "type": which, "page_size": 300, **asked}
    return read(api, f"/metrics/{kind}", **params)[kind]


def pages(api: httpx.Client, path: str, **asked: Any) -> Iterator[Json]:
    token = ""
    while True:
        page = read(api, path, next_page_token=token, **asked)
        yield page
        token = page["next_page_token"]
        if not token:
            return


def in_path(uuid: str) -> str:
    once = quote(uuid, safe="")
    return quote(once, safe="") if "/" in uuid else once


def run_within(sandbox: Sandbox, code: str) -> str:
    """Runs code on the sandbox's database, as one of its processes; what it prints."""
    ran = subprocess.run(
        [sys.executable, "-c", f"import django; django.setup()\n{code}"],
        cwd=Path(__file__).parents[2],
        env={
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "portal.sandbox.settings",
            "SANDBOX_DATA_DIR": str(sandbox.data_dir),
            "SANDBOX_DATABASE_URL": "",
        },
        capture_output=True,
        text=True,
        timeout=240,  # on a busy machine
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout
