"""The same session for several hosts: one form, a preview of each, and one undo."""

from collections.abc import Callable

import pytest

from portal.access.http import Origin
from portal.directory.colleagues import Colleague
from portal.jobs import undoing
from portal.jobs.models import ItemState, Job
from portal.meetings.spec import MEETINGS
from tests.sessions.importing import carried_out
from tests.support.html import text_of
from tests.support.jobs import Work
from tests.support.session_pages import Planner

pytestmark = pytest.mark.django_db


@pytest.fixture
def hosts(make_host: Callable[..., Colleague]) -> list[Colleague]:
    return [make_host(first_name=name) for name in ("Ada", "Grace", "Mary")]


def begun(planner: Planner, hosts: list[Colleague], **more: str) -> Job:
    form = planner.filled_in(MEETINGS, hosts[0], topic="Office hours", **more)
    others = ",".join(one.id for one in hosts[1:])
    first, again = (planner.send(form, more_hosts=others) for _ in range(2))
    assert first.status_code == 303, text_of(first.text)
    assert again["Location"] == first["Location"], "a second click began a second job"
    return Job.objects.get(key=first["Location"].rstrip("/").rpartition("/")[2])


def topics_of(planner: Planner, host: Colleague) -> list[str]:
    query = {"type": "scheduled"}
    answer = planner.sandbox.client.get(f"/users/{host.id}/meetings", params=query)
    return [one["topic"] for one in answer.json()["meetings"]]


def test_each_host_gets_one_after_preview_and_undo_deletes_them(
    planner: Planner, hosts: list[Colleague], work: Work
) -> None:
    job = work(begun(planner, hosts, password="secret1", settings__mute_upon_entry="on"))
    assert [one.label for one in job.items.order_by("number")] == [one.name for one in hosts]
    assert all(topics_of(planner, one) == [] for one in hosts), "only previewed so far"
    assert "secret1" not in str(list(job.items.values_list("data", "changes")))
    job = carried_out(job, work)
    assert all(topics_of(planner, one) == ["Office hours"] for one in hosts)
    for item in job.items.all():
        made = planner.saved(MEETINGS, item.object_id)
        assert (made["start_time"], made["password"]) == ("2038-03-01T08:00:00Z", "secret1")
        assert made["settings"]["mute_upon_entry"] is True

    changed = job.items.get(number=2).object_id
    planner.sandbox.client.patch(f"/meetings/{changed}", json={"topic": "Moved"})
    back = work(undoing.undo(job, Origin(job.owner)))
    states = [one.state for one in back.items.order_by("number")]
    assert states == [ItemState.PENDING, ItemState.INVALID, ItemState.PENDING]
    carried_out(back, work)
    assert [topics_of(planner, one) for one in hosts] == [[], ["Moved"], []]
