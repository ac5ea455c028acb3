"""Planning of an undo now: compares the stored state before the write with the present one."""

from collections.abc import Callable, Mapping
from typing import Any, cast

from pydantic import ValidationError

from portal.audit.changes import flat, meaning_of
from portal.audit.undo.members import (
    UndoneValue,
    UndoPlan,
    UnrestoredValue,
    find,
    put_back,
    take_out,
)
from portal.audit.undo.recorded import RecordedWrite
from portal.audit.undo.restoring import changed, changed_by, own_state, restore, unknown_of
from portal.client import NotFound
from portal.contract import OPERATIONS
from portal.contract.inverse import Deletes, Opposite, PutsBack, Recreates, Restores, TakesOut
from portal.contract.model import MASK, Model, fields
from portal.contract.operation import Caller
from portal.translation import gettext as _, gettext_lazy, ngettext, number

_GONE = gettext_lazy("It is not there any more.")


# From a plan to what is left of it, where more hangs on what goes back than the trail knows.
UndoCheck = Callable[[RecordedWrite, UndoPlan, Caller], UndoPlan]
_checks: dict[str, UndoCheck] = {}


def register(checks: Mapping[str, UndoCheck]) -> None:
    """Adds checks of the undo of these operations."""
    _checks.update(checks)


def plan_for(write: RecordedWrite, caller: Caller) -> UndoPlan:
    """Returns the plan of an undo. Raises `ApiError` if the present state cannot be read.

    Call it only if there is no `obstacle`.
    """
    kinds = {
        Restores: restore,
        Deletes: _delete,
        Recreates: _recreate,
        TakesOut: take_out,
        PutsBack: put_back,
        Opposite: _opposite,
    }
    try:
        plan = kinds[type(write.operation.inverse)](write, caller)
        check = _checks.get(write.operation.name)
        return check(write, plan, caller) if check else plan
    except NotFound:
        return UndoPlan(left=[UnrestoredValue(write.end.object_label or _("The target"), _GONE)])


def _delete(write: RecordedWrite, caller: Caller) -> UndoPlan:
    inverse = cast(Deletes, write.operation.inverse)
    by = OPERATIONS[inverse.by]
    name = write.end.object_label or write.created
    ids = (*write.ids, write.created)[-len(by.path_parameters) :]
    reading = cast(Any, by.before)
    read = caller(reading.call(*ids[: len(reading.path_parameters)]))
    if len(reading.path_parameters) < len(ids) and not find([*read.sent().values()], "id", ids[-1]):
        return UndoPlan(left=[UnrestoredValue(name, _GONE)])
    plan = UndoPlan(back=[UndoneValue(name, _("Created"), _("Deleted"))], calls=[by.call(*ids)])
    if inverse.words:
        plan.notes.append(_(inverse.words))
    since = len(write.later)
    if since:
        words = ngettext(
            "It goes with %(count)s change that was made to it since.",
            "It goes with %(count)s changes that were made to it since.",
            since,
        )
        plan.notes.append(words % {"count": number(since)})
    return plan


def _recreate(write: RecordedWrite, caller: Caller) -> UndoPlan:  # noqa: ARG001 - what is gone is not read
    inverse = cast(Recreates, write.operation.inverse)
    by = OPERATIONS[inverse.by]
    state = own_state(write.before, write) or {}
    model = cast(type[Model], by.body)
    names = [name for name, _info in fields(model)]
    data = {name: state[name] for name in names if state.get(name) not in (None, MASK)}
    data = unknown_of(write.operation, state) | data
    hidden = [name for name in names if state.get(name) == MASK]
    plan = UndoPlan(notes=[_(inverse.words)])
    for name in hidden:
        title = meaning_of(by.name, name).title
        plan.left.append(
            UnrestoredValue(title, _("Secrets are not recorded, so that it is empty."))
        )
    try:
        body = model.model_validate(data, extra="allow")
    except ValidationError:
        return UndoPlan(left=[UnrestoredValue(_("All of it"), _("It is not recorded completely."))])
    for name, value in flat(data):
        meaning = meaning_of(by.name, name)
        plan.back.append(UndoneValue(meaning.title, "", meaning.say(value)))
    plan.calls.append(by.call(*write.ids[: len(by.path_parameters)], body))
    return plan


def _opposite(write: RecordedWrite, caller: Caller) -> UndoPlan:  # noqa: ARG001 - no reading reports it
    inverse = cast(Opposite, write.operation.inverse)
    done = str(write.sent.get("action", ""))
    meaning = meaning_of(write.operation.name, "action")
    since = changed_by(write, lambda sent: "action" in sent)
    if since is not None:
        words = meaning.say((since.sent or {})["action"])
        return UndoPlan(left=[changed(meaning.title, words, since)])
    body = cast(type[Model], write.operation.body).model_validate({"action": inverse.of[done]})
    return UndoPlan(
        back=[UndoneValue(meaning.title, meaning.say(done), meaning.say(inverse.of[done]))],
        calls=[write.operation.call(*write.ids, body)],
    )
