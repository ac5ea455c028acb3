"""Changes by an import of people, and the data of items that undo them."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from django.urls import reverse

from portal.directory import users as mirror
from portal.directory.memberships import GROUP_IDS
from portal.directory.models import GroupKind
from portal.directory.users import UserFilter
from portal.jobs.job_types import Pointer
from portal.jobs.models import UNDOES, ItemState, Job, JobItem
from portal.people.imports.columns import REMOVALS, title_of
from portal.people.imports.compare import in_words
from portal.people.jobs.reverting import ACTION_TO, Reversal, Value, group_value, status_value
from portal.people.labels import people_in_words
from portal.translation import gettext as _
from portal.translation import ngettext, number

_JOINED = {GroupKind.GROUP: "groups", GroupKind.IM_GROUP: "im_groups"}
_LEFT = {GroupKind.GROUP: "leave_groups", GroupKind.IM_GROUP: "leave_im_groups"}


def values(item: JobItem) -> Iterator[Value]:
    """Yields the values that a done item has changed of a person who was on the account."""
    data, before = item.data, item.data["before"]
    for name, value in data.get("profile", {}).items():
        yield Value(name, title_of(name), before.get(name), value, partial(in_words, name))
    if data.get("status"):
        yield status_value(before["status"], data["status"])
    for kind in GroupKind:
        for key, was_member in ((_JOINED[kind], False), (_LEFT[kind], True)):
            for group_id in data.get(key, ()):
                yield group_value(kind, group_id, before["names"][group_id], was_member)


def undo_data(item: JobItem, reversal: Reversal) -> dict[str, Any]:
    """Returns the data of an item that restores the values, in the form of an import's."""
    values = dict(reversal.values)
    before = {**reversal.replaced, "names": item.data["before"]["names"]}
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


def created_people(job: Job) -> Iterator[Pointer]:
    """Yields a link to the people created by an import; taking it back leaves them there."""
    key = job.parameters.get(UNDOES, job.key)
    count = _still_there(job, key)
    if not count:
        return
    url = f"{reverse('people:list', args=[job.connection.key])}?job={key}"
    if key == job.key:
        words = _("This import created %(who)s.") % {"who": people_in_words(count)}
        link = ngettext("Show this person in the list", "Show these people in the list", count)
    else:
        words = ngettext(
            "%(count)s person whom the import created stays on the account: removing people cannot "
            "be undone, so it is a separate step.",
            "%(count)s people whom the import created stay on the account: removing people cannot "
            "be undone, so it is a separate step.",
            count,
        ) % {"count": number(count)}
        link = ngettext(
            "Show this person in the list, to remove or deactivate that one",
            "Show these people in the list, to remove or deactivate them",
            count,
        )
    yield Pointer(words, url, link)


def _still_there(job: Job, key: str) -> int:
    """Returns how many of them are on the account, as far as the list has been read since."""
    made = mirror.created_by(job.connection, key)
    imported = Job.objects.filter(connection=job.connection, key=key).first()
    state = mirror.state_of(job.connection)
    ended = imported.finished_at if imported else None
    if ended is None or state.refreshed_at is None or state.refreshed_at < ended:
        return made.count()
    return mirror.find(job.scope, UserFilter(created_by=key)).order_by().count()


def note_of(job: Job) -> Iterator[str]:
    """Yields words on changes that taking an import back leaves as they are."""
    done = job.items.filter(state=ItemState.DONE)
    if removed := done.filter(action__in=REMOVALS).count():
        yield ngettext(
            "%(count)s person who was removed does not come back.",
            "%(count)s people who were removed do not come back.",
            removed,
        ) % {"count": number(removed)}
    if "host_key" in job.parameters.get("names", ()):
        yield _("Host keys stay as the import set them: the previous ones are not stored.")
