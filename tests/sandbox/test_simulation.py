"""Sessions begin, people come and go, sessions end and become past ones."""

import time

import pytest

from tests.sandbox.conftest import everybody, new_person
from tests.sandbox.test_webhooks import subscribe
from tests.support.sandbox import Sandbox, run_within
from tests.support.sandbox_state import HALF_A_YEAR, in_path, read, sessions
from tests.support.subscriber import Subscriber

pytestmark = pytest.mark.deep

MOVE = """
import random
from datetime import timedelta
from django.utils.timezone import now
from portal.sandbox.simulation.steps import Life
life, at = Life(random.Random({seed})), now().replace(microsecond=0)
for second in range({first}, {last}, 2):
    life.move(at + timedelta(seconds=second))
"""
COURSE = """
from datetime import timedelta
from django.utils.timezone import now
from portal.sandbox.history.course import begin_instance, end_instance, join
from portal.sandbox.history.hosts import Attendee
from portal.sandbox.models import Session
at = now()
session = Session.objects.filter(kind="meeting", type=2, live_since=None).order_by("number")[{nth}]
number = session.number
"""


@pytest.fixture(scope="module")
def frozen(tmp_path_factory):
    """One that only the tests of this module move."""
    running = Sandbox(tmp_path_factory.mktemp("moved"), "--frozen")
    running.start()
    yield running
    running.client.close()
    running.stop()


def move(sandbox, first, last, seed=1):
    """Lets the time from so many seconds to so many seconds from now pass at once."""
    run_within(sandbox, MOVE.format(seed=seed, first=first, last=last))


def live(api):
    found = [*sessions(api, "meetings", "live"), *sessions(api, "webinars", "live")]
    return {each["uuid"]: each for each in found}


def present(api, uuid):
    path = f"/metrics/meetings/{in_path(uuid)}/participants"
    return read(api, path, page_size=300)["participants"]


def test_a_frozen_account_stays_as_it_is(sandbox):
    before = live(sandbox.client)
    ran = run_within(
        sandbox,
        "from portal.sandbox.models import Simulation\nprint(Simulation.objects.count())",
    )
    assert ran.strip() == "0"
    assert live(sandbox.client) == before


def test_an_account_that_is_not_frozen_is_moved_by_one_process(sandbox_factory):
    running = sandbox_factory("--latency-ms=200")
    before = {uuid: present(running.client, uuid) for uuid in known_meetings(running.client)}
    deadline = time.monotonic() + 300
    while {
        uuid: present(running.client, uuid) for uuid in known_meetings(running.client)
    } == before:
        assert time.monotonic() < deadline, "nothing happened"
    ran = run_within(
        running,
        "from portal.sandbox.models import Simulation\nprint(Simulation.objects.count())",
    )
    assert ran.strip() == "1"
    assert running.log == ""


def known_meetings(api):
    return [each["uuid"] for each in sessions(api, "meetings", "live")]


def test_people_come_and_go_share_and_suffer(frozen):
    api = frozen.client
    before = live(api)
    move(frozen, 0, 60)
    after = live(api)
    changed = [uuid for uuid in after if uuid in before and after[uuid] != before[uuid]]
    assert changed
    for uuid in changed:
        if uuid in known_meetings(api):
            assert (
                len({each["user_id"] for each in present(api, uuid)})
                == (after[uuid]["participants"])
            )


def test_sessions_end_and_become_past_ones_and_others_begin(frozen):
    api = frozen.client
    before = live(api)
    move(frozen, 4 * 3600, 4 * 3600 + 120)
    after = live(api)
    assert not set(before) & set(after)
    assert after
    ended = {each["uuid"]: each for each in sessions(api, "meetings", "past")}
    assert set(before) & set(ended)
    for uuid, each in before.items():
        if uuid in ended:
            assert ended[uuid]["end_time"] > each["start_time"]
            path = f"/metrics/meetings/{in_path(uuid)}/participants"
            people = read(api, path, type="past", page_size=300)["participants"]
            assert all(one["leave_time"] <= ended[uuid]["end_time"] for one in people)
            assert read(api, f"/past_meetings/{in_path(uuid)}")["total_minutes"] > 0


def test_live_meetings_are_live_in_the_lists_of_their_hosts(frozen):
    api = frozen.client
    hosted = {
        each["uuid"]
        for person in everybody(api)
        for each in read(api, f"/users/{person['id']}/meetings", type="live")["meetings"]
    }
    assert hosted == {each["uuid"] for each in sessions(api, "meetings", "live")}


def test_what_was_recorded_has_a_recording_when_it_has_ended(frozen):
    api = frozen.client
    run_within(
        frozen,
        COURSE.format(nth=0)
        + "from portal.sandbox.history.course import mark\n"
        + "from portal.sandbox.models import Trait\n"
        + "instance = begin_instance(session, at - timedelta(hours=4))\n"
        + "mark(instance, 0, Trait.RECORDED)\n"
        + "import random\n"
        + "from portal.sandbox.simulation.steps import Life\n"
        + "Life(random.Random(3)).move(at)\n",
    )
    recorded = [each for each in sessions(api, "meetings", "past") if each["has_recording"]]
    found = {
        each["uuid"]
        for person in everybody(api)
        for each in read(api, f"/users/{person['id']}/recordings", **HALF_A_YEAR, page_size=300)[
            "meetings"
        ]
    }
    latest = max(recorded, key=lambda each: each["start_time"])
    assert latest["uuid"] in found


class TestCourse:
    """Sessions that other code of the service begins and ends."""

    def test_a_session_that_begins_is_live_with_its_host(self, frozen: Sandbox):
        code = COURSE.format(nth=1) + "print(begin_instance(session, at).uuid, number)"
        uuid, number = run_within(frozen, code).split()
        found = read(frozen.client, f"/metrics/meetings/{number}")
        assert (found["uuid"], found["participants"]) == (uuid, 1)
        assert [each["user_name"] for each in present(frozen.client, uuid)] == [found["host"]]

    def test_one_that_runs_does_not_begin_again(self, frozen: Sandbox):
        code = COURSE.format(nth=2)
        code += "print(begin_instance(session, at).uuid, begin_instance(session, at).uuid)"
        first, second = run_within(frozen, code).split()
        assert first == second

    def test_one_that_ends_is_past_and_gets_new_uuid_for_next_time(self, frozen: Sandbox):
        code = COURSE.format(nth=3)
        code += "uuid = begin_instance(session, at - timedelta(minutes=9)).uuid\n"
        code += "ended = end_instance(session, at)\n"
        code += "session.refresh_from_db()\n"
        code += "print(uuid, session.uuid, ended.minutes, session.live_since, number)"
        uuid, new, minutes, since, number = run_within(frozen, code).split()
        assert (minutes, since) == ("9", "None")
        assert new != uuid
        assert read(frozen.client, f"/past_meetings/{in_path(uuid)}")["duration"] == 9
        times = read(frozen.client, f"/past_meetings/{number}/instances")["meetings"]
        assert uuid in {each["uuid"] for each in times}

    def test_one_that_is_said_to_run_or_not_to_begins_or_ends(self, frozen: Sandbox):
        code = COURSE.format(nth=6)
        code += "session.live_since = at - timedelta(minutes=4)\nsession.save()\n"
        code += "print(session.uuid, number)"
        uuid, number = run_within(frozen, code).split()
        assert read(frozen.client, f"/metrics/meetings/{number}")["uuid"] == uuid
        code = (
            f"from portal.sandbox.models import Session\none = Session.objects.get(pk={number})\n"
        )
        run_within(frozen, code + "one.live_since = None\none.save()")
        assert read(frozen.client, f"/past_meetings/{in_path(uuid)}")["duration"] in {4, 5}

    def test_polls_of_one_that_ends_were_put_to_those_who_were_in_it(self, frozen: Sandbox):
        api = frozen.client
        code = COURSE.format(nth=7) + "print(number)"
        path = f"/meetings/{run_within(frozen, code).strip()}"
        for each in read(api, f"{path}/polls")["polls"]:
            api.delete(f"{path}/polls/{each['id']}")
        questions = [
            {"name": "When?", "type": "single", "answers": ["Noon", "One"]},
            {"name": "What?", "type": "multiple", "answers": ["Soup", "Pie"]},
            {"name": "Why?"},
        ]
        made = api.post(f"{path}/polls", json={"title": "Lunch", "questions": questions}).json()
        code = COURSE.format(nth=7) + "instance = begin_instance(session, at)\n"
        code += "for n in range(20): join(instance, at, Attendee(str(n), f'{n}@north.example'))\n"
        code += "end_instance(session, at + timedelta(minutes=5))"
        run_within(frozen, code)
        assert read(api, f"{path}/polls/{made['id']}")["status"] == "ended"

        api.delete(f"{path}/polls/{made['id']}")

        report = read(api, f"/report{path}/polls")["questions"]
        assert 5 < len(report) <= 20
        assert len({each["email"] for each in report}) == len(report)
        for each in report:
            when, what = each["question_details"]
            assert (when["question"], what["question"]) == ("When?", "What?")
            assert when["answer"] in {"Noon", "One"}
            assert what["answer"] in {"Soup", "Pie", "Soup;Pie"}

    def test_ending_one_that_does_not_run_changes_nothing(self, frozen: Sandbox):
        code = COURSE.format(nth=4) + "print(end_instance(session, at), session.live_since)"
        assert run_within(frozen, code).split() == ["None", "None"]

    def test_calls_are_accounted_for_when_their_session_ends(self, frozen: Sandbox):
        code = COURSE.format(nth=5)
        code += "from portal.sandbox.models import Trait\n"
        code += "instance = begin_instance(session, at - timedelta(minutes=30))\n"
        code += "begun = at - timedelta(minutes=20)\n"
        code += (
            "join(instance, begun, Attendee('Ann', 'ann@north.example'), traits=int(Trait.PHONE))\n"
        )
        code += "end_instance(session, at)\n"
        code += "print(number)"
        number = int(run_within(frozen, code))
        calls = read(frozen.client, "/report/telephone", **HALF_A_YEAR, page_size=300)
        found = [each for each in calls["telephony_usage"] if each["meeting_id"] == number]
        assert [each["duration"] for each in found] == [20]

    @pytest.mark.parametrize("handed_on", [False, True], ids=["deleted", "handed on"])
    def test_live_sessions_end_with_their_host_and_past_ones_stay(
        self, frozen: Sandbox, subscriber: Subscriber, handed_on: bool
    ):
        api = frozen.client
        owner = next(
            each["id"]
            for each in everybody(api)
            if "Billing:Edit" in read(api, f"/users/{each['id']}/permissions")["permissions"]
        )
        code = COURSE.format(nth=0).replace(
            "type=2,", f'type=2, host__status="active").exclude(host_id="{owner}").filter('
        )
        code += "running = begin_instance(session, at - timedelta(minutes=9))\n"
        code += "join(running, at, Attendee('Ann', 'ann@north.example'))\n"
        code += "print(running.uuid, session.host_id, session.host.email)"
        uuid, host, email = run_within(frozen, code).split()
        path = f"/metrics/meetings/{in_path(uuid)}"
        assert read(api, path)["email"] == email
        events = ["meeting_ended", "participant_left"]
        webhook = subscribe(api, url=subscriber.url, events=events)
        heir = new_person(api)

        leaving = {"transfer_meeting": True, "transfer_email": heir["email"]} if handed_on else {}
        assert api.delete(f"/users/{host}", params=leaving).status_code == 204

        assert api.get(path).status_code == 404
        past = read(api, path, type="past")
        assert past["email"] == email
        held = read(api, f"/past_meetings/{in_path(uuid)}")
        assert (held["user_email"], held["duration"] >= 9) == (email, True)
        people = read(api, f"{path}/participants", type="past")["participants"]
        assert [each["leave_time"] for each in people] == [past["end_time"]] * 2
        assert read(api, f"/users/{heir['id']}/meetings", type="live")["total_records"] == 0
        of_it: list[str] = []
        while len(of_it) < 3:
            document = subscriber.next().document
            if document["payload"]["object"]["uuid"] == uuid:
                of_it.append(document["event"])
        assert sorted(of_it) == ["meeting_ended", "participant_left", "participant_left"]
        api.delete(f"/webhooks/{webhook['webhook_id']}")
