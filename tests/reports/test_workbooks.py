"""Workbooks of reports, opened and compared with the pages that they are of, row by row."""

import re
from datetime import UTC, date, datetime, timedelta
from io import BytesIO

import pytest
from django.utils import dateformat
from openpyxl import load_workbook

from portal.jobs.models import Job
from tests.reports.pages import address, days
from tests.support import report_truth as truth
from tests.support.html import text_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]

TODAY = datetime.now(UTC).date()
FIRST = TODAY - timedelta(days=40)


@pytest.mark.parametrize("name", ["daily", "hosts", "inactive", "telephone", "person"])
def test_workbook_has_the_rows_of_its_page(client, connection, sandbox, work, name):
    asked = {**days(FIRST, TODAY), "columns": "all"}
    more = [truth.busiest_host(sandbox, truth.Span(FIRST, TODAY))] if name == "person" else []
    client.get(address(connection, name, *more, **asked))
    for job in Job.objects.filter(finished_at=None):
        work(job)
    shown = _rows_of_page(client.get(address(connection, name, *more, **asked)).text)
    file = client.get(address(connection, f"{name}-export", *more, "xlsx", **asked))
    book = load_workbook(BytesIO(file.getvalue()))
    heads, *rows = book.worksheets[0].iter_rows(values_only=True)
    facts = {str(title): value for title, value in book["About"].iter_rows(values_only=True)}
    assert facts["Rows"] == len(rows)
    assert str(TODAY.year) in str(facts["Days"])
    assert facts["Account"] == connection.name
    assert shown
    for page, row in zip(shown, rows, strict=False):
        known = {
            str(head).partition(" (")[0]: value for head, value in zip(heads, row, strict=True)
        }
        both = known.keys() & page.keys()
        assert len(both) >= 3
        assert [
            (head, page[head], known[head]) for head in both if _differs(page[head], known[head])
        ] == []


def _differs(words, value):
    if isinstance(value, date):
        return dateformat.format(value, "j M") not in words
    if isinstance(value, int):
        return f"{value:,}" not in words
    return str(value or "") not in words


def _rows_of_page(html):
    """Cells of the page's table in words, by their headings."""
    table = re.search(r'<table class="[^"]*sb-table.*?</table>', html, re.DOTALL)
    assert table
    head, _, body = table[0].partition("</thead>")
    heads = [
        text_of(one).partition(" (")[0] for one in re.findall(r"<th\b.*?</th>", head, re.DOTALL)
    ]
    found = re.findall(r"<tr\b.*?</tr>", body, re.DOTALL)
    cells = [re.findall(r"<t[dh]\b.*?</t[dh]>", row, re.DOTALL) for row in found]
    return [
        dict(zip(heads, map(text_of, row), strict=True)) for row in cells if len(row) == len(heads)
    ]
