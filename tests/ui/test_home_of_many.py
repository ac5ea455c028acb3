"""The first page over several connections: each has its own lines, and all are read at once."""

import math
import re

import pytest
from django.db import connection as database
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from portal.access.models import Connection, Share, User
from portal.access.roles import Role
from portal.contract.users import User as Person, UserStatus
from portal.directory import users
from portal.jobs.models import ItemState, JobState
from portal.sessions import mirror
from portal.sessions.policy.finding import CLASH, HOST, PASSWORD, RULES, Policy, counts_of
from portal.ui import home
from portal.ui.home import HomeItem, HomeLine
from tests.support.html import text_of
from tests.support.portal import admin_client_for
from tests.support.scopes import whole
from tests.support.shares import share_with
from tests.ui.home_causes import (
    CAUSES,
    asked,
    declined,
    done_with,
    drift,
    gap,
    job,
    live,
    meeting,
    storage,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def counted_anew(monkeypatch):
    """Has everything counted anew: slow counts are shown again for minutes, and a busy machine is
    slow with little."""
    monkeypatch.setattr("portal.sessions.home._SLOW", math.inf)


def parts_of(client):
    """Returns the text under each connection, by its key."""
    page = client.get("/").text
    return {
        part.partition('"')[0]: text_of(part.partition("</section>")[0])
        for part in page.split('<section class="card" id="home-')[1:]
    }


def with_everything(connection, viewer):
    for cause, _ in CAUSES.values():
        cause(connection)
    live(connection)
    asked(connection, 1)
    asked(connection, 2)
    declined(connection, viewer)
    job(connection, JobState.AWAITING)
    job(connection, JobState.RUNNING)
    done_with(connection, ItemState.FAILED)


def queries_of(client, connections):
    for one in connections:
        meeting(one, 77)  # what is remembered of the sessions has to be counted anew
    with CaptureQueriesContext(database) as queries:
        found = parts_of(client)
    assert found.keys() == {one.key for one in connections}
    return len(queries)


def test_five_connections_are_no_more_queries_than_two(administrator, operator, connect):
    client = admin_client_for(administrator)
    connections: list[Connection] = []
    counted = []
    for number in range(5):
        owner = operator if number % 2 else administrator
        connections.append(connect(owner, f"Account {number}"))
        if owner is operator:
            share_with(connections[-1], administrator)
        with_everything(connections[-1], administrator)
        client.get("/")  # what is looked up once in a process
        counted.append(queries_of(client, connections))
    # One is own, the other shared: that is one more query, and six are of the table of accounts.
    assert counted[4] == counted[1] <= counted[0] + 7
    found = parts_of(client)
    assert all("Recording storage is full" in text for text in found.values())
    assert all("Your request has ended: Delete the group" in text for text in found.values())
    own = [found[one.key] for one in connections[::2]]
    assert all("2 requests wait for your approval" in text for text in own)


def test_each_share_shows_what_it_allows(administrator, viewer, connect):
    """Each of these allows something else, and all are read at once."""
    limits = {"whole": {}, "families": {"families": ["users"]}, "part": {"departments": ["Sales"]}}
    shared = {name: connect(administrator, name) for name in limits}
    colleague = User.objects.create(email="cy@example.com", name="Cy", role=Role.ADMINISTRATOR)
    for name, one in shared.items():
        share_with(one, colleague, **limits[name])
        with_everything(one, colleague)
        gap(one)
    own = connect(colleague, "own")
    storage(own)
    found = parts_of(admin_client_for(colleague))
    said = {name: found[one.key] for name, one in shared.items()}
    assert "Recording storage is full" in found[own.key]
    for words in ("1 setting differs", "No Pro licences"):
        assert words in said["whole"]
        assert words in said["families"]
    assert "“New staff” is paused" in said["whole"]
    assert "“New staff” is paused" not in said["families"]  # jobs of others
    for words in ("Webhook deliveries are missing", "storage is full", "sessions overlap"):
        assert words in said["whole"]
        assert words not in said["families"]
    assert "wait for your approval" in said["whole"]
    assert "wait for your approval" not in said["families"] + said["part"]
    for words in (
        "1 setting differs",
        "licences",
        "Webhook",
        "storage",
        "is paused",
        "no password",
    ):
        assert words not in said["part"], words


def test_a_part_shows_own_jobs_and_the_sessions_of_its_people(administrator, operator, connect):
    connection = connect(administrator)
    share_with(connection, operator, departments=["Sales"])
    users.put(connection, Person(id="h", email="h@example.com", dept="Sales"), UserStatus.ACTIVE)
    meeting(connection, 1)
    job(connection, JobState.PAUSED, title="Of the owner")
    job(connection, JobState.PAUSED, title="Of the colleague", owner=operator)
    text = parts_of(admin_client_for(operator))[connection.key]
    assert "“Of the colleague” is paused" in text
    assert "Of the owner" not in text
    assert "1 upcoming meeting has no password" in text
    Share.objects.update(departments=["Legal"])
    assert "upcoming meeting" not in parts_of(admin_client_for(operator))[connection.key]


def test_a_share_that_was_taken_back_shows_nothing(administrator, operator, connect):
    connection, own = connect(administrator), connect(operator)
    share = share_with(connection, operator)
    drift(connection)
    drift(own)
    client = admin_client_for(operator)
    assert parts_of(client).keys() == {connection.key, own.key}
    share.delete()
    assert parts_of(client).keys() == {own.key}


def test_counts_at_once_are_those_of_each(administrator, connect):
    first, second, third = (connect(administrator, name) for name in "abc")
    for one in (first, second):
        meeting(one, 1)
        meeting(one, 2, "secret")
        meeting(one, 3)
    meeting(third, 9, "secret")
    person = Person(id="h", email="h@example.com", dept="Sales")
    users.put(first, person, UserStatus.INACTIVE)
    state = users.state_of(second)
    state.refreshed_at = mirror.state_of(second).requested_at or administrator.created_at
    state.save()
    found = counts_of(
        {one.pk: mirror.state_of(one) for one in (first, second, third)},
        {one.pk: users.state_of(one) for one in (first, second, third)},
    )
    for one in (first, second, third):
        assert found[one.pk] == Policy(whole(one)).counts()
    assert found[first.pk] == {
        **dict.fromkeys(RULES, 0),
        PASSWORD: 2,
        HOST: 3,
        CLASH: 3,
    }
    assert found[second.pk][HOST] == 3, "nobody knows their host"
    assert found[third.pk] == dict.fromkeys(RULES, 0)


def test_one_that_cannot_be_read_leaves_the_others(administrator, connect, monkeypatch):
    good, bad = connect(administrator, "good"), connect(administrator, "bad")

    def fail(_user, scopes):
        if bad.pk in {scope.connection.pk for scope in scopes}:
            raise RuntimeError("A line that cannot be made")
        return {scope.connection.pk: [HomeLine("bad", "It rains")] for scope in scopes}

    monkeypatch.setattr(home, "_subjects", [*home._subjects, HomeItem("Weather", 5, fail)])
    found = parts_of(admin_client_for(administrator))
    assert "It rains" in found[good.key]
    assert "Weather could not be checked" in found[bad.key]
    assert "Weather" not in found[good.key]


def test_lines_lead_to_their_own_connection(administrator, connect):
    connections = [connect(administrator, name) for name in ("one", "two")]
    for one in connections:
        with_everything(one, administrator)
    page = admin_client_for(administrator).get("/").text
    for one in connections:
        part = page.partition(f'id="home-{one.key}"')[2].partition("</section>")[0]
        links = re.findall(r'<a[^>]* href="([^"]+)', part)
        assert len(links) > 10
        own = f"/c/{one.key}/", reverse("connections:connection", args=[one.key])
        assert [link for link in links if not link.startswith(own)] == []


def test_table_of_accounts_has_what_each_share_allows(administrator, operator, connect):
    own, shared = connect(operator, "own"), connect(administrator, "shared")
    share_with(shared, operator, departments=["Sales"])
    for one in (own, shared):
        users.put(one, Person(id="ada", email="ada@example.com"), UserStatus.ACTIVE)
        state = users.state_of(one)
        state.refreshed_at = timezone.now()
        state.save()
    drift(own)
    page = admin_client_for(operator).get("/").text
    rows = page.partition("<tbody>")[2].partition("</tbody>")[0].split("</tr>")
    said = {text_of(row).split()[0]: text_of(row).split()[1:4] for row in rows if "<td" in row}
    dash = "\N{EN DASH}"
    assert said == {"own": ["1", dash, "1"], "shared": ["0", dash, dash]}
