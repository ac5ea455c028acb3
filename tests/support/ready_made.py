"""Databases with every table and no rows, migrated once for all runs of the same migrations.

    lay_out(portal_database(), data_dir / "switchboard.sqlite3")

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

from django.conf import settings

from tests.support.programs import ROOT, production, surroundings

# The audit trail of the portal's begins with a seal under this key, which is the tests' own.
AUDIT_KEY: str = settings.AUDIT_KEY
# What a migrated database depends on: the models that migrations name, and the seal of the trail.
_MADE_BY = ("requirements.txt", "portal/*/migrations/*.py", "portal/access/audit/*.py")


@cache
def portal_database() -> Path:
    """The portal's, as `manage.py migrate` makes it with `AUDIT_KEY`."""
    folder = _folder()
    return _made(
        folder / "switchboard.sqlite3",
        production(folder)
        | {"DJANGO_SETTINGS_MODULE": "portal.config.settings", "AUDIT_KEY": AUDIT_KEY},
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
            subprocess.run(
                [sys.executable, "manage.py", "migrate", "--verbosity", "0"],
                cwd=ROOT,
                env=surroundings() | environment,
                check=True,
            )
            done.touch()
    return path
