"""A year of a report whose worker is killed in the middle, over real processes."""

import json
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

from portal.reports.windows import Span
from tests.support import report_truth as truth
from tests.support.processes import COUNTS, done, state_of
from tests.support.slow_reports import slow_whole

pytestmark = pytest.mark.deep

TODAY = datetime.now(UTC).date()
YEAR = Span(TODAY - timedelta(days=364), TODAY)
IDENTITY = ("meeting_id", "phone_number", "call_in_number", "start_time")
_REPORT = """
import json
from datetime import date
from portal.access.models import Connection
from portal.access.http import Origin
from portal.access.scope import Scope
from portal.reports.services import fetching, rows
from portal.reports.services.sources import TELEPHONE
from portal.reports.windows import Span
connection = Connection.objects.get(key=sys.argv[1])
wanted = fetching.ReportWindow(TELEPHONE, Span(*map(date.fromisoformat, sys.argv[2:4])))
"""
BEGIN = (
    f"{_REPORT}print(fetching.request_reading(connection, Origin(connection.owner), [wanted]).key)"
)
READ = f"""{_REPORT}
assert not rows.gaps(connection, wanted)
print(json.dumps([row.data for row in rows.rows_of(Scope.whole(connection, "a test"), wanted)]))
"""


@pytest.fixture
def whole(tmp_path_factory, services):
    with slow_whole(tmp_path_factory, services) as made:
        yield made


def identified(rows):
    return Counter(repr([row[name] for name in IDENTITY]) for row in rows)


def test_year_with_killed_worker_has_every_row_once(whole):
    days = (str(YEAR.first), str(YEAR.last))
    # Begun before there is a worker: a slow machine would miss the middle.
    job = whole.script(BEGIN, whole.connection, *days).strip()
    whole.start("worker", "beat")
    for goal in (2, 5):
        whole.until(lambda goal=goal: done(whole, job) >= goal, timeout=120)
        assert state_of(whole, job) == "running"
        whole.kill("worker")
        whole.start("worker")
    whole.until(lambda: state_of(whole, job) == "done", timeout=180)

    items = dict(whole.query(COUNTS, job))
    assert set(items) == {"done"}
    assert items["done"] >= 12
    read = json.loads(whole.script(READ, whole.connection, *days).splitlines()[-1])
    expected = identified(truth.calls(whole.sandbox, YEAR))
    assert set(expected.values()) == {1}
    assert identified(read) == expected
