"""Labels of the objects of changes."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any

from portal.access.models import AuditEntry
from portal.access.scope import Scope

# Returns the label of an object of a family by its id, as the stored lists have it, or nothing.
ObjectLabel = Callable[[Scope, str], str]

_listed: defaultdict[str, list[ObjectLabel]] = defaultdict(list)
_called: dict[str, ObjectLabel] = {}
_NAMES = ("email", "name", "topic", "title", "field", "owner_email")


def label_of(*states: dict[str, Any] | None) -> str:
    """The first email, name, topic or title in what was read or sent."""
    for state in states:
        for part in (state or {}, (state or {}).get("user_info") or {}):
            for name in _NAMES:
                if isinstance(part.get(name), str) and part[name]:
                    return str(part[name])
    return ""


def register(labels: Mapping[str, ObjectLabel], names: Mapping[str, ObjectLabel]) -> None:
    """Registers, by families, lookups of labels in the stored lists, and of names that are not the
    labels."""
    _called.update(names)
    for family, label in labels.items():
        _listed[family].append(label)


def name_of(scope: Scope, family: str, object_id: str) -> str:
    """Returns the present name of an object, where its label is something else."""
    find = _called.get(family)
    return find(scope, object_id) if find and object_id else ""


def known_label(scope: Scope, family: str, object_id: str) -> str:
    """Returns the label of an object by the stored lists, or else of an earlier entry about it."""
    if not object_id:
        return ""
    for label in _listed[family]:
        if words := label(scope, object_id):
            return words
    earlier = AuditEntry.objects.filter(
        connection_key=scope.connection.key, family=family, object_id=object_id
    ).exclude(object_label="")
    return earlier.values_list("object_label", flat=True).order_by("-sequence").first() or ""
