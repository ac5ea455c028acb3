"""Writes that replace the whole carry what their forms do not show."""

from typing import Any

import pytest

from portal.contract import OPERATIONS
from portal.ui.forms import contract_form
from portal.ui.forms.specs import ArraySpec, object_specs

UNKNOWN: dict[str, Any] = {"made_elsewhere": {"deep": [1, {"more": "x"}]}}
# Polls: `tests/sessions/test_polls.py` sends them by their form.
CARRIED = {"meeting_polls.update", "webinar_polls.update"}
# What is no state that was read, but a command: nothing that it could lose.
COMMANDS = {
    "users.change_email": "names the new address alone",
    "users.change_password": "names the new password alone",
    "users.change_status": "an action",
    "meetings.end": "an action",
    "webinars.end": "an action",
    "recordings.recover": "an action",
    "recordings.recover_file": "an action",
    "meeting_registrants.change_status": "an action",
    "webinar_registrants.change_status": "an action",
    "billing.update_plan": "an order, by its kind and its number of hosts",
    "billing.update_base_plan": "an order, by its kind and its number of hosts",
}


def _written(method):
    return (one for one in OPERATIONS.values() if one.method == method)


def test_each_put_carries_what_it_replaces_or_is_a_command():
    assert {one.name for one in _written("PUT")} == CARRIED | set(COMMANDS)


# What a change of a list needs beside it.
BESIDE: dict[str, dict[str, Any]] = {
    "TspAccount": {"conference_code": "12345", "leader_pin": "1234"}
}


def _arrays():
    writes = [one for method in ("PUT", "PATCH") for one in _written(method)]
    for model in {one.body: None for one in writes if one.name not in COMMANDS}:
        for spec in object_specs(model) if model else ():
            yield from ((model, one) for one in spec.items if isinstance(one, ArraySpec))


@pytest.mark.parametrize(
    ("model", "rows"), list(_arrays()), ids=lambda one: getattr(one, "name", None) or one.__name__
)
def test_rows_of_a_list_go_back_with_their_unknown_fields(model, rows):
    beside = BESIDE.get(model.__name__, {})
    form_class = contract_form(model, fields=(rows.name, *beside))
    row = {spec.name: _value(spec) for spec in rows.field_specs}
    initial = {**beside, rows.name: [{**row, **UNKNOWN}, {**row, **UNKNOWN}]}
    data = form_class(initial=initial)
    typed = {name: _as_typed(bound) for name, bound in ((one.html_name, one) for one in data)}
    changed = next(spec.name for spec in rows.field_specs if spec.kinds == (str,))
    typed[f"{rows.name}.1.{changed}"] = "new"
    form = form_class(typed, initial=initial)
    assert form.is_valid(), form.errors
    changes = form.changes()
    assert changes is not None
    sent: Any = changes.sent()
    for step in rows.name.split("."):
        sent = sent[step]
    assert [{name: one[name] for name in UNKNOWN} for one in sent] == [UNKNOWN, UNKNOWN]
    assert [one[changed] for one in sent] == [row[changed], "new"]


def _value(spec):
    if spec.is_list:
        return ["1", "2"]
    kind = spec.kinds[0]
    return next(iter(kind)).value if hasattr(kind, "__members__") else "text"


def _as_typed(bound):
    value = bound.value()
    return "\n".join(value) if isinstance(value, list) else str(value or "")
