"""Work by urgency: what somebody waits for is begun beside any herd of what nobody waits for."""

from datetime import timedelta

import pytest
from django.utils import timezone

from portal.access.models import Connection
from portal.config import celery
from portal.jobs.leases import JOBS
from portal.jobs.models import Job, JobState
from portal.mirror import loading
from portal.mirror.mirrored_list import REFRESHES
from portal.mirror.models import MirrorState
from portal.work import queue, slots
from portal.work.slots import SlottedTask, Urgency

pytestmark = pytest.mark.django_db


@pytest.fixture
def sent(monkeypatch):
    """Lists the messages instead of sending them: a row's key, and the broker's queue."""
    messages = []
    monkeypatch.setattr(
        queue, "enqueue", lambda _task, key, **options: messages.append((key, options["queue"]))
    )
    return messages


def accounts(owner, count):
    some = [
        Connection(owner=owner, name=f"{number}", base_url=f"https://s{number}.invalid/v2")
        for number in range(count)
    ]
    return Connection.objects.bulk_create(some)


def wanted(connection, kind, **values):
    return MirrorState.objects.create(
        connection=connection, kind=kind, requested_at=timezone.now(), **values
    )


def test_list_that_is_viewed_is_read_before_those_of_the_night(administrator, sent):
    one, other = accounts(administrator, 2)
    night = wanted(one, "users")
    seen = wanted(other, "users", viewed_at=timezone.now())
    REFRESHES.sweep()
    assert sent == [(seen.pk, "soon"), (night.pk, "night")]


def test_accounts_take_turns_however_many_rows_one_has(administrator, sent):
    many, few = accounts(administrator, 2)
    of_many = [wanted(many, kind) for kind in ("users", "groups", "storage")]
    [of_few] = [wanted(few, "users")]
    REFRESHES.sweep()
    assert [key for key, _ in sent] == [of_many[0].pk, of_few.pk, of_many[1].pk, of_many[2].pk]


def test_job_of_a_person_does_not_go_through_the_night(administrator, sent):
    [one] = accounts(administrator, 1)
    kinds = {"sessions.read": "night", "people.import": "celery"}
    for kind in kinds:
        Job.objects.create(connection=one, owner=administrator, kind=kind, state=JobState.PLANNING)
    JOBS.sweep()
    of_rows = {Job.objects.get(pk=key).kind: name for key, name in sent}
    assert of_rows == kinds


def test_sweep_wakes_for_no_more_than_can_soon_be_worked_on(administrator, sent):
    for one in accounts(administrator, 20):
        wanted(one, "users")
    assert REFRESHES.sweep() == len(sent) == 16
    del sent[:]
    REFRESHES.wake_next()
    assert len(sent) == 1


class Reading(SlottedTask):
    """Work of the night that looks at its own kind while it runs."""

    name = "tests.reading"

    def run(self, depth):
        return 1 + (called(self, depth - 1) or 0) if depth else 0


def called(task, *given, through=Urgency.NIGHT):
    task.push_request(delivery_info={"routing_key": str(through)})
    try:
        return task(*given)
    finally:
        task.pop_request()


def test_work_of_the_night_leaves_a_thread_to_people(settings):
    settings.WORKER_THREADS = 4
    task = Reading()
    celery.app.register_task(task)
    assert called(task, 10) == slots.night_slots() == 3
    assert called(task, 1) == 1, "slots are given back"


def test_end_of_work_of_the_night_wakes_a_worker_for_the_next(monkeypatch):
    woken = []
    task = Reading()
    celery.app.register_task(task)
    monkeypatch.setitem(slots._next_of, task.name, lambda: woken.append(task.name))
    called(task, 0)
    called(task, 0, through=Urgency.SOON)
    assert woken == [task.name]


def test_due_lists_of_many_accounts_are_asked_for_in_few_queries(
    administrator, sent, django_assert_max_num_queries
):

    accounts(administrator, 60)
    with django_assert_max_num_queries(30):
        assert loading.load_due() == 60
    assert MirrorState.objects.exclude(requested_at=None).count() == 60
    long_ago = timezone.now() - timedelta(days=9)
    assert not MirrorState.objects.filter(requested_at__lt=long_ago).exists()
