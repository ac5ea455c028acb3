"""What an import of people changed, and the data of items that take it back."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from portal.jobs.models import ItemState, Job, JobItem
from portal.mirror.memberships import GROUP_IDS
from portal.mirror.models import GroupKind
from portal.people.imports.columns import REMOVALS
from portal.people.imports.compare import CREATE, in_words, title_of
from portal.people.jobs.taking_back import ACTION_TO, Back, Value, group_value, status_value

_JOINED = {GroupKind.GROUP: "groups", GroupKind.IM_GROUP: "im_groups"}
_LEFT = {GroupKind.GROUP: "leave_groups", GroupKind.IM_GROUP: "leave_im_groups"}


def values(item: JobItem) -> Iterator[Value]:
    """What a done item has changed of somebody who was on the account."""
    data, before = item.data, item.data["before"]
    for name, value in data.get("profile", {}).items():
        yield Value(name, title_of(name), before.get(name), value, partial(in_words, name))
    if data.get("status"):
        yield status_value(before["status"], data["status"])
    for kind in GroupKind:
        for key, was_member in ((_JOINED[kind], False), (_LEFT[kind], True)):
            for group_id in data.get(key, ()):
                yield group_value(kind, group_id, before["names"][group_id], was_member)


def data_back(item: JobItem, back: Back) -> dict[str, Any]:
    """What restores it, in the words of an import."""
    values = dict(back.values)
    before = {**back.replaced, "names": item.data["before"]["names"]}
    data: dict[str, Any] = {"email": item.data["email"], "before": before}
    if status := values.pop("status", ""):
        data["status"] = ACTION_TO[status]
    for kind, ids in GROUP_IDS.items():
        for name in [name for name in values if name.startswith(f"{ids} ")]:
            key = _JOINED[kind] if values.pop(name) else _LEFT[kind]
            data.setdefault(key, []).append(name.partition(" ")[2])
    if values:
        data["profile"] = values
    return data


def note_of(job: Job) -> Iterator[str]:
    """What taking an import back leaves as it is."""
    done = job.items.filter(state=ItemState.DONE)
    if created := done.filter(action=CREATE).count():
        who = (
            "1 person whom the import created stays"
            if created == 1
            else (f"{created:,} people whom the import created stay")
        )
        yield f"{who} on the account. Remove them in the list where they are not wanted."
    if removed := done.filter(action__in=REMOVALS).count():
        who = (
            "1 person who was removed does"
            if removed == 1
            else (f"{removed:,} people who were removed do")
        )
        yield f"{who} not come back."
    if "host_key" in job.parameters.get("names", ()):
        yield "Host keys stay as the import set them: the former ones are not kept."
