"""`manage.py seed_demo`: the demonstration's administrator and their connection."""

import json
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from portal.access.services import ensure_demo


class Command(BaseCommand):
    help = "Makes the administrator and connection that DATA_DIR/demo-credentials.json describes."

    def handle(self, **_options: Any) -> None:
        if not settings.DEMO:
            raise CommandError("This is not a demonstration: DEMO is not set.")
        path = settings.DATA_DIR / "demo-credentials.json"
        try:
            data = json.loads(path.read_text())
            wanted = (
                data["email"],
                data["password"],
                data["sandbox_url"],
                data["sandbox_token"],
                data.get("sandbox_profile", "plain"),
            )
        except (OSError, ValueError, KeyError, TypeError):
            raise CommandError(f"{path} is missing or incomplete.") from None
        ensure_demo(*wanted)
