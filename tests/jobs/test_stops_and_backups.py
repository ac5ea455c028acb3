"""A worker that is asked to stop, and a backup that is taken, in the middle of an import.

Promises 38 and 39, over real processes, and of 35 what `test_crashes.py` shows at length.
"""

from tests.support.job_runs import addresses, on_the_account
from tests.support.processes import COUNTS, approved, done, state_of

ROWS = 80
OPEN_ITEMS = """
SELECT count(*) FROM jobs_jobitem item JOIN jobs_job job ON job.id = item.job_id
WHERE job.key = ? AND (item.state = 'sending' OR item.state = 'unknown')
"""
ATTEMPTS = """
SELECT max(item.attempts) FROM jobs_jobitem item JOIN jobs_job job ON job.id = item.job_id
WHERE job.key = ?
"""
LEASE = "SELECT state, lease, leased_until FROM jobs_job WHERE key = ?"


def _everybody_is_there_once(whole, job, emails):
    whole.until(lambda: state_of(whole, job) == "done", timeout=180)
    assert dict(whole.query(COUNTS, job)) == {"done": len(emails)}
    assert sorted(on_the_account(whole.sandbox, emails)) == emails
    for email in emails[::20]:
        assert whole.sandbox.client.get(f"/users/{email}").json()["dept"] == "Crash site"
    whole.manage("verify_audit")


def test_stopping_worker_settles_its_calls_and_next_continues(whole, tmp_path):
    emails = addresses(ROWS)
    whole.environment["JOB_THREADS"] = "4"  # so that there is a middle to catch
    whole.start("worker")  # and no scheduler, which would send another message later
    job = approved(whole, emails, tmp_path / "emails")
    whole.until(lambda: done(whole, job) >= ROWS // 5)
    assert whole.stop("worker") == 0
    settled = done(whole, job)
    assert settled < ROWS
    # No outcome is unknown, and no worker has to wait for the end of a lease.
    assert whole.query(OPEN_ITEMS, job) == [(0,)]
    assert whole.query(LEASE, job) == [("running", None, None)]
    assert len(on_the_account(whole.sandbox, emails)) == settled
    whole.start("worker")
    _everybody_is_there_once(whole, job, emails)
    assert whole.query(ATTEMPTS, job) == [(1,)]


def test_job_of_killed_worker_continues_with_another(whole, tmp_path):
    emails = addresses(ROWS)
    whole.environment |= {"JOB_THREADS": "4", "JOB_LEASE": "600"}
    try:
        whole.start("worker", "beat")
        job = approved(whole, emails, tmp_path / "emails")
        whole.until(lambda: done(whole, job) >= ROWS // 5)
        whole.kill("worker")
        whole.wipe_broker()
        assert done(whole, job) < ROWS
        whole.start("worker")
        _everybody_is_there_once(whole, job, emails)
    finally:
        whole.environment["JOB_LEASE"] = "4"
        whole.kill("worker")
        whole.kill("beat")


def test_backup_during_import_restores_to_state_that_finishes(whole, tmp_path):
    emails = addresses(ROWS)
    whole.environment["JOB_THREADS"] = "1"  # so that there is a middle, however long a backup takes
    whole.start("worker")
    job = approved(whole, emails, tmp_path / "emails")
    whole.until(lambda: done(whole, job) >= ROWS // 5)
    restored = whole.backed_up(tmp_path / "restored")
    try:
        known = done(restored, job)
        assert known < ROWS
        # It went on after the backup: the service knows of more than the backup does.
        whole.until(lambda: done(whole, job) >= min(known + ROWS // 5, ROWS))
        whole.kill("worker")
        assert len(on_the_account(whole.sandbox, emails)) > known
        said = restored.manage("restore", "--replace", str(restored.data_dir / "backup"))
        assert f"({job}): {ROWS - known} items are asked about first." in said
        assert "access that was taken back since" in said
        restored.start("worker", "beat")
        _everybody_is_there_once(restored, job, emails)
    finally:
        restored.close()
