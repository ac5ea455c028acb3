"""People come to what was planned: some before the host, who lets them in or is not waited for."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.sandbox.conftest import Json, done, new_person
from tests.sandbox.test_webhooks import subscribe
from tests.support.sandbox import Sandbox, run_within
from tests.support.sandbox_state import read

pytestmark = pytest.mark.deep

START = datetime.now(UTC).replace(second=0, microsecond=0) + timedelta(hours=30)
EVENTS = ["meeting_started", "meeting_jbh", "meeting_join", "participant_joined"]
LET_COME = """
import random
from datetime import datetime, timedelta
from portal.sandbox.simulation.arrivals import arrive
from portal.sandbox.simulation.steps import _somebody
from portal.sandbox.families import happenings
read, emit = [], happenings.emit
def count(event, payload):
    read.append(event)
    emit(event, payload)
happenings.emit = count
start = datetime.fromisoformat("{start}")
for second in range({first}, {last}, 20):
    arrive(start + timedelta(seconds=second), _somebody)
print(len(read))
"""


@pytest.fixture(scope="module")
def frozen(tmp_path_factory):
    running = Sandbox(tmp_path_factory.mktemp("arrivals"), "--frozen")
    running.start()
    yield running
    running.client.close()
    running.stop()


def plan(frozen, start, **settings):
    """Numbers of forty meetings of one host: what happens at their doors is left to chance."""
    host = new_person(frozen.client)["id"]
    when = {"start_time": start.strftime("%Y-%m-%dT%H:%M:%SZ")}
    body = {**when, "settings": settings}
    path = f"/users/{host}/meetings"
    return [frozen.client.post(path, json=body).json()["id"] for _ in range(40)]


def let_come(frozen, start, first, last):
    """Lets people come from so many seconds to so many from the start; how many events that is."""
    code = LET_COME.format(start=start.isoformat(), first=first, last=last)
    return int(run_within(frozen, code))


def heard(subscriber, number):
    """So many notifications, by event."""
    events: dict[str, list[Json]] = {each: [] for each in EVENTS}
    for _ in range(number):
        document = subscriber.next(60).document
        events[document["event"]].append(document["payload"]["object"])
    return events


def numbers(read):
    return {each["id"] for each in read}


def named(read):
    return read["uuid"], read["participant"]["user_name"]


def test_those_who_come_first_join_or_wait_as_the_meeting_says(frozen, subscriber):
    api = frozen.client
    open_, closed = plan(frozen, START, join_before_host=True), plan(frozen, START)
    webhook = subscribe(api, url=subscriber.url, events=EVENTS)

    events = heard(subscriber, let_come(frozen, START, -300, 600))
    done(api.delete(f"/webhooks/{webhook['webhook_id']}"))
    assert numbers(events["meeting_jbh"]) & set(open_)
    assert not numbers(events["meeting_jbh"]) & set(closed)
    assert numbers(events["meeting_join"]) & set(closed)
    assert not numbers(events["meeting_join"]) & set(open_)
    for each in events["meeting_jbh"]:
        assert each["participant"]["user_id"] != each["host_id"]
        assert each["uuid"] in {one["uuid"] for one in events["meeting_started"]}
    begun = numbers(events["meeting_started"])
    waited = {named(each) for each in events["meeting_join"] if each["id"] in begun}
    assert waited
    assert waited <= {named(each) for each in events["participant_joined"]}


def test_who_waits_is_in_no_meeting_that_runs(frozen):
    api, start = frozen.client, START + timedelta(days=1)
    closed = plan(frozen, start)
    let_come(frozen, start, -300, -60)
    for number in closed:
        assert api.get(f"/metrics/meetings/{number}").status_code == 404
    run_within(
        frozen,
        "from portal.sandbox.models import Session\n"
        f"waiting = Session.objects.filter(number__in={closed}).exclude(waiting=[])\n"
        "assert waiting.exists()",
    )
    let_come(frozen, start + timedelta(minutes=10), 0, 10)
    ran = run_within(
        frozen,
        "from portal.sandbox.models import Session\n"
        f"print(Session.objects.filter(number__in={closed}).exclude(waiting=[]).count())",
    )
    assert ran.strip() == "0"


def test_an_alternative_host_begins_what_the_host_forgot(frozen):
    api, start = frozen.client, START + timedelta(days=2)
    other = new_person(api)
    path = "/metrics/meetings/{}/participants"
    alone = plan(frozen, start)
    helped = plan(frozen, start, alternative_hosts=other["email"].upper())
    let_come(frozen, start, 0, 600)
    begun = [each for each in helped if api.get(path.format(each)).status_code == 200]
    assert len(begun) == len(helped)
    first = [read(api, path.format(each))["participants"] for each in begun]
    assert any(other["id"] in {one["user_id"] for one in each} for each in first)
    assert 0 < sum(api.get(path.format(each)).status_code == 200 for each in alone) < len(alone)
