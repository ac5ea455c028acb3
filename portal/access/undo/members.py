"""Undoing what was added to a list or taken out of it: members, assistants, panelists, files."""

from collections.abc import Iterable
from typing import Any, cast

from portal.access.audit import masking
from portal.access.undo.plan import UndoneValue, UndoPlan, UnrestoredValue
from portal.access.undo.recorded import OPERATIONS, RecordedWrite
from portal.client import NotFound
from portal.contract.inverse import PutsBack, TakesOut
from portal.contract.operation import Call, Caller
from portal.contract.recordings import file_in_words
from portal.contract.users import Users
from portal.translation import gettext as _
from portal.translation import gettext_lazy

_IN, _OUT = gettext_lazy("Present"), gettext_lazy("Not present")
One = dict[str, Any]


def take_out(found: RecordedWrite, caller: Caller) -> UndoPlan:
    """Takes out those who were not there before the write. Raises `ApiError`."""
    inverse = cast(TakesOut, found.operation.inverse)
    by = OPERATIONS[inverse.by]
    before = found.before.get(inverse.records) or []
    plan = UndoPlan()
    if inverse.member_of:
        plan.notes.append(_("It is not recorded whether they were members before."))
    for one, is_there in _added(found, inverse, caller):
        if _among(one, before):
            continue
        if not is_there:
            plan.left.append(UnrestoredValue(_name(one), _("Is not there any more.")))
            continue
        plan.back.append(UndoneValue(_name(one), str(_IN), str(_OUT)))
        query = [by.query.model_validate(inverse.query)] if by.query and inverse.query else []
        plan.calls.append(by.call(found.ids[0], str(one["id"]), *query))
    if not plan.back:
        plan.notes.clear()
    return plan


def _added(found: RecordedWrite, inverse: TakesOut, caller: Caller) -> Iterable[tuple[One, bool]]:
    """Those that the write has named, each with whether they are there now."""
    named: list[One] = found.sent.get(inverse.records) or []
    if inverse.member_of:
        return [_member(found.ids[0], one, inverse.member_of, caller) for one in named]
    present = _listed(found, inverse, caller, none_is_empty=False)
    if len(found.ids) > 1:
        named = [{"id": found.ids[-1]}]
    elif inverse.records not in found.sent:
        named = present
    return [(_like(one, present) or one, _like(one, present) is not None) for one in named]


def put_back(found: RecordedWrite, caller: Caller) -> UndoPlan:
    """Puts back those who are not there any more. Raises `ApiError`."""
    inverse = cast(PutsBack, found.operation.inverse)
    by, plan = OPERATIONS[inverse.by], UndoPlan()
    takes_many = inverse.records in (by.body.model_fields if by.body else ())
    before: list[One] = found.before.get(inverse.records) or []
    if inverse.member_of or len(found.ids) > len(OPERATIONS[inverse.listing].path_parameters):
        named = {"id": found.ids[-1]}
        before = [_like(named, before) or named]
    if inverse.member_of:
        pairs = [_member(found.ids[0], one, inverse.member_of, caller) for one in before]
    else:
        present = _listed(found, inverse, caller, none_is_empty=not takes_many)
        pairs = [(one, _among(one, present)) for one in before]
    gone = [one for one, is_there in pairs if not is_there]
    plan.back = [UndoneValue(_name(one), str(_OUT), str(_IN)) for one in gone]
    if gone:
        plan.notes = [_(inverse.words)] if inverse.words else []
        plan.calls = list(_calls(found, inverse, gone, takes_many=takes_many))
    return plan


def _calls(
    found: RecordedWrite, inverse: PutsBack, gone: list[One], *, takes_many: bool
) -> Iterable[Call[Any]]:
    by, first = OPERATIONS[inverse.by], found.ids[0]
    if not takes_many:
        body = by.body.model_validate(inverse.body) if by.body else None
        return [by.call(first, str(one["id"]), *([body] if body else [])) for one in gone]
    if inverse.turned:
        return [by.call(str(one["id"]), _body(inverse, [{"id": first}])) for one in gone]
    return [by.call(first, _body(inverse, gone))]


def _body(inverse: PutsBack, people: list[One]) -> Any:
    records = [{name: one[name] for name in inverse.fields if one.get(name)} for one in people]
    body = cast(Any, OPERATIONS[inverse.by].body)
    return body.model_validate({inverse.records: records})


def _listed(
    found: RecordedWrite, inverse: TakesOut | PutsBack, caller: Caller, *, none_is_empty: bool
) -> list[One]:
    listing = OPERATIONS[inverse.listing]
    try:
        answer = caller(listing.call(*found.ids[: len(listing.path_parameters)]))
    except NotFound:
        if none_is_empty:
            return []
        raise
    return masking.state(answer).get(inverse.records) or []


def _member(group_id: str, one: One, field: str, caller: Caller) -> tuple[One, bool]:
    """A person as the service reports them, and whether they are in the group."""
    try:
        person = caller(Users.get.call(str(one.get("id") or one.get("email"))))
    except NotFound:
        return one, False
    return masking.state(person), group_id in (getattr(person, field) or ())


def _like(one: One, others: list[One]) -> One | None:
    """Returns the person or file with the same id, or else with the same address."""
    for name in ("id", "email"):
        wanted = str(one.get(name) or "").lower()
        for other in others:
            if wanted and wanted == str(other.get(name) or "").lower():
                return other
    return None


def _among(one: One, others: list[One]) -> bool:
    return _like(one, others) is not None


def _name(one: One) -> str:
    """Returns the name of a person or group; a file is named by what it shows."""
    file = file_in_words(str(one.get("recording_type") or ""), str(one.get("file_type") or ""))
    return str(one.get("email") or one.get("name") or file or one.get("id") or "")
