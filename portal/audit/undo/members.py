"""Plans of an undo, and those of members that were added to a list or taken out of it."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, cast
from zoneinfo import ZoneInfo

from portal.audit import trail
from portal.audit.models import AuditEntry
from portal.audit.undo.recorded import RecordedWrite
from portal.client import NotFound
from portal.contract import OPERATIONS
from portal.contract.inverse import PutsBack, TakesOut
from portal.contract.model import JsonDict
from portal.contract.operation import Call, Caller
from portal.contract.recordings import file_in_words
from portal.contract.users import Users
from portal.translation import gettext as _, gettext_lazy

_IN, _OUT = gettext_lazy("Present"), gettext_lazy("Not present")
One = dict[str, Any]
_NOTHING: tuple[Any, ...] = (None, "", [], {})


@dataclass(frozen=True)
class UndoneValue:
    """Something that goes back: what it is now, and what it is to be again."""

    title: str
    now: str
    then: str


@dataclass(frozen=True)
class UnrestoredValue:
    """Something that stays as it is, and why; `since` is the entry that changed it, if one did."""

    title: str
    why: str
    since: AuditEntry | None = None


@dataclass
class UndoPlan:
    """Fields that go back, fields that stay, and notes to read before it is done."""

    back: list[UndoneValue] = field(default_factory=list)
    left: list[UnrestoredValue] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    calls: list[Call[object]] = field(default_factory=list)

    @property
    def fingerprint(self) -> str:
        """Returns a digest that is another if the plan differs from the shown one."""
        shown = [[one.title, one.now, one.then] for one in self.back]
        return sha256(json.dumps(shown).encode()).hexdigest()[:16]


def is_same(one: object, other: object, zone: str = "") -> bool:
    """Returns whether both values mean the same: empty ones are equal, and a moment is one in any
    zone.

    `zone` is that of local times.
    """
    if one == other or (one in _NOTHING and other in _NOTHING):
        return True
    if _is_scalar(one) and _is_scalar(other) and str(one) == str(other):
        return True
    moments = [_moment(value, zone) for value in (one, other)]
    return None not in moments and moments[0] == moments[1]


def nested(flat: Mapping[str, object]) -> JsonDict:
    """Returns the object with fields of these dotted names."""
    made: JsonDict = {}
    for name, value in flat.items():
        *path, last = name.split(".")
        inner = made
        for step in path:
            inner = inner.setdefault(step, {})
        inner[last] = value
    return made


def find(value: Any, name: str, wanted: object) -> JsonDict | None:
    """Returns the object within that has the wanted value in this field, in upper or lower case."""
    if isinstance(value, dict):
        if str(value.get(name, "")).lower() == str(wanted).lower():
            return value
        value = list(value.values())
    if not isinstance(value, list):
        return None
    return next((result for one in value if (result := find(one, name, wanted)) is not None), None)


def _is_scalar(value: object) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def _moment(value: Any, zone: str) -> datetime | None:
    if not isinstance(value, str) or "T" not in value:
        return None
    try:
        moment = datetime.fromisoformat(value)
        return (
            moment if moment.tzinfo else moment.replace(tzinfo=ZoneInfo(zone or "UTC"))
        ).astimezone(UTC)
    except (ValueError, KeyError, OSError):
        return None


def take_out(write: RecordedWrite, caller: Caller) -> UndoPlan:
    """Returns the plan that removes members who were not there before the write. Raises
    `ApiError`."""
    inverse = cast(TakesOut, write.operation.inverse)
    by = OPERATIONS[inverse.by]
    before = write.before.get(inverse.records) or []
    plan = UndoPlan()
    if inverse.member_of:
        plan.notes.append(_("It is not recorded whether they were members before."))
    for one, is_there in _added(write, inverse, caller):
        if _among(one, before):
            continue
        if not is_there:
            plan.left.append(UnrestoredValue(_name(one), _("Is not there any more.")))
            continue
        plan.back.append(UndoneValue(_name(one), str(_IN), str(_OUT)))
        query = [by.query.model_validate(inverse.query)] if by.query and inverse.query else []
        plan.calls.append(by.call(write.ids[0], str(one["id"]), *query))
    if not plan.back:
        plan.notes.clear()
    return plan


def _added(write: RecordedWrite, inverse: TakesOut, caller: Caller) -> Iterable[tuple[One, bool]]:
    """Returns the members that the write has named, each with whether they are there now."""
    named: list[One] = write.sent.get(inverse.records) or []
    if inverse.member_of:
        return [_member(write.ids[0], one, inverse.member_of, caller) for one in named]
    present = _listed(write, inverse, caller, none_is_empty=False)
    if len(write.ids) > 1:
        named = [{"id": write.ids[-1]}]
    elif inverse.records not in write.sent:
        named = present
    return [(_like(one, present) or one, _like(one, present) is not None) for one in named]


def put_back(write: RecordedWrite, caller: Caller) -> UndoPlan:
    """Returns the plan that adds members who are not there any more. Raises `ApiError`."""
    inverse = cast(PutsBack, write.operation.inverse)
    by, plan = OPERATIONS[inverse.by], UndoPlan()
    takes_many = inverse.records in (by.body.model_fields if by.body else ())
    before: list[One] = write.before.get(inverse.records) or []
    if inverse.member_of or len(write.ids) > len(OPERATIONS[inverse.listing].path_parameters):
        named = {"id": write.ids[-1]}
        before = [_like(named, before) or named]
    if inverse.member_of:
        pairs = [_member(write.ids[0], one, inverse.member_of, caller) for one in before]
    else:
        present = _listed(write, inverse, caller, none_is_empty=not takes_many)
        pairs = [(one, _among(one, present)) for one in before]
    gone = [one for one, is_there in pairs if not is_there]
    plan.back = [UndoneValue(_name(one), str(_OUT), str(_IN)) for one in gone]
    if gone:
        plan.notes = [_(inverse.words)] if inverse.words else []
        plan.calls = list(_calls(write, inverse, gone, takes_many=takes_many))
    return plan


def _calls(
    write: RecordedWrite, inverse: PutsBack, gone: list[One], *, takes_many: bool
) -> Iterable[Call[object]]:
    by, first = OPERATIONS[inverse.by], write.ids[0]
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
    write: RecordedWrite, inverse: TakesOut | PutsBack, caller: Caller, *, none_is_empty: bool
) -> list[One]:
    listing = OPERATIONS[inverse.listing]
    try:
        answer = caller(listing.call(*write.ids[: len(listing.path_parameters)]))
    except NotFound:
        if none_is_empty:
            return []
        raise
    return trail.state(answer).get(inverse.records) or []


def _member(group_id: str, one: One, field: str, caller: Caller) -> tuple[One, bool]:
    """Returns a person as the service reports them, and whether they are in the group."""
    try:
        person = caller(Users.get.call(str(one.get("id") or one.get("email"))))
    except NotFound:
        return one, False
    return trail.state(person), group_id in (getattr(person, field) or ())


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
