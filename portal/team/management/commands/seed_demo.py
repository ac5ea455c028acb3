"""`manage.py seed_demo`: the demonstration's administrator and their connection."""

import json
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from portal.access.http import Origin
from portal.access.models import Connection, User, Way
from portal.access.roles import Role
from portal.client import ClientCredentials, Secret
from portal.connections.services import connections
from portal.team import accounts

_CURRENT = "current"  # the profile, and the dialect of its names
_NAME = "Sandbox"  # untranslated: a name
_ADMINISTRATOR = "Demo administrator"  # untranslated: a name


@transaction.atomic
def ensure_demo(
    email: str, password: str, base_url: str, token: str, profile: str = "plain"
) -> Connection:
    """Makes the administrator and their connection to the sandbox, or corrects what is there.

    In the profile `current` its token is renewed, and its names are those of today.
    """
    origin = Origin()
    user = User.objects.filter(email=email.lower()).first() or accounts.create(
        origin, email=email, name=_ADMINISTRATOR, role=Role.ADMINISTRATOR
    )
    if not user.check_password(password):
        user.set_password(password)
        user.save(update_fields=["password"])
    connection = Connection.objects.filter(owner=user, name=_NAME).first() or Connection(
        owner=user, name=_NAME
    )
    connection.base_url = base_url
    client, way = None, Way.QUERY
    if profile == _CURRENT:
        url = urlsplit(base_url)._replace(path="/oauth/token").geturl()
        client, way = (
            ClientCredentials(url, "demonstration", Secret(token), "demonstration"),
            Way.RENEWING,
        )
    same = connection.opens_with(token) and connection.way == way
    connection.way, connection.dialect = way, _CURRENT if client else ""
    connections.save(origin, connection, None if same else token, client=client)
    return connection


class Command(BaseCommand):
    help = "Makes the administrator and connection that DATA_DIR/demo-credentials.json describes."

    def handle(self, **_options: object) -> None:
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
