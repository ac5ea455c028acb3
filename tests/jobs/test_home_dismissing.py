"""Failed rows that somebody has seen: the first page tells them no more, and others as before."""

import re
from datetime import timedelta
from html import unescape
from uuid import uuid4

import pytest
from django.db import connection as database
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from portal.access.models import AuditEntry, Connection, User
from portal.jobs.models import Dismissal, ItemState, Job, JobState
from tests.support.job_pages import SCRIPT, drafted, forced, item, shown, url
from tests.support.jobs import Work, approve
from tests.support.loaded import all_loaded
from tests.support.portal import Connect, admin_client_for
from tests.support.sandbox import Sandbox
from tests.support.shares import share_with

pytestmark = pytest.mark.django_db

ON_HOME = {"HX-Request": "true", "HX-Target": "home"}
OFFERED = "Show on Home again"


def failed(connection: Connection, title: str = "New staff", **given: object) -> Job:
    values = {"title": title, "finished_at": timezone.now(), **given}
    return forced(connection, JobState.DONE, item(1, ItemState.FAILED), **values)


def lines(client: Client) -> str:
    page = client.get("/")
    assert page.status_code == 200
    return page.text.partition('id="home"')[2].partition("</main>")[0]


def buttons(client: Client) -> list[str]:
    """Returns the addresses at which the first page has a line dismissed."""
    found = re.findall(r'<form [^>]*action="([^"]*/dismiss/[^"]*)"', lines(client))
    return [unescape(address) for address in found]


def undo_in(page: str) -> str:
    """Returns the address that the toast leads to."""
    return unescape(re.findall(r'<a[^>]* href="([^"]*)"', page.partition("data-toast=")[2])[0])


def test_a_line_is_dismissed_and_shown_again_without_scripts(
    client: Client, connection: Connection
):
    all_loaded(connection)
    job = failed(connection)
    entries = AuditEntry.objects.count()
    assert OFFERED not in shown(client, url(job))
    [button] = buttons(client)
    home = client.post(button, follow=True)
    assert home.redirect_chain == [("/", 303)]
    assert "“New staff” was dismissed." in home.text
    assert "Nothing needs you right now" in home.text
    assert undo_in(home.text) == url(job, "show-again")
    report = shown(client, url(job))
    assert "1 failed" in report
    assert OFFERED in report
    assert "Show “New staff” on Home again?" in client.get(url(job, "show-again")).text
    assert client.post(url(job, "show-again")).status_code == 303
    assert "“New staff” ended with failed rows" in lines(client)
    assert OFFERED not in shown(client, url(job))
    assert AuditEntry.objects.count() == entries


def test_script_gets_page_without_line_and_way_back(client: Client, connection: Connection):
    job = failed(connection)
    [button] = buttons(client)
    part = client.post(button, headers=ON_HOME).text
    assert part.lstrip().startswith('<div id="home"')
    assert "ended with failed rows" not in part
    assert undo_in(part) == url(job, "show-again")
    part = client.post(url(job, "show-again"), headers=SCRIPT).text
    assert 'id="job"' in part
    assert OFFERED not in part
    assert "“New staff” ended with failed rows" in lines(client)


def test_dismissing_twice_is_as_dismissing_once(client: Client, connection: Connection):
    job = failed(connection)
    [button] = buttons(client)
    for _ in range(2):
        assert "“New staff” was dismissed." in client.post(button, follow=True).text
    assert Dismissal.objects.filter(job=job).count() == 1
    for _ in range(2):
        assert client.post(url(job, "show-again")).status_code == 303
    assert buttons(client) == [button]


def test_it_is_dismissed_for_that_person_alone(
    client: Client, connection: Connection, operator: User
):
    share_with(connection, operator)
    job = failed(connection)
    colleague = admin_client_for(operator)
    client.post(url(job, "dismiss"))
    assert buttons(client) == []
    assert len(buttons(colleague)) == 1
    assert OFFERED not in shown(colleague, url(job))
    colleague.post(url(job, "show-again"))
    assert buttons(client) == [], "the colleague takes back only what is theirs"


def test_a_job_that_was_retried_and_failed_again_is_shown_again(
    client: Client, connection: Connection, sandbox: Sandbox, work: Work
):
    email = f"{uuid4().hex}@brightwater.example"
    job = work(drafted(connection, [email]))
    info = {"email": email, "first_name": "Ada", "last_name": "Byron", "type": 1}
    sandbox.client.post("/users", json={"action": "create", "user_info": info})
    approve(job)
    assert work(job).items.get().state == ItemState.FAILED
    [button] = buttons(client)
    client.post(button)
    assert buttons(client) == []
    client.post(url(job, "retry"))
    assert work(job).items.get().state == ItemState.FAILED
    assert "“Create 1 people” ended with failed rows" in lines(client)
    assert OFFERED not in shown(client, url(job))
    assert "was dismissed" not in client.post(button, follow=True).text, "of how it ended before"
    [again] = buttons(client)
    client.post(again)
    assert buttons(client) == []


def test_several_jobs_are_dismissed_and_shown_together(
    client: Client, connection: Connection, connect: Connect, administrator: User
):
    now = timezone.now()
    jobs = [failed(connection, finished_at=now - timedelta(hours=hours)) for hours in range(3)]
    other = failed(connect(administrator, "Other"), "Elsewhere")
    before = failed(connection, "Dismissed before")
    client.post(url(before, "dismiss"))
    assert "3 jobs ended with failed rows" in lines(client)
    button = next(one for one in buttons(client) if connection.key in one)
    home = client.post(button, follow=True).text
    assert "3 jobs were dismissed." in home
    assert "“Elsewhere” ended with failed rows" in home
    assert all(OFFERED in shown(client, url(job)) for job in jobs)
    assert "Show the dismissed jobs on Home again?" in client.get(undo_in(home)).text
    client.post(undo_in(home))
    assert "3 jobs ended with failed rows" in lines(client)
    assert OFFERED in shown(client, url(before))
    assert Dismissal.objects.filter(job=other).count() == 0


def test_job_that_was_not_on_page_is_not_dismissed_with_others(
    client: Client, connection: Connection
):
    for title in ("First", "Second"):
        failed(connection, title)
    [button] = buttons(client)
    failed(connection, "Third")
    client.post(button)
    assert "“Third” ended with failed rows" in lines(client)


@pytest.mark.parametrize("seen", ["", "?seen=", "?seen=soon", "?seen=0001-01-01T00:00%2B23:59"])
@pytest.mark.parametrize("act", ["dismiss", "show-again"])
def test_an_address_that_does_not_say_what_was_seen_is_no_error(
    client: Client, connection: Connection, seen: str, act: str
):
    job = failed(connection)
    for address in (url(job, act), url(job).replace(job.key, act)):
        assert client.post(f"{address}{seen}").status_code == 303


def test_a_job_of_somebody_else_is_not_found(connection: Connection, operator: User, viewer: User):
    job = failed(connection)
    stranger = admin_client_for(viewer)
    share_with(connection, operator, departments=["Sales"])
    limited = admin_client_for(operator)
    for client in (stranger, limited):
        assert client.post(url(job, "dismiss")).status_code == 404
        assert client.get(url(job, "show-again")).status_code == 404
        assert client.post(url(job, "show-again")).status_code == 404
    for act in ("dismiss", "show-again"):
        assert stranger.post(url(job).replace(job.key, act)).status_code == 404
        assert limited.post(url(job).replace(job.key, act)).status_code == 303
    assert not Dismissal.objects.exists()


def test_it_goes_with_the_job(client: Client, connection: Connection):
    job = failed(connection)
    client.post(url(job, "dismiss"))
    assert Dismissal.objects.exists()
    job.delete()
    assert not Dismissal.objects.exists()


def test_what_is_dismissed_takes_no_more_queries(client: Client, connection: Connection):
    jobs = [failed(connection) for _ in range(4)]
    client.get("/")  # what is looked up once in a process
    with CaptureQueriesContext(database) as before:
        client.get("/")
    for job in jobs[:2]:
        client.post(url(job, "dismiss"))
    client.get("/")  # says what was done
    with CaptureQueriesContext(database) as after:
        client.get("/")
    assert len(after) == len(before)
