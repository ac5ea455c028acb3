"""The demonstration's administrator and connection."""

from django.db import transaction

from portal.access.models import Connection, User
from portal.access.origin import Origin
from portal.access.roles import Role
from portal.access.services import accounts, connections

_NAME = "Sandbox"  # untranslated: a name
_ADMINISTRATOR = "Demo administrator"  # untranslated: a name


@transaction.atomic
def ensure_demo(email: str, password: str, base_url: str, token: str) -> Connection:
    """Makes the administrator and their connection to the sandbox, or corrects what is there."""
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
    connections.save(origin, connection, None if connection.opens_with(token) else token)
    return connection
