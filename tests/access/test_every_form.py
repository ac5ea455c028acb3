"""Forms are pressed as they stand on their pages, by a browser without a script, and refused.

`pytest -n 0 -rP tests/access/test_every_form.py` prints how far it went.
"""

import logging
import sys
import time
from functools import partial

import pytest

from tests.support.presser.account import Account
from tests.support.presser.browser import Browser, Way
from tests.support.presser.paths import Presser
from tests.support.presser.stage import staged
from tests.support.presser.unpressed import FAULTS, UNPRESSED
from tests.support.presser.walk import PressedWalk, actions, one_of_each_kind
from tests.support.routes import NAMED

pytestmark = pytest.mark.django_db


@pytest.fixture
def walk(connection, sandbox, settings):
    """Yields the walk of an administrator, and prints its figures."""
    began = time.process_time()
    settings.ACCOUNT_RATE_LIMITS = False  # forms are sent more often than people do
    account = Account(sandbox)
    stage = staged(connection, sandbox)
    walk = PressedWalk(stage, Browser(connection.owner), Account(sandbox))
    logging.disable(logging.CRITICAL)
    yield walk
    logging.disable(logging.NOTSET)
    walk.account.close()
    account.reset()
    account.close()
    sys.stdout.write(f"{len(walk.pressed)} actions, {walk.walked} paths, ")
    sys.stdout.write(f"{time.process_time() - began:.1f} s of this process\n")


def test_a_refused_form_of_each_kind_stays_in_its_page(walk):
    routes = one_of_each_kind()
    walk.go(routes, {"one invalid": [partial(Presser.refused_in_its_place, way=Way.IN_PAGE)]})
    assert walk.new == [], "\n".join(walk.new)


def test_what_cannot_be_pressed_is_a_route_with_a_form():
    names = {route.name for route in actions()}
    assert UNPRESSED.keys() <= names
    assert {name for name, _path in FAULTS} <= {route.name for route in NAMED}
