"""Every action on selected rows is pressed from its list: on one row, on three, and where the
service refuses one of them; what came of it is undone, where that is offered."""

import logging

import pytest
from django.urls import reverse

from tests.support.presser.account import Account
from tests.support.presser.browser import Browser
from tests.support.presser.bulk import bulk_buttons, pressed_on, typed_for
from tests.support.presser.paths import Presser
from tests.support.presser.stage import staged
from tests.support.presser.unpressed import FAULTS, SELECTED

pytestmark = [pytest.mark.django_db, pytest.mark.deep]
# The lists with rows that can be selected, and what finds rows of the stage in them.
LISTS = [
    ("people:list", "?q=Pressed"),
    ("people:list", "?q=Resting&status=inactive"),
    ("groups:group", ""),
    ("im-groups:group", ""),
    ("account:sub-accounts", ""),
]
_RESTING = "people:chosen-activate"  # the one action on people who are deactivated
_HOW = {"one": (1, False), "three": (3, False), "one refused": (3, True)}


@pytest.fixture
def stage(connection, sandbox):
    account = Account(sandbox)
    logging.disable(logging.CRITICAL)
    yield staged(connection, sandbox)
    logging.disable(logging.NOTSET)
    account.reset()
    account.close()


@pytest.mark.parametrize("listed", LISTS)
def test_every_action_on_selected_rows_is_pressed(listed, stage, sandbox, work):
    name, query = listed
    arguments = [stage.connection.key]
    if name.endswith(":group"):
        arguments.append(stage.of_family[name.partition(":")[0]]["group_id"])
    url = f"{reverse(name, args=arguments)}{query}"
    presser = Presser(Browser(stage.owner), Account(sandbox), url, {})
    wrong: dict[tuple[str, str], list[str]] = {}
    buttons = bulk_buttons(presser.browser.open(url))
    assert buttons, "the list has no action"
    for route, button in buttons:
        if route in SELECTED or (route == _RESTING) != ("Resting" in query):
            continue
        for how, (count, one_refused) in _HOW.items():
            found = list(
                pressed_on(
                    presser,
                    work,
                    button,
                    typed_for(route, stage),
                    count,
                    one_refused=one_refused,
                )
            )
            if found:
                wrong[route, how] = found
    presser.account.close()
    new = [f"{key}: {fault}" for key in wrong if key not in FAULTS for fault in wrong[key]]
    assert new == [], "\n".join(new)
