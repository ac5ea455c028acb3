"""The demonstration's administrator and connection."""

from urllib.parse import urlsplit

from django.db import transaction

from portal.access.models import Connection, User, Way
from portal.access.origin import Origin
from portal.access.roles import Role
from portal.access.services import accounts, connections
from portal.client import ClientCredentials, Secret

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
