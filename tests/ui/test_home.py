"""The first page: what needs somebody is a line that leads to where it is settled."""

import math
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from portal.dashboards.models import LiveSnapshot
from portal.jobs.models import ItemState, Job, JobState
from portal.sessions import mirror
from portal.ui import home
from portal.ui.home import HomeItem
from tests.support.fault_server import answer
from tests.support.html import text_of
from tests.support.loaded import all_loaded
from tests.support.portal import admin_client_for
from tests.ui.home_causes import CAUSES, done_with, drift, gap, job, live, meeting, storage

pytestmark = pytest.mark.django_db
WELL = "Nothing needs you right now"


@pytest.fixture(autouse=True)
def counted_anew(monkeypatch):
    """Has everything counted anew: slow counts are shown again for a minute, and a busy machine is
    slow with little."""
    monkeypatch.setattr("portal.sessions.home._SLOW", math.inf)


@pytest.fixture
def own(faulty, fault_server):
    """A connection to a service that is not to be called."""
    fault_server.always(answer(200, {}))
    all_loaded(faulty)
    return faulty


def shown(client):
    answered = client.get("/")
    assert answered.status_code == 200
    return text_of(answered.text.partition('id="home"')[2].partition("</main>")[0])


@pytest.mark.parametrize(("cause", "words"), CAUSES.values(), ids=list(CAUSES))
def test_home_line_leads_to_its_remedy_and_then_goes(client, own, fault_server, cause, words):
    settle = cause(own)
    page = client.get("/").text
    assert words in text_of(page)
    assert WELL not in text_of(page)
    assert fault_server.requests == [], "no call to the service"
    [link] = [part for part in page.split("<a ") if f">{words}</a>" in part]
    followed = client.get(link.partition('href="')[2].partition('"')[0].replace("&amp;", "&"))
    assert followed.status_code == 200
    if words[0].isdigit():
        shown_there = followed.text.partition('role="status" hx-get')[2].partition("</p>")[0]
        assert text_of(shown_there.partition(">")[2]).split()[0] == words.split(maxsplit=1)[0]
    settle()
    assert words not in shown(client)


def test_everything_at_once_is_few_queries_however_much_there_is(
    client, own, fault_server, django_assert_max_num_queries
):
    for cause, _ in CAUSES.values():
        cause(own)
    client.get("/")  # what is looked up once in a process
    with django_assert_max_num_queries(55) as few:
        client.get("/")
    meeting(own, 1)
    for number in range(2, 40):
        meeting(own, number)
        job(own, JobState.PLANNED)
        drift(own, f"Baseline {number}")
    sessions_are_counted_anew = 5
    with django_assert_max_num_queries(len(few) + sessions_are_counted_anew):
        text = shown(client)
    assert "The previews of 39 jobs are ready" in text
    assert "39 settings differ from 39 baselines" in text
    assert "39 upcoming meetings have no password" in text
    with django_assert_max_num_queries(55):
        client.get("/")
    assert fault_server.requests == []


def test_page_of_an_ordinary_account_is_at_most_25_queries(
    client, own, django_assert_max_num_queries
):
    meeting(own, 1)
    drift(own)
    live(own)
    done_with(own, ItemState.DONE)
    client.get("/")
    with django_assert_max_num_queries(25):
        client.get("/")


def test_needs_are_sorted_by_harm_and_jobs_stand_below(client, own):
    job(own, JobState.RUNNING, title="Running one", approved_at=timezone.now())
    assert WELL in shown(client), "what runs needs nobody"
    drift(own)
    storage(own)
    text = shown(client)
    places = [text.index(words) for words in ("storage is full", "1 setting", "Running one")]
    assert places == sorted(places)


def test_what_is_live_is_said_while_it_is_fresh(client, own):
    snapshot, now = live(own), timezone.now()
    text = shown(client)
    assert "1 live session has poor quality" in text
    assert "Live now 1 session under way 7 people in" in text
    LiveSnapshot.objects.filter(pk=snapshot.pk).update(asked_at=now - timedelta(hours=1))
    assert WELL in shown(client)


def test_live_tile_counts_each_kind_that_is_live(client, own):
    live(own, with_webinar=True)
    words = "2 sessions under way 1 live meeting, 1 live webinar · 14 people in"
    assert words in shown(client)


def test_what_nothing_is_known_of_is_not_said_to_be_well(client, own):
    assert text_after(shown(client), "No current data:").startswith(
        "live sessions, storage, recording sharing, licences."
    )
    storage(own, used=10.0)
    text = shown(client)
    checked = text_after(text, "All checks")
    assert "Storage" in text_after(checked, "Checked").partition("No current data")[0]
    assert "live sessions, recording sharing, licences." in text


def text_after(text, words):
    return text.partition(words)[2].strip()


def test_failed_rows_of_days_ago_are_left_to_the_list_of_jobs(client, own):
    done_with(own, ItemState.FAILED)
    Job.objects.update(finished_at=timezone.now() - timedelta(days=4))
    assert WELL in shown(client)


def test_several_connections_are_told_apart(client, own, connect, administrator):
    other = connect(administrator, "Other account")
    all_loaded(other)
    storage(own)
    assert shown(client).count("Other account") == 2, (
        "in the table of accounts and the switch alone"
    )
    drift(other)
    text = shown(client)
    assert text.rindex("storage is full") < text.rindex("Other account")
    assert text.count("Other account") == 3
    assert text.count("1 setting differs") == 2


def test_nothing_of_anybody_else_is_shown(own, operator, connect):
    for cause, _ in CAUSES.values():
        cause(own)
    all_loaded(connect(operator))
    text = shown(admin_client_for(operator))
    assert WELL in text
    assert not [words for _, words in CAUSES.values() if words in text]


def test_a_role_sees_no_line_of_what_it_may_not(viewer, connect):
    connection = connect(viewer)
    gap(connection)
    drift(connection)
    text = shown(admin_client_for(viewer))
    assert "Webhook deliveries are missing" not in text
    assert "1 setting differs" in text


def test_a_subject_that_fails_is_named_and_the_others_are_there(client, own, monkeypatch):
    def fail(_user, _grants):
        raise RuntimeError("A line that cannot be made")

    monkeypatch.setattr(home, "_subjects", [*home._subjects, HomeItem("Weather", 5, fail)])
    storage(own)
    text = shown(client)
    assert "Weather could not be checked" in text
    assert "Recording storage is full" in text
    assert "A line that cannot be made" not in text


def test_it_asks_for_itself_once_a_minute_and_gets_its_part(client, own):
    assert 'hx-trigger="every 60s, live"' in client.get("/").text
    part = client.get("/", headers={"HX-Request": "true", "HX-Target": "home"}).text
    assert part.lstrip().startswith('<div id="home"')
    assert "<html" not in part


def test_without_a_connection_it_is_the_first_step(client):
    page = client.get("/").text
    assert "First, connect an account" in page
    assert reverse("connections:new") in page


def test_connection_by_itself_leads_to_its_first_page(client, own):
    answer = client.get(f"/c/{own.key}/")
    assert answer.headers["Location"] == reverse("people:list", args=[own.key])


@pytest.mark.whole_pages
def test_home_is_marked_in_the_navigation_there_alone(client, own):
    page = client.get("/").text
    assert page.count('aria-current="page"') == 2, "in the navigation and the breadcrumbs"
    assert '<a class="nav-link active" href="/"' in page
    assert '<a class="nav-link active" href="/"' not in client.get("/audit/").text


def test_slow_counts_follow_what_the_portal_writes(
    client, own, monkeypatch, django_capture_on_commit_callbacks
):
    monkeypatch.setattr("portal.sessions.home._SLOW", -1)
    meeting(own, 1)
    assert "1 upcoming meeting has no password" in shown(client)
    meeting(own, 2)
    assert "1 upcoming meeting has no password" in shown(client), "it was only read"
    with django_capture_on_commit_callbacks(execute=True):
        mirror.drop(own, "meetings", "1")
        meeting(own, 3)
        meeting(own, 4)
    assert "3 upcoming meetings have no password" in shown(client)
