"""A job under way in processes of its own, for what is then broken under it."""

from dataclasses import dataclass
from pathlib import Path

import httpx

from tests.support.deployment import Whole
from tests.support.job_runs import addresses, on_the_account
from tests.support.processes import COUNTS, approved, done, state_of

ROWS = 120
_OWN = ("/", "/healthz", "/connections/", "/audit/")
_PARTS = (
    *("people/", "groups/", "meetings/", "webinars/", "recordings/", "calendar/", "jobs/"),
    *("dashboards/", "dashboards/past/", "reports/hosts/", "account/baselines/", "changes/"),
)


@dataclass(frozen=True)
class UnderWay:
    """An import that is done to a tenth, over processes that are all up."""

    whole: Whole
    place: Path
    job: str
    emails: list[str]

    @property
    def page(self) -> str:
        return f"/c/{self.whole.connection}/jobs/{self.job}/"

    def shows_pages(self, visitor: httpx.Client) -> None:
        """Those of what is stored, in all rooms, and that of the job."""
        pages = [f"/c/{self.whole.connection}/{part}" for part in _PARTS]
        shown = {page: visitor.get(page).status_code for page in (*_OWN, *pages, self.page)}
        assert shown == dict.fromkeys(shown, 200)

    def reached(self) -> int:
        """How many the service has; it is asked past all that is broken."""
        return len(on_the_account(self.whole.sandbox, self.emails))

    def said(self, words: str, name: str = "worker") -> bool:
        return words in (self.whole.data_dir / f"{name}.log").read_text()

    def ends_well(self) -> None:
        """Each row once, another job after it, and no process that ended meanwhile."""
        whole = self.whole
        whole.until(lambda: state_of(whole, self.job) == "done" or bool(whole.ended()), timeout=180)
        assert whole.ended() == {}
        assert dict(whole.query(COUNTS, self.job)) == {"done": len(self.emails)}
        assert sorted(on_the_account(whole.sandbox, self.emails)) == self.emails
        second = approved(whole, addresses(5), self.place / "more")
        whole.until(lambda: state_of(whole, second) == "done", timeout=60)
        assert whole.answers()
        assert whole.ended() == {}
        assert "unbroken" in whole.manage("verify_audit")


def under_way(whole: Whole, place: Path, rows: int = ROWS) -> UnderWay:
    """One request at a time, so that the job outlasts what is to come."""
    whole.environment |= {"JOB_THREADS": "1"}
    whole.start("web", "worker", "beat")
    whole.until(whole.answers)
    emails = addresses(rows)
    job = approved(whole, emails, place / "emails")
    whole.until(lambda: done(whole, job) >= rows // 10)
    return UnderWay(whole, place, job, emails)
