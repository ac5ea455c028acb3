"""Several schedulers: one of them sends, and another goes on where it ends or is silent."""

from datetime import timedelta

import pytest
from django.db import OperationalError
from django.utils import timezone

from portal.config.celery import app
from portal.work import beat, leases
from portal.work.beat import LeadingScheduler
from portal.work.models import SchedulerLease

pytestmark = pytest.mark.django_db


@pytest.fixture
def schedulers(monkeypatch, tmp_path):
    """Returns two schedulers, and what each has sent: one task is always due."""
    sent = []
    monkeypatch.setattr(
        beat.PersistentScheduler, "tick", lambda self, *_args, **_kwargs: sent.append(self) or 1.0
    )
    monkeypatch.setattr(beat, "_RENEWED_EVERY", 0.0)
    names = (str(tmp_path / "one"), str(tmp_path / "other"))
    return [LeadingScheduler(app, schedule_filename=name, lazy=True) for name in names], sent


def test_one_of_two_schedulers_sends(schedulers):
    (one, other), sent = schedulers
    for _ in range(3):
        one.tick()
        other.tick()
    assert sent == [one] * 3


def test_scheduler_leads_after_the_lease_of_a_silent_one(schedulers):
    (one, other), sent = schedulers
    one.tick()
    SchedulerLease.objects.update(leased_until=timezone.now() - timedelta(seconds=1))
    other.tick()
    one.tick()
    assert sent == [one, other]


def test_scheduler_leads_at_once_after_one_that_was_killed(schedulers, monkeypatch):
    (one, other), sent = schedulers
    one.tick()
    monkeypatch.setattr(leases, "is_gone", lambda _holder: True)
    other.tick()
    assert sent == [one, other]


def test_without_a_database_no_scheduler_sends(schedulers, monkeypatch):
    (one, _other), sent = schedulers

    def away(*_args):
        raise OperationalError("It is away.")

    with monkeypatch.context() as patch:
        patch.setattr(beat.connections, "close_all", lambda: None)
        patch.setattr(leases, "acquire", away)
        assert one.tick() == 0.0
    one.tick()
    assert sent == [one]
