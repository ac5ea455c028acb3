"""The service is asked once per interval for all viewers; its answer is stored and shown."""

import threading
from datetime import datetime, timedelta

import pytest
from django.db import connections as databases
from django.utils import timezone

from portal.dashboards.models import LiveSample, LiveSnapshot
from portal.dashboards.services.live import samples
from portal.dashboards.services.live.picture import MEETINGS, WEBINARS, stored_picture
from portal.dashboards.services.live.reader import read_if_due
from portal.dashboards.tasks import sample
from portal.work.leases import short_lease, still_leased
from tests.dashboards.services import asked, listing, session
from tests.support.fault_server import answer, depending, garbage, no_answer, reset
from tests.support.random_service import RandomService, seeds
from tests.support.scopes import whole

pytestmark = pytest.mark.django_db


def read(connection):
    """Reads as if the interval were over."""
    make_old(connection)
    assert read_if_due(connection.pk)


def make_old(connection, by=60):
    old = timezone.now() - timedelta(seconds=by)
    LiveSnapshot.objects.filter(connection=connection).update(asked_at=old)


def test_what_runs_on_the_account_is_read_whole(connection, sandbox):
    host = sandbox.people()[0]
    made = sandbox.client.post(f"/users/{host['id']}/meetings", json={"topic": "Now", "type": 1})
    number = str(made.json()["id"])
    assert read_if_due(connection.pk)
    picture = stored_picture(whole(connection)).picture
    [found] = [one for one in picture.sessions if one.number == number]
    assert (found.topic, found.kind, found.email) == ("Now", MEETINGS, host["email"])
    assert found.started_at is not None
    assert picture.lists[WEBINARS].read_at is not None
    sandbox.client.put(f"/meetings/{number}/status", json={"action": "end"}).raise_for_status()
    read(connection)
    assert number not in {one.number for one in stored_picture(whole(connection)).picture.sessions}


def test_within_an_interval_the_service_is_asked_once(faulty, fault_server):
    fault_server.always(listing([session(n) for n in range(650)], [session(1000)]))
    assert [read_if_due(faulty.pk) for _ in range(5)] == [True, False, False, False, False]
    assert (asked(fault_server, MEETINGS), asked(fault_server, WEBINARS)) == (3, 1)
    assert len(stored_picture(whole(faulty)).picture.sessions) == 651
    make_old(faulty, 11)
    assert read_if_due(faulty.pk)


@pytest.mark.django_db(transaction=True)
def test_of_many_readers_at_once_one_asks(faulty, fault_server):
    fault_server.always(listing([session(1)]))
    begin, done = threading.Barrier(8), []

    def reader():
        begin.wait(30)
        done.append(read_if_due(faulty.pk))
        databases.close_all()

    for _ in range(3):
        threads = [threading.Thread(target=reader) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        make_old(faulty)
    assert sum(done) == 3
    assert asked(fault_server, MEETINGS) == asked(fault_server, WEBINARS) == 3


def test_while_another_reads_nobody_else_does(faulty, fault_server):
    fault_server.always(listing([]))
    read(faulty)
    make_old(faulty)
    snapshot = LiveSnapshot.objects.get(connection=faulty)
    rows = LiveSnapshot.objects.all()
    with short_lease(rows, snapshot.pk) as leased, short_lease(rows, snapshot.pk) as other:
        assert leased is not None
        assert other is None
        assert not read_if_due(faulty.pk)
        assert still_leased(leased)
    assert read_if_due(faulty.pk)


@pytest.mark.parametrize(
    "trouble",
    [
        reset(),
        no_answer(),
        garbage(),
        answer(500, {"message": "Out of order"}),
        answer(200, body=b"<html>Welcome to the hotel</html>"),
        answer(429, {"code": 429}, headers={"Retry-After": "30"}),
        answer(401, {"code": 124, "message": "Invalid access token."}),
    ],
    ids=["reset", "silence", "garbage", "fault", "html", "throttled", "refused"],
)
def test_service_in_trouble_leaves_last_picture_with_its_time(faulty, fault_server, trouble):
    fault_server.always(listing([session(1)], [session(2)]))
    read(faulty)
    before = stored_picture(whole(faulty)).picture
    fault_server.always(trouble)
    read(faulty)
    failed = stored_picture(whole(faulty)).picture
    read(faulty)
    still = stored_picture(whole(faulty)).picture
    for name in (MEETINGS, WEBINARS):
        now = failed.lists[name]
        assert now.sessions == before.lists[name].sessions
        assert now.read_at == before.lists[name].read_at
        assert now.failure
        assert now.failing_since is not None
        assert still.lists[name].failing_since == now.failing_since
    assert failed.version != before.version
    fault_server.always(listing([session(1)], [session(2)]))


def test_a_list_that_is_refused_leaves_the_other_one_fresh(faulty, fault_server):
    fine = listing([session(1)])
    refused = answer(400, {"code": 200, "message": "No webinar plan."})

    def service(seen):
        return refused if seen.path.endswith("webinars") else fine

    def behave(exchange):
        request = exchange.read()
        exchange.read = lambda: request
        service(request)(exchange)

    fault_server.always(behave)
    read(faulty)
    lists = stored_picture(whole(faulty)).picture.lists
    assert [one.topic for one in lists[MEETINGS].sessions] == ["Session 1"]
    assert not lists[MEETINGS].failure
    assert "No webinar plan" in lists[WEBINARS].why


def test_what_cannot_be_is_unset_and_never_zero(faulty, fault_server):
    fault_server.always(
        listing(
            [
                session(1, participants=-4),
                session(2, start_time="1890-01-01T00:00:00Z"),
                session(3, start_time="2990-01-01T00:00:00Z"),
                session(4, participants=2**40, start_time="yesterday"),
                session(5),
            ]
        )
    )
    read(faulty)
    one, two, three, four, five = stored_picture(whole(faulty)).picture.lists[MEETINGS].sessions
    assert (one.participants, one.misreported) == (None, ("participants",))
    assert two.started_at is three.started_at is four.started_at is None
    assert four.misreported == ("start", "participants")
    assert five.misreported == ()
    made = samples.totals(stored_picture(whole(faulty)).picture.lists)
    assert (made.participants, made.uncounted, made.meetings) == (9, 2, 5)
    assert LiveSample.objects.get(connection=faulty).participants == 9


@pytest.mark.parametrize("seed", seeds(0, 1, 2, all_of=12))
def test_answers_that_make_no_sense_are_read(faulty, fault_server, seed):
    fault_server.always(depending(RandomService(seed)))
    read(faulty)
    for each in stored_picture(whole(faulty)).picture.sessions:
        assert each.participants is None or each.participants >= 0


def test_samples_are_kept_by_the_minute_for_a_day(faulty, fault_server):
    fault_server.always(listing([session(1, has_recording=True)], [session(2)]))
    read(faulty)
    fault_server.always(listing([session(1, has_recording=True), session(3)], [session(2)]))
    read(faulty)
    now = timezone.now()
    last = LiveSample.objects.filter(connection=faulty).latest("minute")
    assert (last.meetings, last.webinars, last.participants, last.recordings) == (2, 1, 9, 1)
    assert LiveSample.objects.filter(connection=faulty).count() <= 2
    old: list[datetime] = [now - timedelta(hours=hours) for hours in (2, 20, 25, 50)]
    LiveSample.objects.bulk_create(LiveSample(connection=faulty, minute=each) for each in old)
    assert samples.prune() == 2
    assert LiveSample.objects.earliest("minute").minute == old[1]
    assert samples.sparks(faulty)["participants"][-1] == 9


def test_minutes_without_an_answer_are_gaps(faulty, fault_server):
    fault_server.always(no_answer())
    read_if_due(faulty.pk)
    assert not LiveSample.objects.filter(connection=faulty).exists()
    assert samples.totals(stored_picture(whole(faulty)).picture.lists).sessions is None


def test_the_worker_samples_what_somebody_watched_within_a_day(faulty, fault_server, monkeypatch):
    woken: list[int] = []
    monkeypatch.setattr(
        "portal.dashboards.tasks.enqueue", lambda _task, key, **_: woken.append(key)
    )
    fault_server.always(listing([]))
    read_if_due(faulty.pk)
    sample()
    assert woken == []
    make_old(faulty)
    read_if_due(faulty.pk, is_watched=True)
    sample()
    assert woken == [faulty.pk]
    long_ago = timezone.now() - timedelta(hours=25)
    LiveSnapshot.objects.filter(connection=faulty).update(watched_at=long_ago)
    sample()
    assert woken == [faulty.pk]
