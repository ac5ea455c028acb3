"""Instant messages by person and period (spec 4.7)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from portal.access.scope import Scope
from portal.contract.dashboards import ImUse
from portal.contract.model import fields
from portal.directory.hosts import NOBODY, known_by_email
from portal.mirror.values import integer, text

IM_COUNTS = tuple(name for name, _ in fields(ImUse) if name.endswith(("_send", "_receive")))


@dataclass(frozen=True)
class PersonUse:
    """Messages that a person sent and received; `counts` are the reported ones of `IM_COUNTS`."""

    user_id: str
    name: str
    email: str
    counts: Mapping[str, int | None]
    department: str = ""
    person_id: str = ""


def use_by_person(scope: Scope, records: Sequence[ImUse]) -> list[PersonUse]:
    """Each person once, with the sums of all windows that were asked for."""
    known = known_by_email(scope, (text(one.email) for one in records))
    by_person: dict[str, list[ImUse]] = {}
    for one in records:
        if scope.is_narrow and text(one.email) not in known:
            continue  # moved out of the part since it was read
        by_person.setdefault(one.user_id or one.email or one.user_name, []).append(one)
    made = []
    for windows in by_person.values():
        last = windows[0]
        person = known.get(text(last.email), NOBODY)
        counts = {name: _sum(getattr(one, name) for one in windows) for name in IM_COUNTS}
        name, email = text(last.user_name), text(last.email)
        made.append(
            PersonUse(
                text(last.user_id), name or email, email, counts, person.department, person.id
            )
        )
    return made


def _sum(values: Iterable[int | None]) -> int | None:
    """A sum without one of its parts would be too low, so it is unknown."""
    known = [integer(value) for value in values]
    return None if None in known else sum(value or 0 for value in known)
