"""Limited users, with each kind of limit, and after their share has changed, find on no route a
name that belongs to people outside alone."""

from http import HTTPStatus

import pytest

from portal.access.models import Connection
from portal.audit.models import AuditEntry
from tests.access.planted import (
    OF_A_CONNECTION,
    give_job,
    named_in,
    text_of_answer,
    urls_of,
)
from tests.access.planted_rows import NAMELESS, unplanted
from tests.access.scope_walk import UNWALKED, WALKED
from tests.connections.limits import (
    changed,
    to_a_department_as_viewer,
    to_a_viewer,
    to_meetings_of_the_department,
    to_the_department,
    to_the_group,
)
from tests.support.portal import admin_client_for
from tests.support.routes import NAMED, undone

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(1800)]

# What an address may name of a person.
OF_SOMEBODY = {"user_id", "session_id", "group_id", "person_id", "uuid", "instance", "job_key"}
PAGES_OF_SOMEBODY = {
    "people:person",
    "people:settings",
    "people:groups",
    "groups:group",
    "jobs:job",
    "meetings:session",
    "webinars:session",
    "recordings:recording",
    "reports:person",
}
SHOWN = {
    "people:list",
    "people:export",
    "people:person",
    "people:groups",
    "people:delegates",
    "people:settings",
    "people:history",
    "groups:list",
    "groups:group",
    "groups:export",
    "groups:members-export",
    "meetings:list",
    "meetings:export",
    "meetings:session",
    "webinars:list",
    "webinars:session",
    "sessions:calendar",
    "sessions:policy",
    "recordings:list",
    "recordings:export",
    "mirror:search",
    "jobs:list",
    "jobs:job",
    "dashboards:now",
    "dashboards:past",
    "dashboards:messages",
    "reports:index",
    "reports:hosts",
    "reports:inactive",
    "reports:telephone",
    "reports:person",
    "reports:people",
    "reports:saved",
}


LIMITS = (to_the_group, to_a_department_as_viewer, to_meetings_of_the_department)


def test_every_route_is_walked_or_says_why_not(both):
    assert UNWALKED.keys() <= {route.name for route in NAMED}
    assert all(UNWALKED.values())
    assert unplanted() == NAMELESS.keys()


def test_limits_to_a_department_leave_no_name(share, both, walk):
    inside, outside = both
    _opened_before(walk, inside)
    changed(share, to_the_department, inside)
    give_job(inside, share.user, share.connection)
    leaks, seen, sheets = [], set(), set()
    walk.is_deep = False
    for one in walk.go(both):
        if found := named_in(outside.names, one.text, one.url):
            leaks.append((one.route, found[:2]))
        if one.about is inside and one.answer.status_code == HTTPStatus.OK:
            (sheets if one.is_sheet else seen).add(one.route)
    assert leaks == []
    assert walk.figures.keys() >= {route.name for route in WALKED}
    assert seen >= SHOWN, SHOWN - seen
    assert sheets >= {name for name in SHOWN if "export" in name}


@pytest.mark.deep
def test_what_pages_ask_for_names_nobody_outside(share, both, walk):
    """All is opened before too, so that whatever is kept of an answer is there."""
    list(walk.go(both))
    assert walk.known
    changed(share, to_the_department, both[0])
    assert list(walk.leaks(both, both[1].names)) == []


@pytest.mark.deep
@pytest.mark.parametrize("limit", LIMITS)
def test_limits_that_are_added_leave_no_name(share, both, walk, limit):
    inside, outside = both
    _opened_before(walk, inside)
    changed(share, limit, inside)
    assert list(walk.leaks(both, outside.names)) == []


@pytest.mark.deep
def test_a_family_alone_leaves_no_name_of_another(share, both, walk):
    share.families = ["meetings"]
    share.save()
    kinds = ("Recording", "Group", "Entry", "Hold", "Onboarding", "Baseline", "Alert", "Measured")
    kinds += ("Saved", "View", "Template", "Request", "Delivery")
    strangers = [
        name
        for one in both
        for name in (*(f"{kind} of {one.mark}" for kind in kinds), one.webinar, one.recording)
    ]
    assert list(walk.leaks(both, strangers)) == []


@pytest.mark.deep
def test_a_role_that_is_lowered_leaves_nothing_of_others(share, both, walk):
    """A viewer sees all people; what the owner keeps for themselves is none of theirs."""
    changed(share, to_a_viewer, both[0])
    kinds = ("Saved", "View", "Template", "Delivery", "Request")
    strangers = [f"{kind} of {one.mark}" for one in both for kind in kinds]
    assert list(walk.leaks(both, strangers)) == []


@pytest.mark.deep
def test_a_connection_that_only_reads_shows_nothing_of_others(share, both, walk):
    Connection.objects.update(read_only=True)
    strangers = [f"{kind} of {one.mark}" for one in both for kind in ("Saved", "View", "Template")]
    assert list(walk.leaks(both, strangers)) == []


@pytest.mark.deep
def test_a_share_that_has_ended_leaves_no_name(share, both, walk):
    """After a limit: an administrator who has had all of it goes on seeing the trail."""
    list(walk.go(both))
    changed(share, to_the_department, both[0])
    share.delete()
    strangers = [name for one in both for name in one.names]
    assert list(walk.leaks(both, strangers)) == []


def test_what_is_outside_is_not_there_and_takes_no_change(share, both, shared, sandbox):
    changed(share, to_the_department, both[0])
    client, outside, leaks, pages = admin_client_for(share.user), both[1], [], {}
    before, entries = sandbox.client.get(f"/users/{outside.id}").json(), _sent()
    for route in OF_A_CONNECTION:
        if not OF_SOMEBODY.intersection(route.arguments):
            continue
        with undone():
            for url in urls_of(route, share.user, shared, sandbox, outside):
                pages[route.name] = client.get(url).status_code
                if found := named_in(outside.names, text_of_answer(client.post(url, {})), url):
                    leaks.append((route.name, found[:2]))
    assert leaks == []
    assert {name for name in PAGES_OF_SOMEBODY if pages[name] != HTTPStatus.NOT_FOUND} == set()
    assert sandbox.client.get(f"/users/{outside.id}").json() == before
    assert _sent() == entries


def _sent():
    """Returns the number of changes that were sent to the service."""
    return AuditEntry.objects.exclude(path="").count()


def _opened_before(walk, inside):
    """Opens what keeps something of an answer, while nothing is limited."""
    client = admin_client_for(walk.user)
    for name in ("people:list", "jobs:list", "mirror:search", "reports:index", "dashboards:now"):
        [route] = [one for one in OF_A_CONNECTION if one.name == name]
        client.get(next(urls_of(route, walk.user, walk.connection, walk.sandbox, inside)))
