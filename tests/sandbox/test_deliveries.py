"""Notifications reach those who subscribed, at least once, and hold up nobody."""

import base64
from datetime import date

import pytest

from tests.sandbox.conftest import done
from tests.sandbox.test_webhooks import ENDED, STARTED, subscribe
from tests.support.sandbox import Sandbox, run_within
from tests.support.subscriber import Subscriber, happens

PUT_OFF = """
from datetime import timedelta
from django.utils.timezone import now
from portal.sandbox.models import Delivery
assert Delivery.objects.update(due_at=now() + timedelta(days=1)) == 1
"""

NOT_SETTLED = """
from portal.sandbox.models import Delivery
print(Delivery.objects.filter(attempts=0).count())
"""


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory):
    running = Sandbox(tmp_path_factory.mktemp("hooks"), "--users=60", "--frozen")
    running.start()
    yield running
    running.client.close()
    running.stop()


@pytest.fixture(autouse=True)
def _nobody_else_listens(api):
    yield
    for each in api.get("/webhooks").json()["webhooks"]:
        done(api.delete(f"/webhooks/{each['webhook_id']}"))


def test_notify_who_subscribed_of_what_happened(sandbox, api, subscriber):
    subscribe(api, url=subscriber.url)
    happens(sandbox, ENDED, STARTED)
    heard = subscriber.next()

    expected = base64.b64encode("conf:pa:ss wörd".encode()).decode()
    assert heard.authorization == f"Basic {expected}"
    assert heard.media_type == "application/json"
    document = heard.document
    assert set(document) == {"event", "event_id", "event_time", "account_id", "payload"}
    assert document["event"] == "meeting_started"
    assert document["payload"] == {"object": STARTED[1]}
    owner = api.get("/users").json()["users"][0]["id"]
    assert document["account_id"] == api.get(f"/users/{owner}").json()["account_id"]


def test_all_subscribers_hear_of_the_same_event(sandbox, api, subscriber):
    subscribe(api, url=subscriber.url)
    subscribe(api, url=subscriber.url)
    happens(sandbox, STARTED)
    first, second = subscriber.next().document, subscriber.next().document
    assert first == second


def test_report_a_registration(api, subscriber):
    meeting = _open_day(api)
    subscribe(api, url=subscriber.url, events=["meeting_registered"])
    _register(api, meeting, "ann@example.com")
    data = subscriber.next().document["payload"]["object"]
    assert (data["id"], data["topic"]) == (meeting, "Open day")
    assert data["registrant"]["email"] == "ann@example.com"


def test_report_that_a_meeting_has_ended_and_who_left(api, subscriber):
    today = date.today().isoformat()
    wanted = {"type": "live", "from": today, "to": today}
    live = api.get("/metrics/meetings", params=wanted).json()["meetings"][0]
    subscribe(api, url=subscriber.url, events=["participant_left", "meeting_ended"])
    done(api.put(f"/meetings/{live['id']}/status", json={"action": "end"}))
    heard = [subscriber.next().document for _ in range(live["participants"] + 1)]
    assert {each["payload"]["object"]["uuid"] for each in heard} == {live["uuid"]}
    assert [each["event"] for each in heard].count("meeting_ended") == 1


def test_are_tried_again_until_they_arrive(sandbox, api):
    listening = Subscriber(500, 302)
    subscribe(api, url=listening.url)
    happens(sandbox, STARTED)
    heard = [listening.next().document for _ in range(3)]
    listening.close()
    assert heard[0] == heard[1] == heard[2]


def test_survive_a_power_failure(sandbox, api):
    listening = Subscriber()
    port = listening.port
    listening.close()
    subscribe(api, url=listening.url)
    happens(sandbox, STARTED)
    sandbox.kill()

    listening = Subscriber(port=port)
    sandbox.start()
    assert listening.next().document["event"] == "meeting_started"
    listening.close()


def test_go_at_once_where_the_subscription_points_by_now(sandbox, api, subscriber):
    webhook = subscribe(api, url="http://127.0.0.1:9/")
    happens(sandbox, STARTED)
    run_within(sandbox, PUT_OFF)
    done(api.patch(f"/webhooks/{webhook['webhook_id']}", json={"url": subscriber.url}))
    assert subscriber.next().document["event"] == "meeting_started"


def test_hold_up_no_request(sandbox, api):
    """A subscriber that never answers costs those nothing whose requests cause its events."""
    listening = Subscriber()
    listening.fall_silent()
    subscribe(api, url=listening.url, events=["meeting_registered"])
    meeting = _open_day(api)
    for number in range(40):
        _register(api, meeting, f"guest{number}@example.com")
    # Had an answer waited for its notification, each of these would have failed once by now.
    assert int(run_within(sandbox, NOT_SETTLED)) > 0
    listening.close()


def _open_day(api):
    host = api.get("/users").json()["users"][0]["id"]
    open_to_all = {"topic": "Open day", "settings": {"approval_type": 0}}
    return str(api.post(f"/users/{host}/meetings", json=open_to_all).json()["id"])


def _register(api, meeting, email):
    who = {"email": email, "first_name": "Ann", "last_name": "Lee"}
    assert api.post(f"/meetings/{meeting}/registrants", json=who).status_code == 201
