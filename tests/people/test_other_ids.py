"""A service that answers with another id than the one that it was asked for."""

from itertools import count

import pytest

from tests.support.fault_server import answer, depending
from tests.support.portal import admin_client_for


@pytest.mark.parametrize(("asked", "redirects"), [("a@b.de", 1), ("c@b.de", 0), ("u-1", 0)])
def test_a_page_about_somebody_else_is_not_shown_as_theirs(
    administrator, faulty, fault_server, asked, redirects
):
    fault_server.always(depending(another_each_time("u-1")))
    page = admin_client_for(administrator).get(f"/c/{faulty.key}/people/{asked}/", follow=True)
    assert (page.status_code, len(page.redirect_chain)) == (502, redirects)
    assert "about another object than was asked for" in page.content.decode()


def test_a_group_that_is_another_cannot_be_changed(administrator, faulty, fault_server):
    fault_server.always(depending(another_each_time("1/0")))
    client = admin_client_for(administrator)
    assert client.get(f"/c/{faulty.key}/groups/g-1/change/").status_code == 502


def another_each_time(suffix):
    numbers = count()
    return lambda _: answer(
        200, {"id": f"{next(numbers)}{suffix}", "email": "a@b.de", "type": 1, "name": "Sales"}
    )
