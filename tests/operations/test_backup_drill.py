"""Promise 38: a backup taken while an import and a report run is restored elsewhere, as
docs/deploy.md says, and finishes both there: nothing is doubled at the service, and no row lost."""

import json
import time
from contextlib import closing

import pytest

from tests.reports.test_killed import BEGIN, READ, YEAR, identified
from tests.support import report_truth as truth
from tests.support.job_runs import addresses, on_the_account
from tests.support.processes import COUNTS, approved, done, state_of
from tests.support.slow_reports import slow_whole

pytestmark = pytest.mark.deep

ROWS = 60
LONGEST_PAGE = 5.0  # seconds, on a machine that is busy otherwise
WAIT_FOR_DUMP = """
SELECT count(*) FROM pg_stat_activity waiting JOIN pg_stat_activity dump
ON dump.pid = ANY(pg_blocking_pids(waiting.pid)) WHERE dump.application_name = 'pg_dump'
"""
SENT = """
SELECT count(*) FROM access_auditentry
WHERE operation = 'users.create' AND outcome = 'begun'
"""


@pytest.fixture
def whole(tmp_path_factory, services):
    with slow_whole(tmp_path_factory, services, latency_ms=250) as made:
        made.environment["JOB_THREADS"] = "2"  # one for each of the two
        yield made


def test_import_and_report_at_backup_are_finished_after_it(whole, tmp_path):
    emails, days = addresses(ROWS), (str(YEAR.first), str(YEAR.last))
    whole.start("web", "worker", "beat")
    importing = approved(whole, emails, tmp_path / "emails")
    reading = whole.script(BEGIN, whole.connection, *days).strip()
    whole.until(lambda: done(whole, importing) >= 3 and done(whole, reading) >= 1, timeout=120)

    def go_on():
        """Both are worked on and shown while the dump is under way."""

        def has_gone_on(job):
            return done(whole, job[0]) > job[1] or state_of(whole, job[0]) == "done"

        before = {job: done(whole, job) for job in (importing, reading)}
        whole.until(lambda: all(map(has_gone_on, before.items())), timeout=120)
        with closing(whole.visitor()) as visitor:
            for page in ("people/", "reports/hosts/", *(f"jobs/{job}/" for job in before)):
                began = time.monotonic()
                assert visitor.get(f"/c/{whole.connection}/{page}").status_code == 200
                assert time.monotonic() - began < LONGEST_PAGE
        assert whole.query(WAIT_FOR_DUMP) == [(0,)]

    restored = whole.backed_up(tmp_path / "restored", go_on)
    try:
        known = {job: done(restored, job) for job in (importing, reading)}
        assert {state_of(restored, job) for job in known} == {"running"}
        assert known[importing] < ROWS
        # Both went on after the backup: the service has more people than the backup knows of.
        whole.until(lambda: done(whole, importing) >= min(known[importing] + 5, ROWS))
        whole.kill("worker")
        whole.kill("beat")
        there = on_the_account(whole.sandbox, emails)
        assert known[importing] < len(there)
        said = restored.manage("migrate") + restored.manage("after_restore")
        assert importing in said
        assert reading in said
        [(sent_before,)] = restored.query(SENT)
        restored.start("worker", "beat")
        for job in known:
            restored.until(lambda job=job: state_of(restored, job) == "done", timeout=180)

        assert dict(restored.query(COUNTS, importing)) == {"done": ROWS}
        assert sorted(on_the_account(whole.sandbox, emails)) == emails
        # Who was created after the backup was asked about, and not sent again.
        [(sent,)] = restored.query(SENT)
        assert sent - sent_before <= ROWS - len(there)
        assert set(dict(restored.query(COUNTS, reading))) == {"done"}
        read = json.loads(restored.script(READ, whole.connection, *days).splitlines()[-1])
        assert identified(read) == identified(truth.calls(whole.sandbox, YEAR))
        restored.manage("verify_audit")
    finally:
        restored.close()
