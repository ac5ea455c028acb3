"""`manage.py seed_sample`: adds the sample content of a demonstration, or removes it."""

import json
from argparse import ArgumentParser

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from portal.access.models import Connection
from portal.config.demo import write_private
from portal.domain import samples


class Command(BaseCommand):
    help = "Adds sample colleagues, jobs, rules and more to a demonstration, or takes them away."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--remove", action="store_true", help="take them away again")

    def handle(self, *, remove: bool, **_options: object) -> None:
        if not settings.DEMO:
            raise CommandError("This is not a demonstration: DEMO is not set.")
        path = settings.DATA_DIR / "demo-credentials.json"
        stored = json.loads(path.read_text())
        connection = Connection.objects.select_related("owner").get(
            owner__email=stored["email"], name="Sandbox"
        )
        if remove:
            samples.remove(connection)
            stored.pop("colleagues", None)
            write_private(path, json.dumps(stored, indent=2) + "\n")
        elif made := samples.add_colleagues(connection):
            # Written first: a killed program would take the only copy of the passwords with it.
            stored["colleagues"] = made
            write_private(path, json.dumps(stored, indent=2) + "\n")
            samples.make(connection)
            for one in made:
                self.stdout.write(f"    Colleague  {one['email']}  {one['password']}")
