"""`manage.py restore FILE`: puts back what `manage.py backup` has written."""

from argparse import ArgumentParser
from pathlib import Path

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection

from portal.access.models import User
from portal.jobs import backups
from portal.jobs.backups import BackupError

_UNKNOWN = (
    "What happened since is not known here, until it is done again or read anew:",
    "- single changes made on pages are at the service, and not in the audit trail;",
    "- access that was taken back since (accounts, shares, roles, sign-in sessions) is there again:"
    " look through Team and the shares of each connection;",
    "- approvals, holds, baselines and rules set since are gone, and those removed are back;",
    "Run `manage.py verify_audit --note` where the worker runs: its routine check misses the"
    " entries that are lost, and says so until then.",
)


class Command(BaseCommand):
    help = (
        "Replaces the database by a backup, brings it up to date with this release, and has open"
        " jobs ask about what they may have sent since. Stop every process first."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--replace", action="store_true", help="also where the database has tables with rows"
        )

    def handle(self, file: Path, *, replace: bool = False, **_options: object) -> None:
        try:
            with backups.opened(file) as (manifest, folder):
                if not replace and _has_accounts():
                    raise CommandError(
                        "The database has accounts already. Back it up, and name --replace."
                    )
                if running := backups.others():
                    raise CommandError(
                        f"{running} other connections to the database are open: stop every"
                        " process of the portal first."
                    )
                backups.put_back(manifest, folder)
        except BackupError as error:
            raise CommandError(str(error)) from error
        except DatabaseError as error:
            raise CommandError(f"The database does not take it: {error}") from error
        call_command("migrate", verbosity=0)
        self.stdout.write(
            f"This is the state of {manifest.moment:%Y-%m-%d %H:%M:%S} UTC, release"
            f" {manifest.version}, up to audit entry {manifest.last_entry}."
        )
        call_command("after_restore", stdout=self.stdout)
        self.stdout.write("\n".join(_UNKNOWN))


def _has_accounts() -> bool:
    tables = connection.introspection.table_names()
    return User._meta.db_table in tables and User.objects.exists()
