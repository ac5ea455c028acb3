"""Baselines of a department, and having them checked."""

from datetime import UTC, datetime
from secrets import token_hex
from typing import Any

from django.urls import reverse

from portal.access.models import Connection
from portal.account.baselines import jobs
from portal.account.models import Baseline, Reach
from portal.directory.groups import state_of as state_of_groups
from portal.directory.users import state_of as state_of_people
from portal.jobs.models import JobState
from portal.mirror.models import MirrorState
from tests.support.jobs import Work
from tests.support.queues import work_off

CHAT, CAPTION = "in_meeting.chat", "in_meeting.closed_caption"


def fresh(connection: Connection) -> None:
    """As if the lists had just been read."""
    for state in (state_of_people(connection), state_of_groups(connection)):
        MirrorState.objects.filter(pk=state.pk).update(refreshed_at=datetime.now(UTC))


def run_due() -> int:
    """Begins the checks that are due. Returns their number."""
    return work_off(jobs.CHECKS)


def made_baseline(connection: Connection, dept: str, **more: Any) -> Baseline:
    given = {
        "owner": connection.owner,
        "name": f"Baseline {token_hex(3)}",
        "kind": "people",
        "scope": Reach.DEPARTMENT,
        "targets": [[dept, dept]],
        "values": {CHAT: True},
        **more,
    }
    return Baseline.objects.create(connection=connection, **given)


def checked(baseline: Baseline, work: Work) -> Baseline:
    """Has it checked now."""
    jobs.request_check(baseline)
    assert run_due() == 1
    baseline.refresh_from_db()
    assert baseline.job
    job = work(baseline.job)
    assert job.state == JobState.DONE, job.reason
    baseline.refresh_from_db()
    return baseline


def url(baseline: Baseline, part: str = "", **query: str) -> str:
    found = reverse(f"account:baseline{part}", args=[baseline.connection.key, baseline.pk])
    return f"{found}?{'&'.join(f'{k}={v}' for k, v in query.items())}" if query else found


def drift_of(baseline: Baseline) -> list[tuple[str, str, Any, Any]]:
    rows = baseline.drifts.values_list("subject_id", "setting", "wanted", "actual")
    return sorted(rows, key=str)
