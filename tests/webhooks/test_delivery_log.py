"""The log of deliveries: filters, pages, what one did, files, playing again, gaps."""

import csv
import io
import re
from datetime import timedelta

import pytest
from django.db import connection as database
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from portal.access.grants import scope_of
from portal.access.http import Origin
from portal.access.roles import Role
from portal.audit.models import AuditEntry
from portal.connections.api import api_for
from portal.mirror.models import MirrorState
from portal.sessions.models import SessionToRead
from portal.webhooks import subscriptions
from portal.webhooks.models import Delivery, Gap, Refusal
from portal.webhooks.views import delivery_log as views
from tests.support.dashboard_pages import words_of
from tests.support.deliveries import notification, post, subscribed
from tests.support.portal import admin_client_for, member
from tests.webhooks.pages import address

pytestmark = pytest.mark.django_db
PART = {"HX-Request": "true", "HX-Target": "deliveries"}


@pytest.fixture
def subscription(faulty):
    return subscribed(faulty)


def log(connection, **query):
    return address(connection, "deliveries", **query)


def fill(connection, count, **values):
    now = timezone.now()
    first = Delivery.objects.count()
    given = {"event": "meeting_ended", "did": "Meeting 1 is being updated.", "payload": "{}"}
    Delivery.objects.bulk_create(
        Delivery(
            connection=connection,
            event_id=f"e-{first + number}",
            came_at=now - timedelta(minutes=count - number),
            topic=f"Topic {number:04}",
            search=f"topic {number:04}",
            **(given | values),
        )
        for number in range(count)
    )


def topics(client, url):
    return re.findall(r"Topic \d{4}", words_of(client.get(url, headers=PART).content))


def test_an_empty_log_says_how_to_begin(client, faulty):
    text = words_of(client.get(log(faulty)).content)
    assert "Not subscribed to events" in text
    assert "Subscribe to events" in text
    assert "data-refresh" not in client.get(log(faulty)).text, "nothing comes"
    subscribed(faulty)
    text = words_of(client.get(log(faulty)).content)
    assert "No deliveries yet" in text
    assert "Check now" in text
    assert "data-refresh-every" in client.get(log(faulty)).text


def test_delivery_stands_in_log_with_what_it_did_and_its_payload(client, subscription):
    connection = subscription.connection
    post(subscription, notification(id="12345", type=2, topic="<b>Stand-up</b>", password="s3cret"))
    text = words_of(client.get(log(connection)).content)
    assert "1 delivery" in text
    assert "Meeting 12345 is being updated." in text
    html = client.get(log(connection, open=Delivery.objects.get().pk)).content.decode()
    assert "&lt;b&gt;Stand-up" in html
    assert "<b>Stand-up" not in html
    assert "&quot;id&quot;: &quot;12345&quot;" in html
    assert "s3cret" not in html
    assert "Replay" in html
    for nonsense in ("0", "x", "9" * 30, "-1"):
        assert client.get(log(connection, open=nonsense)).status_code == 200


def test_the_log_is_narrowed_by_event_period_result_and_words(client, subscription):
    connection = subscription.connection
    for number, event in enumerate(("meeting_started", "meeting_ended", "participant_left")):
        sent = notification(event, f"e-{number}", id=f"10{number}", type=2, topic=f"T{number}")
        post(subscription, sent)
    post(subscription, notification("meeting_ended", "e-1"))
    Delivery.objects.filter(event_id="e-0").update(came_at=timezone.now() - timedelta(days=3))
    for query, found in (
        ({"event": "meeting_ended"}, {"T1"}),
        ({"q": "102"}, {"T2"}),
        ({"q": "t0 meeting"}, {"T0"}),
        ({"did": "doubled"}, {"T1"}),
        ({"did": "nothing"}, {"T2"}),
        ({"did": "changed"}, {"T0", "T1"}),
        ({"period": "7-days"}, {"T0", "T1", "T2"}),
        ({"period": "yesterday"}, set()),
        ({"did": "of-no-release"}, {"T0", "T1", "T2"}),
    ):
        text = words_of(client.get(log(connection, **query), headers=PART).content)
        assert set(re.findall(r"\bT\d\b", text)) == found, query
    assert "No delivery matches" in words_of(client.get(log(connection, q="none")).content)


def test_pages_stay_while_more_deliveries_come(client, faulty):
    fill(faulty, 130)
    first = topics(client, log(faulty))
    assert first == [f"Topic {number:04}" for number in range(129, 79, -1)]
    keys = dict(Delivery.objects.values_list("topic", "pk"))
    second = log(faulty, before=keys[first[-1]])
    before = topics(client, second)
    assert before == [f"Topic {number:04}" for number in range(79, 29, -1)]
    Delivery.objects.create(connection=faulty, event_id="new", topic="Topic 9999")
    assert topics(client, second) == before
    last = topics(client, log(faulty, before=keys[before[-1]]))
    assert last == [f"Topic {number:04}" for number in range(29, -1, -1)]
    assert topics(client, log(faulty, after=keys[last[0]])) == before
    for nonsense in ("x", "9" * 40, "-1", "²"):
        assert topics(client, log(faulty, before=nonsense))[0] == "Topic 9999"
    assert topics(client, log(faulty, before=1)) == []


def test_neither_queries_nor_rows_grow_with_the_log(client, faulty):
    def queries():
        with CaptureQueriesContext(database) as asked:
            assert client.get(log(faulty), headers=PART).status_code == 200
        return len(asked)

    fill(faulty, 60)
    client.get(log(faulty))
    before = queries()
    fill(faulty, 300)
    assert queries() == before <= 16


def test_what_has_not_changed_is_not_sent_again(client, subscription):
    connection = subscription.connection
    post(subscription, notification(id="1", type=2))
    fresh = client.get(log(connection), headers=PART)
    seen = {**PART, "If-None-Match": fresh["ETag"]}
    again = client.get(log(connection), headers=seen)
    assert (again.status_code, again.content) == (304, b"")
    assert again["Switchboard-As-Of"]
    post(subscription, notification(id="1", type=2))
    changed = client.get(log(connection), headers=seen)
    assert changed.status_code == 200
    assert "2 times" in words_of(changed.content)


def test_a_file_has_what_the_filters_leave(client, faulty):
    fill(faulty, 3)
    url = address(faulty, "deliveries-export", "csv", q="0001", columns="all")
    rows = list(csv.DictReader(io.StringIO(client.get(url).getvalue().decode("utf-8-sig"))))
    assert [row["Topic"] for row in rows] == ["Topic 0001"]
    assert {"Event ID", "Event", "Result", "Delivered", "Received", "Payload"} <= rows[0].keys()
    assert AuditEntry.objects.latest("sequence").sent["filter"] == "Search: 0001"


def test_one_is_played_again_and_the_log_says_so(client, subscription):
    connection = subscription.connection
    post(subscription, notification(id="1", type=2))
    SessionToRead.objects.all().delete()
    one = Delivery.objects.get()
    answered = client.post(address(connection, "deliveries-play", str(one.pk), q="1"), follow=True)
    text = words_of(answered.content)
    assert "Replayed. Meeting 1 is being updated." in text
    assert answered.redirect_chain[0][0].endswith(f"?q=1&open={one.pk}")
    assert SessionToRead.objects.count() == 1
    assert AuditEntry.objects.latest("sequence").actor == connection.owner
    assert client.post(address(connection, "deliveries-play", "99999")).status_code == 404


def test_all_that_filter_finds_is_played_again_but_not_too_many(client, subscription, monkeypatch):
    connection = subscription.connection
    for number in range(3):
        post(subscription, notification("meeting_ended", f"e-{number}", id=number + 10, type=2))
    post(subscription, notification(event_id="other", id="99", type=2))
    SessionToRead.objects.all().delete()
    url = address(connection, "deliveries-play-all", event="meeting_ended")
    text = words_of(client.get(url).content)
    assert "Replay 3 deliveries?" in text
    assert "Event: Meeting ended" in text
    done = client.post(url, follow=True)
    assert "3 deliveries were replayed; 3 changed a list." in words_of(done.content)
    assert sorted(SessionToRead.objects.values_list("session_id", flat=True)) == ["10", "11", "12"]
    entry = AuditEntry.objects.latest("sequence")
    assert entry.sent == {"deliveries": 3, "filter": "Event: Meeting ended"}
    monkeypatch.setattr(views, "MOST_PLAYED", 2)
    refused = client.post(url)
    assert refused.status_code == 422
    assert "narrow them to 2 at most" in words_of(refused.content)
    unclear = client.post(address(connection, "deliveries-play-all", event="nonsense"))
    assert unclear.status_code == 422
    assert Delivery.objects.filter(played__gt=1).count() == 0


def test_what_was_refused_stands_at_the_head(client, subscription):
    now = timezone.now()
    Refusal.objects.create(
        subscription=subscription, why="password", count=12, since=now, last_at=now
    )
    text = words_of(client.get(log(subscription.connection)).content)
    assert "12 deliveries refused since" in text
    assert "wrong user name or password" in text


def test_a_gap_is_said_with_when_the_lists_were_read_again(client, subscription):
    now = timezone.localtime().replace(hour=14, minute=2)
    connection = subscription.connection
    for kind in ("sessions", "recordings"):
        MirrorState.objects.filter(kind=kind).update(refreshed_at=now + timedelta(minutes=39))
    gap = Gap.objects.create(
        connection=connection,
        began_at=now,
        ended_at=now + timedelta(minutes=38),
        noticed_at=now,
        asked_at=now + timedelta(minutes=38),
        why="“Meeting started” was not reported for Stand-up",
        lists=["sessions", "recordings"],
    )
    text = words_of(client.get(log(connection)).content)
    assert "From 14:02 to 14:40 nothing came: “Meeting started” was not reported" in text
    assert "The lists were updated at 14:41." in text
    Gap.objects.filter(pk=gap.pk).update(asked_at=now + timedelta(minutes=50))
    assert "are being updated" in words_of(client.get(log(connection)).content)


def test_check_now_asks_the_service(client, connection):
    url = address(connection, "deliveries-check")
    assert client.post(url).status_code == 303  # not subscribed: there is nothing to ask
    api = api_for(scope_of(connection.owner, connection))
    own = subscriptions.follow(api, connection)
    done = client.post(url, follow=True)
    assert "The webhook works, and no event was missed." in words_of(done.content)
    api.webhooks.delete(own.webhook_id)
    text = words_of(client.post(url, follow=True).content)
    assert "deleted at the service" in text
    assert "Subscribe again" in text
    client.post(f"/c/{connection.key}/changes/follow/")
    try:
        text = words_of(client.get(log(connection)).content)
        assert "Subscribe again" not in text
        assert Gap.objects.get().ended_at
    finally:
        subscriptions.unfollow(api, connection, Origin())


def test_another_admins_deliveries_are_not_found(subscription, faulty):
    post(subscription, notification(id="1", type=2))
    other = admin_client_for(member("other@example.com", Role.ADMINISTRATOR))
    one = Delivery.objects.get()
    assert other.get(log(faulty)).status_code == 404
    assert other.post(address(faulty, "deliveries-play", str(one.pk))).status_code == 404
