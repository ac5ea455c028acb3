"""`manage.py backup FILE`: writes the database, and what else is stored, into one file."""

from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from portal.jobs.backups import BackupError, make


class Command(BaseCommand):
    help = (
        "Writes a backup into one file, also while everything runs. SECRET_KEY, TOKEN_KEYS and"
        " AUDIT_KEY are not in it: keep them apart from it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="a new file")

    def handle(self, file: Path, **_options: object) -> None:
        try:
            manifest = make(file)
        except BackupError as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{file} cannot be written: {error.strerror}.") from error
        self.stdout.write(
            f"{file} has the state of {manifest.moment:%Y-%m-%d %H:%M:%S} UTC, release"
            f" {manifest.version}, up to audit entry {manifest.last_entry}."
        )
        for name, digests in manifest.keys.items():
            self.stdout.write(f"Keep {name} apart from it ({', '.join(digests)}).")
