"""An import in the processes of a `Whole`, and what its database says of it."""

from pathlib import Path

from tests.support.deployment import Whole

DRAFT = """
from portal.access.models import Connection
from tests.people.importing import drafted
emails = open(sys.argv[2]).read().split()
rows = [{"email": email, "dept": "" if n % 4 else "Crash site"} for n, email in enumerate(emails)]
print(drafted(Connection.objects.get(key=sys.argv[1]), *rows).key)
"""
_APPROVED = f"""{DRAFT}
import time
from portal.jobs.models import Job, JobState
from tests.support.jobs import approve
deadline = time.monotonic() + 300
while (job := Job.objects.latest("pk")).state != JobState.PLANNED:
    assert time.monotonic() < deadline, job.state
    time.sleep(0.05)
approve(job)
"""
COUNTS = """
SELECT item.state, count(*) FROM jobs_jobitem item JOIN jobs_job job ON job.id = item.job_id
WHERE job.key = ? GROUP BY item.state
"""


def approved(whole: Whole, emails: list[str], path: Path) -> str:
    """The key of an import of these people that a running worker is at."""
    path.write_text("\n".join(emails))
    return whole.script(_APPROVED, whole.connection, str(path)).strip()


def state_of(whole: Whole, job: str) -> str:
    [(state,)] = whole.query("SELECT state FROM jobs_job WHERE key = ?", job)
    return str(state)


def done(whole: Whole, job: str) -> int:
    return int(dict(whole.query(COUNTS, job)).get("done", 0))
