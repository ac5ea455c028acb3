"""Templates of sessions: kept, found, renamed and deleted, each by its owner alone."""

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet

from portal.access.models import Connection, User
from portal.contract.recurrence import Recurrence
from portal.sessions.models import SessionTemplate
from portal.sessions.specs import SessionSpec

_NOT_KEPT = {"password", "start_time", "schedule_for"}


def templates_of(
    user: User, connection: Connection, spec: SessionSpec
) -> QuerySet[SessionTemplate]:
    """This person's templates of a kind, over this connection."""
    return SessionTemplate.objects.filter(owner=user, connection=connection, kind=spec.family)


def values_of(
    plan: Mapping[str, Any], recurrence: Recurrence | None, host_id: str
) -> dict[str, Any]:
    """Returns the values of a template: neither a password nor a date."""
    return {
        "plan": {name: value for name, value in plan.items() if name not in _NOT_KEPT},
        "recurrence": recurrence.sent() if recurrence else None,
        "host": host_id,
    }


def save(
    user: User, connection: Connection, spec: SessionSpec, name: str, values: dict[str, Any]
) -> SessionTemplate:
    """Keeps a template; one of this name is replaced."""
    kept, _is_new = templates_of(user, connection, spec).update_or_create(
        owner=user,
        connection=connection,
        kind=spec.family,
        name=name,
        defaults={"values": values},
    )
    return kept


def recurrence_of(template: SessionTemplate) -> Recurrence | None:
    recurrence = template.values.get("recurrence")
    return Recurrence.model_validate(recurrence) if recurrence else None
