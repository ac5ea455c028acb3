"""Databases with every table and no rows, migrated once for all runs of the same migrations.

    lay_out(portal_database(), data_dir / "switchboard.sqlite3")
    f'CREATE DATABASE mine TEMPLATE "{postgresql_template(url)}"'

Tests of migrations, or of the first start of a program, begin with nothing and use none of this.
"""

import fcntl
import hashlib
import shutil
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
from django.conf import settings
from psycopg.sql import SQL, Identifier

from tests.support.programs import ROOT, production, surroundings

# The audit trail of the portal's begins with a seal under this key, which is the tests' own.
AUDIT_KEY: str = settings.AUDIT_KEY
# What a migrated database depends on: the models that migrations name, and the seal of the trail.
_MADE_BY = ("requirements.txt", "portal/*/migrations/*.py", "portal/audit/*.py")

_PORTAL = {"DJANGO_SETTINGS_MODULE": "portal.config.settings", "AUDIT_KEY": AUDIT_KEY}
_TEMPLATE = "switchboard_ready_"


@cache
def portal_database() -> Path:
    """The portal's, as `manage.py migrate` makes it with `AUDIT_KEY`."""
    folder = _folder()
    return _made(
        folder / "switchboard.sqlite3",
        production(folder) | _PORTAL,
    )


@cache
def sandbox_database() -> Path:
    """The sandbox's, likewise."""
    folder = _folder()
    return _made(
        folder / "sandbox.sqlite3",
        {
            "DJANGO_SETTINGS_MODULE": "portal.sandbox.settings",
            "SANDBOX_DATA_DIR": str(folder),
            "SANDBOX_DATABASE_URL": "",
        },
    )


@cache
def postgresql_template(url: str) -> str:
    """The portal's on the server of `url`: the name of a database to be copied."""
    folder = _folder()
    name = f"{_TEMPLATE}{folder.name}"
    with (
        (folder / "postgresql.lock").open("w") as lock,
        psycopg.connect(url, autocommit=True) as server,
    ):
        fcntl.flock(lock, fcntl.LOCK_EX)
        query = "SELECT datname FROM pg_database WHERE starts_with(datname, %s)"
        names = [row[0] for row in server.execute(query, [_TEMPLATE])]
        if name not in names:
            for other in names:  # of other migrations, or of a run that was ended while it migrated
                server.execute(SQL("DROP DATABASE {} WITH (FORCE)").format(Identifier(other)))
            half = Identifier(f"{name}_half")
            server.execute(SQL("CREATE DATABASE {}").format(half))
            address = urlunsplit(urlsplit(url)._replace(path=f"/{name}_half"))
            _migrate(production(folder) | _PORTAL | {"DATABASE_URL": address})
            server.execute(SQL("ALTER DATABASE {} RENAME TO {}").format(half, Identifier(name)))
    return name


def lay_out(database: Path, path: Path) -> None:
    """A copy of it at this path, unless something is there."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(database, path)


def _folder() -> Path:
    """The folder of what these migrations make; a change of them has one of its own."""
    digest = hashlib.sha256(f"{sys.version}\0{AUDIT_KEY}".encode())
    for pattern in _MADE_BY:
        for path in sorted(ROOT.glob(pattern)):
            digest.update(path.read_bytes())
    folder = ROOT / ".pytest_cache" / "ready-made" / digest.hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _made(path: Path, environment: Mapping[str, str]) -> Path:
    """Its name in a folder that all processes share; one of them makes it, the others wait."""
    done = path.with_suffix(".done")
    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            path.unlink(missing_ok=True)  # of a run that was ended while it migrated
            _migrate(environment)
            done.touch()
    return path


def _migrate(environment: Mapping[str, str]) -> None:
    subprocess.run(
        [sys.executable, "manage.py", "migrate", "--verbosity", "0"],
        cwd=ROOT,
        env={**surroundings(), **environment},
        check=True,
    )
