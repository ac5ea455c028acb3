"""People, departments and groups whose licences are never suggested nor reclaimed."""

from collections.abc import Collection, Iterable, Sequence

from django.db import transaction
from django.db.models import Q, QuerySet

from portal.access.audit import Act, record
from portal.access.http import Origin
from portal.access.models import Connection
from portal.access.scope import Scope
from portal.directory.models import GroupKind, Membership
from portal.directory.visible import visible_groups, visible_people
from portal.people.models import ProtectedKind, Protection
from portal.translation import gettext as _


class Protections:
    """All of a connection, read at once."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.entries = list(Protection.objects.filter(connection=connection))
        self._by_key = {(entry.kind, entry.key): entry for entry in self.entries}

    @property
    def people(self) -> Q:
        """The protected ones among rows of `MirroredUser`."""
        keys: dict[str, list[str]] = {kind: [] for kind in ProtectedKind.values}
        for entry in self.entries:
            keys[entry.kind].append(entry.key)
        members = Membership.objects.filter(
            connection=self._connection,
            kind=GroupKind.GROUP,
            group_id__in=keys[ProtectedKind.GROUP],
        )
        return (
            Q(user_id__in=keys[ProtectedKind.PERSON])
            | Q(dept__in=keys[ProtectedKind.DEPARTMENT])
            | Q(pk__in=members.values("user"))
        )

    def of(self, user_id: str, dept: str, group_ids: Iterable[str]) -> Protection | None:
        """Returns the protection of a person, their own first."""
        keys = [
            (ProtectedKind.PERSON.value, user_id),
            (ProtectedKind.DEPARTMENT.value, dept),
            *((ProtectedKind.GROUP.value, group_id) for group_id in group_ids),
        ]
        return next((self._by_key[key] for key in keys if key in self._by_key), None)


def listed(scope: Scope) -> QuerySet[Protection]:
    """The protections of a connection, within the part of the people that it is limited to."""
    found = Protection.objects.filter(connection=scope.connection)
    if not scope.is_narrow:
        return found
    groups = visible_groups(scope).filter(kind=GroupKind.GROUP)
    return found.filter(
        Q(kind=ProtectedKind.PERSON, key__in=visible_people(scope).values("user_id"))
        | Q(kind=ProtectedKind.DEPARTMENT, key__in=visible_people(scope).values("dept"))
        | Q(kind=ProtectedKind.GROUP, key__in=groups.values("group_id"))
    )


def in_words(entry: Protection) -> str:
    """Why somebody's licence is left alone, as a sentence."""
    if entry.kind == ProtectedKind.DEPARTMENT:
        return _("The department %(name)s is protected: %(reason)s") % {
            "name": entry.name,
            "reason": entry.reason,
        }
    if entry.kind == ProtectedKind.GROUP:
        return _("The group %(name)s is protected: %(reason)s") % {
            "name": entry.name,
            "reason": entry.reason,
        }
    return _("Protected: %(reason)s") % {"reason": entry.reason}


def protect(
    origin: Origin,
    connection: Connection,
    kind: ProtectedKind,
    named: Collection[tuple[str, str]],
    reason: str,
) -> int:
    """Protects people, departments or groups, pairs of a key and a name, from now on; of those who
    are protected already the reason changes. Returns how many there are."""
    names = [name for _key, name in named]
    with transaction.atomic():
        for key, name in named:
            Protection.objects.update_or_create(
                connection=connection,
                kind=kind,
                key=key,
                defaults={
                    "name": name[:300],
                    "reason": reason,
                    "protected_by": origin.actor,
                    "email": origin.email,
                },
            )
        record(
            origin,
            Act.LICENCES_PROTECTED,
            object_id=connection.key,
            label=_label(names),
            connection=connection,
            sent={
                "kind": kind.value,
                "protected": names,
                "reason": reason,
            },
        )
    return len(named)


def release(origin: Origin, connection: Connection, entry: Protection) -> None:
    """Ends a protection."""
    with transaction.atomic():
        entry.delete()
        record(
            origin,
            Act.LICENCES_RELEASED,
            object_id=connection.key,
            label=str(entry),
            connection=connection,
            before={"kind": entry.kind, "protected": [entry.name], "reason": entry.reason},
        )


def _label(names: Sequence[str]) -> str:
    """As the audit trail has it, in one language."""
    if len(names) == 1:
        return names[0]
    return f"{len(names):,} protected"  # untranslated: stored in one language
