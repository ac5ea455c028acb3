"""`manage.py messages`: updates the catalogues of translations, and compiles them."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from portal.translation import catalogues


class Command(BaseCommand):
    help = "Writes new messages into the catalogues of the rooms named, or of all, and compiles."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("rooms", nargs="*", help="folders of portal; all that have words")
        parser.add_argument(
            "--compile", action="store_true", dest="only_compile", help="only compile"
        )

    def handle(self, *_args: object, **options: Any) -> None:
        if not options["only_compile"]:
            unknown = set(options["rooms"]) - set(catalogues.rooms())
            if unknown:
                raise CommandError(f"There is no room {', '.join(sorted(unknown))}.")
            for room in options["rooms"] or catalogues.rooms():
                self._update(room)
        catalogues.compile_all()

    def _update(self, room: str) -> None:
        for language in catalogues.LANGUAGES:
            catalogue = catalogues.update(room, language)
            missing = catalogues.missing(catalogue)
            if len(catalogue):
                self.stdout.write(
                    f"{room}/{language}: {len(catalogue)} messages, {len(missing)} missing"
                )
