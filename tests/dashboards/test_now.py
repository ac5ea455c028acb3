"""The page of what runs just now: served from what is kept, narrowed, honest about its age."""

import gzip
import re
from datetime import UTC, datetime, timedelta

import pytest
from django.core.cache import cache
from django.urls import reverse
from django.utils import timezone

from portal.access import availability
from portal.access.models import Connection
from portal.access.roles import Role
from portal.client import TimedOut
from portal.contract.users import User as Person, Users, UserStatus
from portal.dashboards.filters import chosen
from portal.dashboards.home import running
from portal.dashboards.models import LiveSample, LiveSnapshot, StoredSample
from portal.dashboards.services.live.picture import stored_picture
from portal.dashboards.services.live.reader import EVERY, read_if_due, waiting_key
from portal.dashboards.views.live_fragment import LiveFragment
from portal.directory import users
from tests.dashboards.services import listing, session
from tests.dashboards.test_reader import make_old, read
from tests.support.fault_server import answer, depending, no_answer
from tests.support.html import text_of
from tests.support.portal import admin_client_for, member
from tests.support.random_service import NEGATIVE, RandomService, seeds
from tests.support.scopes import whole
from tests.support.shares import share_with

pytestmark = pytest.mark.django_db

NONE = "\N{EN DASH}"
HTMX = {"HX-Request": "true", "HX-Target": "live"}


def url(connection, name="now"):
    return reverse(f"dashboards:{name}", args=[connection.key])


def shown(client, connection, **query):
    answer = client.get(url(connection), query)
    assert answer.status_code == 200
    return text_of(answer.text)


def topics(client, connection, **query):
    """The topics of the rows, in their order."""
    text = client.get(url(connection), query).text
    return re.findall(r'<a id="live-open-[^>]*>([^<]*)</a>', text)


def test_a_meeting_that_runs_in_the_sandbox_is_on_the_page(client, connection, sandbox):
    host = sandbox.people()[0]
    sent = {"topic": "Standup with everybody", "type": 1}
    made = sandbox.client.post(f"/users/{host['id']}/meetings", json=sent).json()
    assert "Loading live sessions" in shown(client, connection)
    read_if_due(connection.pk)
    assert "Standup with everybody" in topics(client, connection)
    path = f"/meetings/{made['id']}/status"
    sandbox.client.put(path, json={"action": "end"}).raise_for_status()


def test_totals_are_of_all_that_runs(client, faulty, fault_server):
    meetings = [session(n, participants=n, has_recording=n == 2) for n in range(1, 4)]
    fault_server.always(listing(meetings, [session(9, participants=1_200, has_screen_share=True)]))
    read(faulty)
    text = shown(client, faulty)
    for words in ("Participants 1,206", "Meetings 3", "Webinars 1", "Recording 1", "Sharing 1"):
        assert words in text
    assert topics(client, faulty) == ["Session 3", "Session 2", "Session 1"]
    assert topics(client, faulty, kind="webinars") == ["Session 9"]


def test_tiles_have_curves_for_those_who_see_all(client, faulty, fault_server):
    fault_server.always(listing([session(1)]))
    read(faulty)
    now = timezone.now().replace(second=0, microsecond=0)
    for back in range(1, 8):
        LiveSample.objects.create(
            connection=faulty, minute=now - timedelta(minutes=back), participants=back, meetings=1
        )
    page = client.get(url(faulty)).text
    assert page.count("<polyline") == 2, "webinars were never counted"
    assert "Peak 7" in text_of(page)
    limited = member("cy@example.com", Role.ADMINISTRATOR)
    share_with(faulty, limited, Role.ADMINISTRATOR, departments=["Sales"])
    assert "<polyline" not in admin_client_for(limited).get(url(faulty)).text


def test_what_needs_attention_comes_first(client, faulty, fault_server):
    long_ago = f"{timezone.now() - timedelta(hours=13):%Y-%m-%dT%H:%M:%SZ}"
    fault_server.always(
        listing(
            [
                session(1, participants=90),
                session(2, participants=0),
                session(3, start_time=long_ago, participants=4),
                session(4, participants=2),
                session(5, participants=5),
            ]
        )
    )
    for number, level, minutes in ((4, "good", 2), (4, "poor", 1), (5, "good", 1), (1, "poor", 9)):
        StoredSample.objects.create(
            connection=faulty,
            session=f"uuid/{number}==",
            stay=f"{number} {level}",
            measured_at=timezone.now() - timedelta(minutes=minutes),
            level=level,
        )
    read(faulty)
    ordered = [f"Session {n}" for n in (4, 3, 2, 1, 5)]
    assert topics(client, faulty) == ordered
    text = shown(client, faulty)
    for words in ("1 of 2 poor", "Running over 12 hours", "No participants", "Not measured"):
        assert words in text
    assert "In use" in text
    assert topics(client, faulty, quality="poor") == ["Session 4"]
    assert topics(client, faulty, quality="unknown") == ["Session 3", "Session 2", "Session 1"]


def test_the_list_is_narrowed_by_what_stands_in_the_address(client, faulty, fault_server):
    person = Person(id="u1", email="ada@brightwater.example", first_name="Ada", dept="Research")
    users.put(faulty, person, UserStatus.ACTIVE)
    fault_server.always(
        listing(
            [
                session(1, topic="Budget <b>review</b>"),
                session(2, topic="Design", host="Grace Hopper", email="grace@north.example"),
            ]
        )
    )
    read(faulty)
    assert topics(client, faulty, q="budget") == ["Budget &lt;b&gt;review&lt;/b&gt;"]
    assert topics(client, faulty, q="81000000002") == ["Design"]
    assert topics(client, faulty, host="hopper") == ["Design"]
    assert len(topics(client, faulty, department="Research")) == 1
    assert topics(client, faulty, q="design", department="Research") == []
    assert "No live session matches the filters" in shown(client, faulty, q="nothing like it")
    assert len(topics(client, faulty, kind="x", quality="y", department="", open="z")) == 2


def test_a_filter_writes_itself_into_the_address(client, faulty, fault_server):
    fault_server.always(listing([session(1)]))
    read(faulty)
    headers = HTMX | {"HX-Trigger": "live-filters"}
    query = {"q": "ses", "department": "", "kind": "meetings"}
    answer = client.get(url(faulty), query, headers=headers)
    assert answer["HX-Push-Url"] == f"{url(faulty)}?q=ses"
    assert "HX-Push-Url" not in client.get(url(faulty), query, headers=HTMX)


def test_a_session_opens_beside_the_list_under_its_own_address(client, faulty, fault_server):
    fault_server.always(listing([session(1, participants=9), session(2)]))
    read(faulty)
    page = client.get(url(faulty)).text
    [link, _] = re.findall(r'<a id="live-open-\w+"[^>]* href="([^"]+)"', page)
    opened = client.get(link.replace("&amp;", "&")).text
    assert 'id="live-panel"' in opened
    ending = reverse("meetings:end", args=[faulty.key, "81000000001"])
    assert f"{ending}?next={url(faulty)}%3Fopen%3D" in opened, "one comes back here"
    assert reverse("meetings:livestream", args=[faulty.key, "81000000001"]) in opened
    assert reverse("meetings:edit", args=[faulty.key, "81000000001"]) in opened
    assert 'aria-current="true"' in opened


def test_who_may_not_end_a_session_is_not_offered_to(connect, faulty, fault_server):
    fault_server.always(listing([session(1)]))
    for role, read_only, offered in (
        (Role.VIEWER, False, (False, False)),
        (Role.OPERATOR, False, (False, True)),
        (Role.ADMINISTRATOR, False, (True, True)),
        (Role.ADMINISTRATOR, True, (False, False)),
    ):
        user = member(f"{role}-{read_only}@example.com", role)
        Connection.objects.filter(pk=faulty.pk).update(owner=user, read_only=read_only)
        read(faulty)
        client = admin_client_for(user)
        found = re.search(r'href="([^"]*open=\w+)"', client.get(url(faulty)).text)
        assert found
        opened = client.get(found[1].replace("&amp;", "&")).text
        names = ("meetings:end", "meetings:edit")
        links = [reverse(name, args=[faulty.key, "81000000001"]) for name in names]
        assert tuple(link in opened for link in links) == offered


def test_a_viewer_costs_one_query_beyond_signing_in(
    client, faulty, fault_server, django_assert_num_queries
):
    fault_server.always(listing([session(1)]))
    read(faulty)
    requests = len(fault_server.requests)
    client.get(url(faulty), headers=HTMX)
    with django_assert_num_queries(5):  # session, person, second factor, connection, picture
        client.get(url(faulty), headers=HTMX)
    assert len(fault_server.requests) == requests


def test_an_unchanged_part_is_a_304_with_the_time_of_the_picture(client, faulty, fault_server):
    fault_server.always(listing([session(1)]))
    read(faulty)
    answer = client.get(url(faulty), headers=HTMX)
    # The duration changes with the minute, and with it the answer.
    again = HTMX | {"If-None-Match": answer["ETag"]}
    unchanged = client.get(url(faulty), headers=again)
    if answer["ETag"] == client.get(url(faulty), headers=HTMX)["ETag"]:
        assert (unchanged.status_code, unchanged.content) == (304, b"")
        assert unchanged["Switchboard-As-Of"] == answer["Switchboard-As-Of"]
    assert client.get(url(faulty), {"q": "x"}, headers=again).status_code == 200
    fault_server.always(listing([session(1), session(2)]))
    read(faulty)
    assert client.get(url(faulty), headers=again).status_code == 200


def test_wall_shows_sessions_that_do_not_fit_in_turn(client, faulty, fault_server):
    fault_server.always(listing([session(number) for number in range(1, 20)]))
    read(faulty)
    known, at = stored_picture(whole(faulty)), datetime(2026, 1, 5, 8, tzinfo=UTC)
    seen: set[str] = set()
    parts = []
    for turn in range(3):
        now = at + timedelta(seconds=10 * turn)
        part = LiveFragment(known, chosen({}), "", True, False, (), now)
        rows = part.context()["rows"]
        assert len(rows) <= 8
        seen |= {row.session.topic for row in rows}
        parts.append(part.etag)
    assert len(seen) == 19
    assert len(set(parts)) == 3
    assert re.search(r"\d+ to \d+ of 19", text_of(client.get(url(faulty), {"wall": "1"}).text))


def test_part_says_state_of_the_service_by_its_last_call(client, faulty, fault_server):
    fault_server.always(listing([session(1)]))
    read(faulty)
    assert client.get(url(faulty), headers=HTMX)["Switchboard-Health"] == "success%20Reachable"
    availability.record_health(faulty.key, TimedOut(Users.list, "No answer"))
    assert client.get(url(faulty), headers=HTMX)["Switchboard-Health"] == "danger%20Down"
    assert "status-dot status-danger" in client.get(url(faulty)).text


def test_part_is_same_to_browsers_that_take_it_compressed(client, faulty, fault_server):
    fault_server.always(listing([session(1)]))
    read(faulty)
    compressed = client.get(url(faulty), headers=HTMX | {"Accept-Encoding": "br, gzip"})
    plain = client.get(url(faulty), headers=HTMX)
    assert compressed["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in compressed["Vary"]
    assert not plain.has_header("Content-Encoding")
    if compressed["ETag"] == plain["ETag"]:  # the duration changes with the minute
        assert gzip.decompress(compressed.content) == plain.content


def test_viewers_of_other_zone_or_role_get_own_fragment(client, faulty, fault_server):
    fault_server.always(listing([session(1)]))
    read(faulty)
    here = client.get(url(faulty), headers=HTMX)["ETag"]
    client.cookies["zone"] = "Asia/Tokyo"
    there = client.get(url(faulty), headers=HTMX)
    assert there["ETag"] != here


def test_viewers_of_two_languages_are_each_served_their_own_part(
    client, faulty, fault_server, django_assert_num_queries
):
    fault_server.always(listing([session(n) for n in range(1, 4)]))
    read(faulty)
    english = HTMX | {"Accept-Encoding": "gzip"}
    german = english | {"Accept-Language": "de"}
    client.get(url(faulty), {"q": "x"}, headers=english)  # signs in
    tags: dict[str, set[str]] = {"3 live meetings": set(), "3 laufende Meetings": set()}
    for _ in range(2):  # made, and then served from what is kept
        for headers, words in zip((english, german), tags, strict=True):
            with django_assert_num_queries(5):
                answer = client.get(url(faulty), headers=headers)
            assert words in text_of(gzip.decompress(answer.content).decode())
            tags[words].add(answer["ETag"])
    assert tags["3 live meetings"].isdisjoint(tags["3 laufende Meetings"])
    # What one language has is no answer to another.
    known = HTMX | {"Accept-Language": "de", "If-None-Match": tags["3 live meetings"].pop()}
    assert client.get(url(faulty), headers=known).status_code == 200


def test_why_service_fails_is_said_in_language_of_viewer(client, faulty, fault_server):
    fault_server.always(answer(500, {}))
    read(faulty)
    assert "The service failed with status 500." in shown(client, faulty)
    text = text_of(client.get(url(faulty), headers={"Accept-Language": "de"}).text)
    assert "mit Status 500" in text


def test_silent_service_leaves_old_picture_and_its_time(client, faulty, fault_server):
    fault_server.always(listing([session(1)]))
    read(faulty)
    assert running(whole(faulty)) == 1
    fault_server.always(no_answer())
    read(faulty)
    text = shown(client, faulty)
    assert running(whole(faulty)) == 0, "the navigation shows what runs now"
    assert re.search(r"Meetings: not updated since \d\d:\d\d", text)
    assert re.search(r"Shown: \d\d:\d\d:\d\d", text)
    assert "alert-warning" not in client.get(url(faulty)).text, "it would push the rows down"
    assert topics(client, faulty) == ["Session 1"]


def test_dead_service_is_named_before_first_answer(client, faulty, fault_server):
    fault_server.always(no_answer())
    read_if_due(faulty.pk)
    text = shown(client, faulty)
    assert "Nothing was loaded before" in text
    assert f"Participants {NONE} " in text
    assert "Meetings 0" not in text


def test_a_service_that_takes_long_is_named(client, faulty, fault_server):
    fault_server.always(listing([session(1)]))
    read(faulty)
    assert "Still waiting" not in shown(client, faulty)
    make_old(faulty, 40)
    assert "Still waiting" not in shown(client, faulty), "no user looked, so it was not asked"
    since = timezone.now() - EVERY * 2
    cache.set(waiting_key(faulty.pk), since.timestamp(), 60)
    assert "Still waiting for the service" in shown(client, faulty)
    read_if_due(faulty.pk)
    make_old(faulty, 40)
    assert "Still waiting" not in shown(client, faulty)


def test_values_that_cannot_be_are_said_to_be_so(client, faulty, fault_server):
    fault_server.always(listing([session(1, participants=-4, start_time="1890-01-01T00:00:00Z")]))
    read(faulty)
    text = shown(client, faulty)
    assert "no usable start time or participant count for 1 session" in text
    assert "-4" not in text
    assert "1890" not in text
    assert f"Participants {NONE} " in text


@pytest.mark.parametrize("seed", seeds(0, 1, 2, all_of=12))
def test_answers_that_make_no_sense_make_a_page(client, faulty, fault_server, seed):
    fault_server.always(depending(RandomService(seed)))
    read(faulty)
    for query in ({}, {"kind": "webinars"}, {"wall": "1"}, {"all": "1"}):
        page = client.get(url(faulty), query)
        assert page.status_code == 200
        assert str(NEGATIVE) not in page.text
        for link in re.findall(r'href="([^"]*open=\w+)"', page.text):
            assert client.get(link.replace("&amp;", "&")).status_code == 200


def test_many_sessions_are_shown_in_part_until_all_are_asked_for(client, faulty, fault_server):
    fault_server.always(listing([session(n) for n in range(120)]))
    read(faulty)
    assert len(topics(client, faulty)) == 50
    assert "50 of 120 shown" in shown(client, faulty)
    assert len(topics(client, faulty, all="1")) == 120


def test_the_wall_has_figures_and_no_navigation(client, faulty, fault_server):
    fault_server.always(listing([session(1)], [session(2)]))
    read(faulty)
    page = client.get(url(faulty), {"wall": "1"}).text
    assert "live-wall" in page
    assert 'class="sb-nav' not in page
    assert {"Session 1", "Session 2"} <= set(re.findall(r"Session \d", page))


def test_looking_has_the_service_asked_where_the_picture_is_old(
    client, faulty, fault_server, django_capture_on_commit_callbacks
):
    fault_server.always(listing([session(1)]))
    read(faulty)
    with django_capture_on_commit_callbacks() as begun:
        client.get(url(faulty), headers=HTMX)
    assert begun == []
    LiveSnapshot.objects.update(asked_at=timezone.now() - timedelta(seconds=11))
    with django_capture_on_commit_callbacks() as begun:
        client.get(url(faulty), headers=HTMX)
    assert len(begun) == 1
