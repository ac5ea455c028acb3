"""An import in the processes of a `Whole`, and what its database says of it."""

from pathlib import Path

from tests.operations.whole import Whole

DRAFT = """
from portal.access.models import Connection
from tests.people.importing import drafted
emails = open(sys.argv[2]).read().split()
rows = [{"email": email, "dept": "" if n % 4 else "Crash site"} for n, email in enumerate(emails)]
print(drafted(Connection.objects.get(key=sys.argv[1]), *rows).key)
"""
APPROVE = """
from portal.jobs.models import Job
from tests.plugins.jobs import approve
approve(Job.objects.get(key=sys.argv[1]))
"""
COUNTS = """
SELECT item.state, count(*) FROM jobs_jobitem item JOIN jobs_job job ON job.id = item.job_id
WHERE job.key = ? GROUP BY item.state
"""


def approved(whole: Whole, emails: list[str], path: Path) -> str:
    """The key of an import of these people that a running worker is at."""
    path.write_text("\n".join(emails))
    job = whole.script(DRAFT, whole.connection, str(path)).strip()
    whole.until(lambda: state_of(whole, job) == "planned")
    whole.script(APPROVE, job)
    return job


def state_of(whole: Whole, job: str) -> str:
    [(state,)] = whole.query("SELECT state FROM jobs_job WHERE key = ?", job)
    return str(state)


def done(whole: Whole, job: str) -> int:
    return int(dict(whole.query(COUNTS, job)).get("done", 0))
