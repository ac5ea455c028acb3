"""Which tracking value asks for registration, as administrators state it."""

from django.db import transaction

from portal.access.audit import Act, record
from portal.access.models import Connection
from portal.access.origin import Origin
from portal.sessions.models import RegistrationRule


def stated(connection: Connection) -> RegistrationRule | None:
    """Returns the rule of the connection; None if no value asks for registration."""
    return RegistrationRule.objects.filter(connection=connection).first()


def state(origin: Origin, connection: Connection, data: dict[str, str]) -> None:
    """Keeps the `field` and the `value` that sessions are held against; nothing forgets both."""
    with transaction.atomic():
        earlier = RegistrationRule.objects.select_for_update().filter(connection=connection).first()
        before = _named(earlier)
        if data == before:
            return
        if data:
            RegistrationRule.objects.update_or_create(connection=connection, defaults=data)
        elif earlier:
            earlier.delete()
        record(
            origin,
            Act.REGISTRATION_STATED,
            object_id=connection.key,
            label=connection.name,
            connection=connection,
            sent=data or dict.fromkeys(before, None),
            before=before,
        )


def _named(rule: RegistrationRule | None) -> dict[str, str]:
    return {"field": rule.field, "value": rule.value} if rule else {}
