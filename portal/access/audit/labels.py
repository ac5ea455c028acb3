"""Labels of the objects of changes."""

from typing import Any

from portal.access.models import AuditEntry, Connection

_NAMES = ("email", "name", "topic", "title", "field", "owner_email")


def label_of(*states: dict[str, Any] | None) -> str:
    """The first email, name, topic or title in what was read or sent."""
    for state in states:
        for part in (state or {}, (state or {}).get("user_info") or {}):
            for name in _NAMES:
                if isinstance(part.get(name), str) and part[name]:
                    return str(part[name])
    return ""


def known_label(connection: Connection, family: str, object_id: str) -> str:
    """Returns the label of the same object in an earlier entry."""
    if not object_id:
        return ""
    earlier = AuditEntry.objects.filter(
        connection_key=connection.key, family=family, object_id=object_id
    ).exclude(object_label="")
    return earlier.values_list("object_label", flat=True).order_by("-sequence").first() or ""
