"""Every form of the portal is pressed as it stands, refused, corrected, sent twice, taken back, and
read of afterwards; whole, in its page, and in the dialog."""

import pytest

from tests.access.test_every_form import walk  # noqa: F401 - a fixture
from tests.support.presser.unpressed import UNPRESSED
from tests.support.presser.walk import actions, paths

pytestmark = [pytest.mark.django_db, pytest.mark.deep]
_SHARES = 6


@pytest.mark.parametrize("share", range(_SHARES))
def test_every_form_is_pressed_on_all_paths(walk, share):  # noqa: F811
    routes = [route for route in actions()[share::_SHARES] if route.name not in UNPRESSED]
    walk.go(routes, paths())
    assert walk.new == [], "\n".join(walk.new)
    assert walk.stale(routes, paths()) == []
