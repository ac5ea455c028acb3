"""An import while processes are killed and messages are lost, over real processes.

`CRASHES` in the environment says how many times something breaks, 4 by default; `CRASH_SEED`
repeats a trial.
"""

import os
import random
import re

import pytest

from tests.support.job_runs import addresses, on_the_account
from tests.support.processes import COUNTS, DRAFT, done, state_of

pytestmark = pytest.mark.deep

ROWS = 400
CRASHES = int(os.environ.get("CRASHES", "4"))
SEED = int(os.environ.get("CRASH_SEED", "0")) or random.SystemRandom().randrange(10**6)
VICTIMS = ("worker", "sandbox", "broker", "web", "worker", "beat")


def breaks(whole, victim):
    """Kills it and has it come back, as its supervisor would."""
    if victim == "broker":
        whole.wipe_broker()
    elif victim == "sandbox":
        whole.sandbox.kill()
        whole.sandbox.start()
    else:
        whole.kill(victim)
        whole.start(victim)


def test_every_row_is_there_exactly_once_whatever_breaks(whole, tmp_path):
    chance = random.Random(SEED)  # noqa: S311
    emails = addresses(ROWS)
    (tmp_path / "emails").write_text("\n".join(emails))
    whole.start("web", "worker", "beat")
    whole.until(whole.answers)
    visitor = whole.visitor()
    job = whole.script(DRAFT, whole.connection, str(tmp_path / "emails")).strip()
    page = f"/c/{whole.connection}/jobs/{job}/"
    whole.until(lambda: state_of(whole, job) == "planned")
    shown = re.search(r'name="seen" value="(\d+)"', visitor.get(page).text)
    assert shown, "the page has no plan to approve"
    whole.post(visitor, f"{page}approve/", {"seen": shown[1]})
    assert state_of(whole, job) in ("running", "done")
    for number in range(CRASHES):
        goal = (number + chance.random()) * ROWS / CRASHES
        whole.until(lambda goal=goal: done(whole, job) >= goal, timeout=120)
        breaks(whole, VICTIMS[number % len(VICTIMS)])
    whole.until(lambda: state_of(whole, job) == "done", timeout=180)

    assert dict(whole.query(COUNTS, job)) == {"done": ROWS}, f"CRASH_SEED={SEED}"
    assert sorted(on_the_account(whole.sandbox, emails)) == emails
    for email in emails[::40]:
        assert whole.sandbox.client.get(f"/users/{email}").json()["dept"] == "Crash site"
    whole.manage("verify_audit")
    whole.until(whole.answers)
    assert "Done" in visitor.get(page).text
