"""A backup in one file: the database, the folder of dialects, and what says where they fit.

Keys are not in it: `TOKEN_KEYS` and `AUDIT_KEY` are named by a digest each, so that a restore under
other keys is refused before anything is replaced.
"""

import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import tarfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings
from django.db import connection
from django.db.backends.postgresql.client import DatabaseClient
from django.db.migrations.loader import MigrationLoader

from portal.audit.models import AuditEntry
from portal.config import clock
from portal.config.metrics import version

# untranslated: said in a terminal, to who runs the commands
_MANIFEST, _DATABASE, _DIALECTS = "manifest.json", "database", "dialects"
_OWNED = ("--no-owner", "--no-privileges", "--no-comments")


class BackupError(Exception):
    """A backup that cannot be made, or does not fit here; nothing was replaced."""


@dataclass(frozen=True)
class Manifest:
    """Description of a backup: where it is from, and what it fits."""

    made_at: str
    version: str
    vendor: str
    migrations: list[str]
    keys: dict[str, list[str]]
    last_entry: int

    @property
    def moment(self) -> datetime:
        return datetime.fromisoformat(self.made_at)


def make(path: Path) -> Manifest:
    """Writes a backup, of one moment of the database, also while everything runs."""
    if path.exists():
        raise BackupError(f"{path} is there already: choose another name.")
    applied = MigrationLoader(connection).applied_migrations
    last = AuditEntry.objects.order_by("-sequence").values_list("sequence", flat=True).first()
    manifest = Manifest(
        made_at=clock.now().isoformat(timespec="seconds"),
        version=version(),
        vendor=connection.vendor,
        migrations=sorted(".".join(name) for name in applied),
        keys=_keys(),
        last_entry=last or 0,
    )
    # Beside the file, where there has to be room for it.
    with TemporaryDirectory(prefix=".backup-", dir=path.resolve().parent) as folder:
        database, archive = Path(folder, _DATABASE), Path(folder, "archive")
        if connection.vendor == "sqlite":
            with closing(sqlite3.connect(database)) as copy:
                connection.ensure_connection()
                connection.connection.backup(copy)
        else:
            _run("pg_dump", "--format=custom", f"--file={database}")
        Path(folder, _MANIFEST).write_text(json.dumps(asdict(manifest), indent=1))
        with tarfile.open(archive, "w") as tar:
            for name in (_MANIFEST, _DATABASE):
                tar.add(Path(folder, name), name)
            if _dialects().is_dir():
                tar.add(_dialects(), _DIALECTS)
        archive.chmod(0o600)
        _synced(archive).rename(path)
    return manifest


@contextmanager
def opened(path: Path) -> Iterator[tuple[Manifest, Path]]:
    """A backup's manifest, and the folder with what is in it. Raises `BackupError` where it does
    not fit this program, its database or its keys."""
    with TemporaryDirectory(prefix=".restore-", dir=path.resolve().parent) as folder:
        try:
            with tarfile.open(path) as tar:
                tar.extractall(folder, filter="data")
            manifest = Manifest(**json.loads(Path(folder, _MANIFEST).read_text()))
        except FileNotFoundError as error:
            raise BackupError(f"{path} is not there, or is no backup.") from error
        except (tarfile.TarError, ValueError, TypeError, EOFError) as error:
            raise BackupError(f"{path} is no backup, or is damaged.") from error
        _check(manifest)
        yield manifest, Path(folder)


def put_back(manifest: Manifest, folder: Path) -> None:
    """Replaces the database, and the dialects, by those of an opened backup."""
    if manifest.vendor == "sqlite":
        with closing(sqlite3.connect(folder / _DATABASE)) as copy:
            connection.ensure_connection()
            copy.backup(connection.connection)
    else:
        script = folder / "script"
        with script.open("w") as file:
            tables = ", ".join(
                connection.ops.quote_name(name)
                for name in connection.introspection.table_names(include_views=False)
            )
            if tables:
                file.write(f"DROP TABLE {tables} CASCADE;\n")
            file.flush()
            _run("pg_restore", *_OWNED, "--file=-", at_end=[str(folder / _DATABASE)], output=file)
        connection.close()
        _run("psql", "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--single-transaction",
             "--output=/dev/null", f"--file={script}")  # fmt: skip
    connection.close()
    if (folder / _DIALECTS).is_dir():
        shutil.copytree(folder / _DIALECTS, _dialects(), dirs_exist_ok=True)


def others() -> int:
    """Returns how many other connections the database has: processes that are not stopped."""
    if connection.vendor == "sqlite":
        return 0
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        return int(cursor.fetchone()[0])


def _check(manifest: Manifest) -> None:
    if manifest.vendor != connection.vendor:
        raise BackupError(f"It is of {manifest.vendor}, this database of {connection.vendor}.")
    loader = MigrationLoader(None)
    own = {".".join(name) for name in loader.disk_migrations}
    if unknown := sorted(set(manifest.migrations) - own):
        raise BackupError(
            f"It was made by release {manifest.version}, which is newer than this one, {version()}:"
            f" {unknown[0]} is unknown here. Restore it with that release."
        )
    for name, digests in manifest.keys.items():
        if missing := set(digests) - set(_keys()[name]):
            raise BackupError(
                f"{name} is not what it was when the backup was made ({', '.join(sorted(missing))}"
                " is missing): set it as it was."
            )


def _keys() -> dict[str, list[str]]:
    """Digests that name the keys without telling them."""
    keys = {"TOKEN_KEYS": settings.TOKEN_KEYS, "AUDIT_KEY": [settings.AUDIT_KEY]}
    return {name: [_digest(name, key) for key in each] for name, each in keys.items()}


def _digest(name: str, key: str | bytes) -> str:
    text = key.decode() if isinstance(key, bytes) else key
    return hashlib.sha256(f"{name} {text}".encode()).hexdigest()[:12]


def _dialects() -> Path:
    return Path(settings.DATA_DIR) / _DIALECTS


def _synced(path: Path) -> Path:
    with path.open("rb") as file:
        os.fsync(file.fileno())
    return path


def _run(
    program: str, *options: str, at_end: list[str] | None = None, output: object = None
) -> None:
    """Runs one of PostgreSQL's programs on the portal's database. The password is in its
    environment, which the list of processes does not show."""
    arguments, own = DatabaseClient.settings_to_cmd_args_env(connection.settings_dict, [])
    environment: Mapping[str, str] = {**os.environ, **(own or {})}
    # pg_restore that writes a script connects to no database.
    of_database = at_end if at_end is not None else arguments[1:]
    try:
        subprocess.run(  # noqa: S603
            [program, *options, *of_database],
            env=environment,
            stdout=output,  # type: ignore[call-overload]
            stderr=subprocess.PIPE,
            text=True,
            check=True,
        )
    except FileNotFoundError as error:
        raise BackupError(
            f"{program} is not installed: it is in Debian's postgresql-client."
        ) from error
    except subprocess.CalledProcessError as error:
        raise BackupError(f"{program}: {error.stderr.strip()[-500:]}") from error
