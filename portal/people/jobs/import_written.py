"""Results of an import's rows, written into the mirror as they are done."""

from collections.abc import Sequence
from typing import Any

from portal.access.scope import Scope
from portal.contract.users import CreateAction, StatusAction
from portal.directory import groups, users
from portal.jobs.models import JobItem
from portal.people.imports.account import GROUP_COLUMNS
from portal.people.services.creation import LISTED, status_after
from portal.people.services.status import RESULT


def note(scope: Scope, items: Sequence[JobItem]) -> None:
    """Notes what these items, done just now, have created, changed and removed."""
    if removed := [item.object_id for item in items if "removal" in item.data]:
        users.remove(scope.connection, removed)
    written = [item for item in items if "removal" not in item.data and item.object_id]
    fields = {item.object_id: _written_fields(item) for item in written}
    users.note_written(scope.connection, fields)
    for column, kind in GROUP_COLUMNS.items():
        for name, change in ((column, groups.join), (f"leave_{column}", groups.leave)):
            members: dict[str, list[str]] = {}
            for item in written:
                for group_id in item.data.get(name, ()):
                    members.setdefault(group_id, []).append(item.object_id)
            for group_id, ids in members.items():
                change(scope.connection, kind.mirrored, group_id, ids)


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
