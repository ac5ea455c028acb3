"""The jobs of a connection in a list, and in the bar on top of every page."""

from datetime import timedelta
from urllib.parse import unquote

import pytest
from django.urls import reverse
from django.utils import timezone

from portal.access import availability
from portal.access.roles import Role
from portal.client import TimedOut
from portal.contract.users import Users
from portal.jobs import job_types
from portal.jobs.models import ItemState, Job, JobState
from portal.sign_in.session_store import SEEN
from tests.support.job_pages import forced, item, shown
from tests.support.portal import member

pytestmark = pytest.mark.django_db


def jobs_url(connection, name="list"):
    return reverse(f"jobs:{name}", args=[connection.key])


def far():
    return {"leased_until": timezone.now() + timedelta(days=1)}


def test_an_empty_list_teaches_what_jobs_are(client, connection):
    page = shown(client, jobs_url(connection))
    assert "No jobs yet" in page
    assert "Open people" in page


def test_jobs_stand_newest_first_with_how_far_they_are(client, connection):
    rows = [item(2), item(3), *(item(4 + n, ItemState.DONE) for n in range(6))]
    forced(connection, JobState.DONE, item(2, ItemState.DONE), title="Oldest")
    failed = [item(10, ItemState.FAILED), item(11, ItemState.FAILED)]
    forced(connection, JobState.RUNNING, *rows, *failed, title="Newest", rate=2.0, **far())
    page = shown(client, jobs_url(connection))
    assert page.index("Newest</a>") < page.index("Oldest</a>")
    newest = page.partition("Newest</a>")[2].partition("</tr>")[0]
    said = ('aria-valuenow="80"', "8 of 10", "2 failed", "Administrator")
    for each in said:
        assert each in newest
    assert "a few seconds left" in newest
    oldest = page.partition("Oldest</a>")[2].partition("</tr>")[0]
    assert "1 person created" in oldest
    assert "progress" not in oldest


def test_what_waits_for_a_person_stands_on_top(client, connection):
    forced(connection, JobState.PLANNED, item(2), item(3), title="A plan")
    forced(connection, JobState.PAUSED, item(2), title="A pause", reason="The token is refused.")
    forced(connection, JobState.UNPLANNABLE, title="No plan", reason="The table has no rows.")
    forced(connection, JobState.DONE, item(2, ItemState.UNKNOWN), title="A riddle")
    forced(connection, JobState.DONE, item(2, ItemState.DONE), title="A success")
    page = shown(client, jobs_url(connection))
    on_top = page.partition('id="jobs-waiting"')[2].partition("</section>")[0]
    assert "A riddle</a> 1 row with unknown outcome" in on_top
    assert "All 4" in on_top
    rest = shown(client, f"{jobs_url(connection)}?state=waiting").partition("</thead>")[2]
    for each in ("Create 2 people", "Paused at 0 %: The token is refused.", "no rows", "A riddle"):
        assert each in rest
    assert "A success" not in rest


def test_the_list_is_narrowed_by_state(client, connection):
    forced(connection, JobState.PLANNED, item(2), title="One")
    forced(connection, JobState.RUNNING, item(2), title="Two", **far())
    forced(connection, JobState.DONE, title="Three")
    forced(connection, JobState.CANCELLED, title="Four")

    def listed(state):
        page = shown(client, f"{jobs_url(connection)}?state={state}").partition(
            'class="nav nav-underline"'
        )[2]
        return {title for title in ("One", "Two", "Three", "Four") if f"{title}</a>" in page}

    assert listed("running") == {"Two"}
    assert listed("waiting") == {"One"}
    assert listed("done") == {"Three"}
    assert listed("cancelled") == {"Four"}
    assert listed("nonsense") == {"One", "Two", "Three", "Four"}
    Job.objects.filter(stored_title="Four").delete()
    assert "No jobs" in shown(client, f"{jobs_url(connection)}?state=cancelled")


def test_a_long_list_takes_few_queries(client, connection, django_assert_max_num_queries):
    for _ in range(30):
        forced(connection, JobState.RUNNING, item(2), item(3, ItemState.DONE), **far())
    with django_assert_max_num_queries(16):
        shown(client, jobs_url(connection))


def test_another_connections_jobs_are_not_listed(client, connection, connect):
    other = connect(connection.owner, "Other")
    forced(other, JobState.DONE, title="Elsewhere")
    assert "Elsewhere" not in shown(client, jobs_url(connection))


def test_what_the_portal_reads_for_its_own_lists_is_not_listed(client, connection):
    (reads,) = job_types.unlisted_names()[:1]
    forced(connection, JobState.RUNNING, item(2), kind=reads, title="Reading", **far())
    page = shown(client, jobs_url(connection))
    assert "Reading" not in page
    assert "jobs-running-link" not in page


def test_open_page_learns_of_an_outage_and_its_end(client, connection):
    address = jobs_url(connection, "running")
    asked = {"HX-Request": "true", "HX-Target": "jobs-running"}
    for known, words in ((TimedOut(Users.list, "No"), "danger Down"), (None, "success Reachable")):
        availability.clear_health(connection.key)
        availability.record_health(connection.key, known)
        answer = client.get(address, headers=asked)
        assert unquote(answer["Switchboard-Health"]) == words


@pytest.mark.whole_pages
def test_the_bar_on_top_counts_what_runs_and_asks_often_then(client, connection):
    anywhere = reverse("people:list", args=[connection.key])
    idle = shown(client, anywhere)
    assert "jobs-running-link" not in idle
    assert f'{jobs_url(connection, "running")}?seen=" hx-trigger="every 15s' in idle
    assert "X-Unwatched" in idle
    one = forced(connection, JobState.RUNNING, item(2), item(3, ItemState.DONE), **far())
    alone = shown(client, anywhere)
    assert f'href="/c/{connection.key}/jobs/{one.key}/"' in alone
    assert "job running, 50 %" in alone
    assert "X-Unwatched" not in alone
    assert f"{jobs_url(connection, 'running')}?seen={one.key}" in alone
    forced(connection, JobState.PLANNING, **far())
    both = shown(client, anywhere)
    assert 'jobs-running-count">2<' in both


def test_the_bar_on_top_reports_elsewhere_what_became_of_a_job(client, connection):
    done = forced(
        connection,
        JobState.DONE,
        item(2, ItemState.DONE),
        item(3, ItemState.FAILED),
        title="Create two",
    )
    plan = forced(connection, JobState.PLANNED, item(2), title="Create one")
    address = f"{jobs_url(connection, 'running')}?seen={done.key},{plan.key},nonsense"
    asked = {"HX-Request": "true", "HX-Target": "jobs-running"}
    elsewhere = shown(client, address, **asked, **{"HX-Current-URL": "http://testserver/people/"})
    assert "“Create two” is done: 1 person created, 1 failed." in elsewhere
    assert "The preview of “Create one” is ready." in elsewhere
    there = shown(client, address, **asked, **{"HX-Current-URL": f"/jobs/{done.key}/"})
    assert "Create two" not in there
    assert client.get(address).status_code == 303
    Job.objects.update(owner=member("colleague@example.com", Role.OPERATOR))
    others = client.get(address, headers=asked).text
    assert "data-toast" not in others
    assert others.count('hx-swap-oob="innerHTML:#jobs-news"') == 1
    assert "“Create two” is done: 1 person created, 1 failed." in others


def test_what_nobody_sees_is_no_use_of_a_session(client, connection, settings):
    def seen_after(**headers):
        session = client.session
        session[SEEN] = began = session[SEEN] - 90
        session.save()
        client.get(jobs_url(connection), headers=headers or None)
        return int(client.session[SEEN]) - began

    assert seen_after(**{"X-Unwatched": "true"}) == 0
    assert seen_after() >= 90
