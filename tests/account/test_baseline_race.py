"""Two schedulers at once begin one check of a baseline."""

import threading

import pytest
from django.db import connections as databases

from portal.account.models import Reach
from portal.jobs.models import Job
from tests.account.baselines import made_baseline, run_due

pytestmark = pytest.mark.django_db(transaction=True)


def test_two_schedulers_begin_one_check(connection):
    of_all = {"kind": "sub-accounts", "scope": Reach.ALL, "targets": []}
    for _ in range(3):
        made_baseline(connection, "", **of_all)
    together = threading.Barrier(3)
    begun: list[int] = []

    def schedule():
        try:
            together.wait(20)
            begun.append(run_due())
        finally:
            databases.close_all()

    threads = [threading.Thread(target=schedule) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sum(begun) == 3
    assert Job.objects.filter(kind="account.baseline-check").count() == 3
