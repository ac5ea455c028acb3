"""Alerts to packet loss that lasts: only what is needed is read for them."""

from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from portal.config import cache
from portal.dashboards.models import Alert, AlertKind, AlertRule, StoredSample
from portal.dashboards.services.live import losses
from portal.dashboards.services.live.losses import worst_of
from portal.dashboards.services.live.pace import LivePace
from portal.dashboards.services.live.picture import stored_picture
from portal.dashboards.services.live.reader import read_if_due
from tests.dashboards.services import listing, session
from tests.dashboards.test_reader import make_old, read
from tests.support.fault_server import answer
from tests.support.html import text_of
from tests.support.mails import delivered
from tests.support.scopes import whole

pytestmark = pytest.mark.django_db
Json = dict[str, Any]


@pytest.fixture(autouse=True)
def read_each_time(monkeypatch):
    """The service measures once a minute; tests do not wait for it."""
    monkeypatch.setattr(losses, "_EVERY", 0)
    monkeypatch.setattr("portal.dashboards.services.session.readings._FRESH", {"live": 0.0})


def rule(connection, minutes=3):
    kind = AlertKind.LOSS
    return AlertRule.objects.create(
        connection=connection, kind=kind, threshold=5, minutes=minutes, mails=False
    )


def losing(loss, name="Ada", **parts):
    """Somebody whose audio loses that much just now."""
    now = timezone.now()
    return {
        "user_id": f"user-{name}",
        "user_name": name,
        "join_time": f"{now.replace(minute=0, second=0) - timedelta(hours=1):%Y-%m-%dT%H:%M:%SZ}",
        "user_qos": {
            "date_time": f"{now:%Y-%m-%dT%H:%M:%SZ}",
            "audio_input": {"avg_loss": loss},
            **parts,
        },
    }


def service(meetings, people):
    """Lists these meetings; these people are in each of them."""
    lists = listing(meetings)

    def choose(seen):
        start, size = int(seen.query.get("next_page_token") or 0), int(seen.query["page_size"])
        token = str(start + size) if start + size < len(people) else ""
        page = {"participants": people[start : start + size], "next_page_token": token}
        return answer(200, {**page, "page_size": size, "total_records": len(people)})

    def behave(exchange):
        request = exchange.read()
        exchange.read = lambda: request
        (choose(request) if request.path.endswith("/qos") else lists)(exchange)

    return behave


def earlier(minutes):
    """Moves all measurements so far that many minutes back."""
    for one in StoredSample.objects.all():
        one.measured_at -= timedelta(minutes=minutes)
        one.save(update_fields=["measured_at"])
    for alert in Alert.objects.all():
        alert.began_at -= timedelta(minutes=minutes)
        alert.save(update_fields=["began_at"])


def alerts_of(connection):
    return [one.words for one in stored_picture(whole(connection)).picture.alerts]


def test_loss_that_lasts_is_alerted_to_until_it_ends(faulty, fault_server):
    rule(faulty)
    fault_server.always(service([session(1)], [losing("8.5%"), losing("0.2%", "Bob")]))
    read(faulty)
    assert alerts_of(faulty) == [], "not for long enough yet"
    for _ in range(2):
        earlier(1.6)
        read(faulty)
    assert alerts_of(faulty) == ["Ada in “Session 1” has over 5 % packet loss for 3 minutes"]
    earlier(1)
    fault_server.always(service([session(1)], [losing("0.1%")]))
    read(faulty)
    assert alerts_of(faulty) == []
    assert Alert.objects.get().ended_at is not None


def test_a_good_minute_in_between_begins_it_anew(faulty, fault_server):
    rule(faulty)
    for loss in ("9%", "9%", "0%", "9%"):
        earlier(1.4)
        fault_server.always(service([session(1)], [losing(loss)]))
        read(faulty)
    assert alerts_of(faulty) == []


def test_loss_that_was_kept_before_the_rule_counts(faulty, fault_server):
    made = rule(faulty)
    fault_server.always(service([session(1)], [losing("9%")]))
    for _ in range(3):
        earlier(2)
        read(faulty)
    made.delete()
    rule(faulty)
    read(faulty)
    assert len(alerts_of(faulty)) == 1


def test_what_cannot_be_read_is_no_loss(faulty, fault_server):
    rule(faulty, 1)
    fault_server.always(service([session(1)], [losing("-"), losing("", "Bob")]))
    for _ in range(3):
        earlier(2)
        read(faulty)
    assert Alert.objects.count() == 0
    content = {"video_input": {"avg_loss": "7 %"}, "audio_input": {"avg_loss": "1"}}
    assert worst_of(content, "loss") == 7


@pytest.mark.parametrize(
    ("kind", "threshold", "words"),
    [
        ("latency", 250, "Ada in “Session 1” has a latency over 250 ms for 1 minute"),
        ("jitter", 30, "Ada in “Session 1” has a jitter over 30 ms for 1 minute"),
        ("quality", 0, "Ada in “Session 1” has poor quality for 1 minute"),
    ],
)
def test_bad_quality_of_participant_that_lasts_is_alerted_to(
    faulty, fault_server, kind, threshold, words
):
    AlertRule.objects.create(connection=faulty, kind=kind, threshold=threshold, minutes=1)
    bad = losing("0%", video_input={"latency": "400 ms", "jitter": "60 ms"})
    good = losing("0%", "Bob", video_input={"latency": "40 ms", "jitter": "6 ms"})
    fault_server.always(service([session(1)], [bad, good]))
    read(faulty)
    earlier(1.5)
    read(faulty)
    assert alerts_of(faulty) == [words]


def asked(server):
    return [one.path.split("/")[-3] for one in server.requests if one.path.endswith("/qos")]


def test_pages_read_per_minute_are_bounded_and_take_turns(faulty, fault_server, monkeypatch):
    monkeypatch.setattr(losses, "pace_of", lambda _of: LivePace(pages=3))
    rule(faulty)
    meetings = [session(number, uuid=f"m{number}") for number in range(5)]
    fault_server.always(service(meetings, [losing("0%", f"P{n}") for n in range(4)]))
    read(faulty)
    first = asked(fault_server)
    assert len(first) == 3
    read(faulty)
    assert set(first) | set(asked(fault_server)[3:5]) == {one["uuid"] for one in meetings}


def test_sessions_in_which_somebody_loses_are_read_first(faulty, fault_server, monkeypatch):
    monkeypatch.setattr(losses, "pace_of", lambda _of: LivePace(pages=1))
    rule(faulty)
    meetings = [session(number, uuid=f"m{number}") for number in range(3)]
    fault_server.always(service(meetings, [losing("9%")]))
    for _ in range(3):
        earlier(1)
        read(faulty)
    assert len(set(asked(fault_server))) == 1


def test_without_such_a_rule_no_quality_is_read(faulty, fault_server):
    fault_server.always(service([session(1)], [losing("9%")]))
    read(faulty)
    assert asked(fault_server) == []


def test_quality_is_read_once_a_minute(faulty, fault_server, monkeypatch):
    monkeypatch.setattr(losses, "_EVERY", 50)
    cache.delete(f"live-losses:{faulty.key}:read")
    rule(faulty)
    fault_server.always(service([session(1)], [losing("9%")]))
    for _ in range(3):
        read(faulty)
    assert len(asked(fault_server)) == 1


def test_a_rule_says_for_how_many_minutes(client, faulty):
    new = reverse("dashboards:alert-rule-new", args=[faulty.key])
    given = {"kind": "loss", "threshold": 5}
    assert "Enter 1 to 60 minutes." in client.post(new, given).text
    client.post(new, {**given, "minutes": 3})
    client.post(new, {**given, "minutes": 10})
    client.post(new, {"kind": "people", "threshold": 90, "minutes": 10})
    page = text_of(client.get(reverse("dashboards:alerts", args=[faulty.key])).text)
    assert "A participant's packet loss is over 5 % for 3 minutes" in page
    assert "A participant's packet loss is over 5 % for 10 minutes" in page
    assert AlertRule.objects.get(kind="people").minutes == 0


def test_quality_is_measured_for_viewers_without_a_rule(client, faulty, fault_server):
    people = [losing("9%", "Ada", audio_output={"latency": "900 ms"}), losing("0%", "Bob")]
    fault_server.always(service([session(1)], people))
    read_watched(faulty)
    read_watched(faulty)
    [live] = stored_picture(whole(faulty)).picture.sessions
    assert (live.poor, live.measured, live.quality) == (1, 2, "poor")
    assert "1 of 2 poor" in text_of(client.get(reverse("dashboards:now", args=[faulty.key])).text)


def read_watched(connection):
    make_old(connection)
    read_if_due(connection.pk, is_watched=True)


def test_session_is_mailed_once_until_it_is_over_then_a_digest(faulty, fault_server):
    AlertRule.objects.filter(pk=rule(faulty, minutes=0).pk).update(mails=True)
    fault_server.always(service([session(1)], [losing("9%")]))
    read(faulty)
    for others in (["Bob"], ["Bob", "Cleo"]):
        earlier(1)
        more = [losing("9%", name) for name in others]
        fault_server.always(service([session(1)], [losing("9%"), *more]))
        read(faulty)
    assert ["Ada" in one.body for one in delivered()] == [True]
    earlier(1)
    fault_server.always(service([session(1)], [losing("0%", name) for name in ("Ada", "Bob")]))
    read(faulty)
    fault_server.always(service([], []))
    read(faulty)
    [_first, digest] = delivered()
    assert "Bob" in digest.body
    assert "Cleo" in digest.body
