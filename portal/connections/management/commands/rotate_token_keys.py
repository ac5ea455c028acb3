"""`manage.py rotate_token_keys`: after a new key was put first in TOKEN_KEYS."""

from django.core.management.base import BaseCommand, CommandError

from portal.connections.services.keys import rotate

_LISTED = 50  # secrets that no key opens, by name


class Command(BaseCommand):
    help = "Encrypts every stored secret under the first key of TOKEN_KEYS."

    def handle(self, **_options: object) -> None:
        rotation = rotate()
        self.stdout.write(f"{rotation.rotated} secrets are encrypted under the first key.")
        if rotation.unreadable:
            listed = "\n".join(f"  - {whose}" for whose in rotation.unreadable[:_LISTED])
            if more := len(rotation.unreadable) - _LISTED:
                listed += f"\n  - and {more} more" if more > 0 else ""
            raise CommandError(
                f"No key in TOKEN_KEYS opens these:\n{listed}\n"
                "Add the key they were encrypted under, or have their owners renew them."
            )
        self.stdout.write("The other keys can be taken out of TOKEN_KEYS now.")
