"""A service that answers with another id than the one that it was asked for."""

from collections.abc import Callable
from itertools import count

import pytest

from portal.access.models import Connection, User
from tests.plugins.fault_server import Behaviour, FaultServer, Seen, answer, depending
from tests.plugins.portal import admin_client_for


@pytest.mark.parametrize(
    ("case", "redirects"),
    [
        (("ann@north.example", "u-1"), 1),
        (("ann@north.example", "another@north.example"), 0),
        (("u-1", "u-2"), 0),
    ],
)
def test_a_persons_page_redirects_once_and_for_an_email_only(
    administrator: User,
    faulty: Connection,
    fault_server: FaultServer,
    case: tuple[str, str],
    redirects: int,
):
    asked, data = case
    fault_server.always(depending(another_each_time(data)))
    page = admin_client_for(administrator).get(f"/c/{faulty.key}/people/{asked}/", follow=True)
    assert (page.status_code, len(page.redirect_chain)) == (200, redirects)


def test_a_group_keeps_the_id_that_it_was_asked_for_by(
    administrator: User, faulty: Connection, fault_server: FaultServer
):
    fault_server.always(depending(another_each_time("1/0")))
    client = admin_client_for(administrator)
    assert client.get(f"/c/{faulty.key}/groups/g-1/change/").status_code == 200


def another_each_time(suffix: str) -> Callable[[Seen], Behaviour]:
    numbers = count()
    return lambda _: answer(
        200, {"id": f"{next(numbers)}{suffix}", "email": "a@b.de", "type": 1, "name": "Sales"}
    )
