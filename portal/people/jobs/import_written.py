"""Results of an import's rows, written into the mirror as they are done."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from portal.access.scope import Scope
from portal.contract.users import CreateAction, StatusAction
from portal.directory import groups, users
from portal.directory.models import GroupKind
from portal.jobs.models import JobItem
from portal.people.services.creation import LISTED, status_after
from portal.people.services.status import RESULT

_GROUPS = (
    ("groups", GroupKind.GROUP, groups.join),
    ("im_groups", GroupKind.IM_GROUP, groups.join),
    ("leave_groups", GroupKind.GROUP, groups.leave),
    ("leave_im_groups", GroupKind.IM_GROUP, groups.leave),
)


def note(scope: Scope, items: Sequence[JobItem]) -> None:
    """Notes what these items, done just now, have created, changed and removed."""
    removed = [item.object_id for item in items if "removal" in item.data]
    if removed:
        users.remove(scope.connection, removed)
    written = [item for item in items if "removal" not in item.data and item.object_id]
    users.note_written(
        scope.connection, {item.object_id: _written_fields(item) for item in written}
    )
    for name, kind, change in _GROUPS:
        for group_id, members in _by_group(written, name):
            change(scope.connection, kind, group_id, members)


def _written_fields(item: JobItem) -> dict[str, Any]:
    """Returns the fields that lists will report of a person after the row, as far as it has
    them."""
    data: dict[str, Any] = {}
    if created := item.data.get("create"):
        data |= {name: value for name, value in created["user_info"].items() if name in LISTED}
        data["status"] = status_after(CreateAction(created["action"]))
    data |= item.data.get("profile", {})
    if action := item.data.get("status"):
        data["status"] = RESULT[StatusAction(action)]
    return data


def _by_group(items: Iterable[JobItem], name: str) -> Iterator[tuple[str, list[str]]]:
    members: dict[str, list[str]] = {}
    for item in items:
        for group_id in item.data.get(name, ()):
            members.setdefault(group_id, []).append(item.object_id)
    yield from members.items()
