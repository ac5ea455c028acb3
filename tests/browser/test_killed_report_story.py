"""A year of a report whose worker is killed while a user looks at it."""

from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from portal.reports.windows import Span
from tests.browser.conftest import sign_in
from tests.support import report_truth as truth
from tests.support.slow_reports import slow_whole

pytestmark = [pytest.mark.browser, pytest.mark.deep]
DONE = """
SELECT count(*) FROM jobs_jobitem item JOIN jobs_job job ON job.id = item.job_id
WHERE job.kind = 'reports.read' AND item.state = 'done'
"""


def done(whole):
    [(count,)] = whole.query(DONE)
    return int(count)


def test_year_with_killed_worker_is_complete_on_page(chromium, tmp_path_factory, services):
    today = datetime.now(UTC).date()
    with slow_whole(tmp_path_factory, services) as whole:
        whole.start("web", "worker", "beat")
        whole.until(whole.answers)
        context = chromium.new_context(base_url=whole.url, timezone_id="UTC")
        page = context.new_page()
        sign_in(page, whole)
        page.goto(f"/c/{whole.connection}/reports/telephone/?period=12-months")
        reading = page.get_by_role("region", name="Loading")
        expect(reading).to_contain_text("days are being loaded")
        whole.until(lambda: done(whole) >= 3)
        whole.kill("worker")
        expect(reading).to_contain_text("days are being loaded")
        whole.start("worker")
        expect(reading).to_have_count(0, timeout=120_000)
        expect(page.get_by_text("Some days are missing")).to_have_count(0)
        expected = len(truth.calls(whole.sandbox, Span(today - timedelta(days=364), today)))
        calls = page.locator("dl > div").filter(has=page.get_by_text("Calls", exact=True))
        expect(calls.locator(".h3")).to_have_text(f"{expected:,}")
        context.close()
