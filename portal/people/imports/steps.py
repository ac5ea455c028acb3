"""Carrying an item of an import out, and finding out what became of one.

A creation is sent once; whatever comes after it may be repeated without harm. That a person was
created is kept with the item (`object_id`) before the next request leaves.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial

from portal.client import Answered, Api, Conflict, Invalid, NotFound
from portal.contract.problems import PersonReference
from portal.contract.users import NewUser, StatusChange, UserDetails, UserRemoval, UserUpdate
from portal.jobs.job_types import Done, ItemRefusal, ItemVerdict, Resolution
from portal.jobs.models import JobItem
from portal.people.imports.compare import GROUP_COLUMNS
from portal.translation import gettext as _, gettext_lazy

Step = tuple[str, Callable[[], object]]

# A service's machines may differ, and it may report whole seconds only.
_CLOCKS_DIFFER_BY = timedelta(seconds=5)
_EXISTED = gettext_lazy("A person with this email was on the account before this row was sent.")


def carry_out(api: Api, item: JobItem) -> Done:
    """Does what the item says. Raises `ApiError` and `ItemRefusal`."""
    if "removal" in item.data:
        return _remove(api, item)
    is_new = "create" in item.data
    if is_new and not item.object_id:
        item.object_id = _create(api, item)
        if _has_more(item):
            item.reached()
    for what, step in _steps(api, item):
        try:
            step()
        except (Invalid, Conflict, NotFound) as error:
            if is_new:
                raise _half_done(what, error) from error
            raise
    return Done(item.object_id)


def resolve(api: Api, item: JobItem) -> Resolution:
    """Returns the outcome of an item whose answer is missing. Raises `ApiError`."""
    if "removal" in item.data:
        return Resolution(
            ItemVerdict.DONE if _is_gone(api, item.object_id) else ItemVerdict.NOT_DONE
        )
    if "create" not in item.data or item.object_id:
        return Resolution(ItemVerdict.NOT_DONE, item.object_id)
    try:
        person = api.users.get(item.data["email"])
    except NotFound:
        return Resolution(ItemVerdict.NOT_DONE)
    return _judged(item, person)


def _judged(item: JobItem, person: UserDetails) -> Resolution:
    """Returns whether the person who has the address now was created by this item."""
    created_at, since = person.created_at, item.sent_by_service_clock
    if (person.email or "").casefold() != item.data["email"].casefold():
        return Resolution(
            ItemVerdict.UNCERTAIN, message=_("The service answered with another person.")
        )
    if not isinstance(created_at, datetime) or since is None:
        words = _("A person has this email now, and the service does not report since when.")
        return Resolution(ItemVerdict.UNCERTAIN, message=words)
    if created_at.tzinfo is None:
        created_at = created_at.replace(tzinfo=UTC)
    if created_at < since - _CLOCKS_DIFFER_BY:
        return Resolution(ItemVerdict.FAILED, message=_EXISTED)
    return Resolution(ItemVerdict.NOT_DONE if _has_more(item) else ItemVerdict.DONE, person.id)


def _create(api: Api, item: JobItem) -> str:
    wanted = dict(item.data["create"])
    if password := item.secret.get("password"):
        wanted["user_info"] = {**wanted["user_info"], "password": password}
    return api.users.create(NewUser.model_validate(wanted)).id


def _remove(api: Api, item: JobItem) -> Done:
    how = UserRemoval.model_validate(item.data["removal"])
    try:
        api.users.delete(item.object_id, how)
    except NotFound:
        if item.attempts < 2:
            raise
        # An attempt before removed them, and its answer was lost.
    return Done(item.object_id)


def _is_gone(api: Api, user_id: str) -> bool:
    try:
        api.users.get(user_id)
    except NotFound:
        return True
    return False


def _has_more(item: JobItem) -> bool:
    more = ("profile", "status", "groups", "im_groups")
    return any(name in item.data for name in more) or "host_key" in item.secret


def _steps(api: Api, item: JobItem) -> Iterator[Step]:
    """Yields the steps for a person who is there, each with a word for it."""
    user_id, data = item.object_id, item.data
    profile = dict(data.get("profile", {}))
    if host_key := item.secret.get("host_key"):
        profile["host_key"] = host_key
    if profile:
        yield _("profile"), partial(api.users.update, user_id, UserUpdate.model_validate(profile))
    if data.get("status"):
        change = StatusChange.model_validate({"action": data["status"]})
        yield _("status"), partial(api.users.change_status, user_id, change)
    for column, kind in GROUP_COLUMNS.items():
        calls, member = kind.calls(api), kind.naming(members=[PersonReference(id=user_id)])
        for key in data.get(column, ()):
            yield str(kind.noun), partial(calls.add_members, key, member)
        for key in data.get(f"leave_{column}", ()):
            yield str(kind.noun), partial(_leave, calls.remove_member, key, user_id)


def _leave(remove: Callable[[str, str], object], group_id: str, user_id: str) -> None:
    with suppress(NotFound):  # who is in the group no more need not leave it
        remove(group_id, user_id)


def _half_done(what: str, error: Answered) -> ItemRefusal:
    reported = [(problem.field, problem.message) for problem in error.fields]
    return ItemRefusal(
        _("The person was created; their %(what)s was refused: %(message)s")
        % {"what": what, "message": error.message},
        reported,
    )
