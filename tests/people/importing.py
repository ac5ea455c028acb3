"""Tables of people as jobs, planned and carried out in the test's own process."""

import csv
import io
from collections.abc import Callable, Sequence
from secrets import choice
from typing import Any

import pytest

from portal.access.http import Origin
from portal.access.models import Connection
from portal.imports import sheets
from portal.jobs.models import Job, JobItem
from portal.people.imports.columns import mapping_of, names_in
from portal.people.imports.jobs import draft
from portal.people.services import seats as stated
from tests.support.jobs import Work, approve

PlanOf = Callable[..., Job]


def new_email(name: str = "person") -> str:
    """Returns an address that nobody has, of letters that make no number and no word."""
    letters = "".join(choice("bcdfghjklmnpqrstvwxz") for _ in range(12))
    return f"{name}.{letters}@brightwater.example"


def table_of(*rows: dict[str, str]) -> bytes:
    """Rows as CSV; their keys are the columns."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    written = io.StringIO()
    writer = csv.DictWriter(written, names, restval="")
    writer.writeheader()
    writer.writerows(rows)
    return written.getvalue().encode()


def drafted(
    connection: Connection,
    *rows: dict[str, str],
    seats: dict[int, int] | None = None,
    **values: Any,
) -> Job:
    """A job that imports these rows; `values` are what a `PeopleMapping` has beside."""
    table = sheets.read(table_of(*rows))
    mapping = mapping_of(names_in(table.headers), table.headers, **values)
    if seats is not None:
        stated.state(Origin(connection.owner), connection, dict(seats))
    return draft(Origin(connection.owner), connection, table, mapping, name="people.csv")


def approved(job: Job) -> Job:
    approve(job)
    return job


def states(job: Job) -> list[tuple[int, str, str]]:
    return [(item.number, item.action, item.state) for item in job.items.all()]


def problems(item: JobItem) -> list[tuple[str, str]]:
    return [(column, words) for column, words in item.problems]


@pytest.fixture
def plan_of(connection: Connection, work: Work) -> PlanOf:
    """`plan_of({"email": …}, …)` makes the plan of these rows."""

    def make(*rows: dict[str, str], **values: Any) -> Job:
        return work(drafted(connection, *rows, **values))

    return make


@pytest.fixture
def run_of(plan_of: PlanOf, work: Work) -> PlanOf:
    """The same, approved and carried out."""

    def make(*rows: dict[str, str], **values: Any) -> Job:
        return work(approved(plan_of(*rows, **values)))

    return make


def only(job: Job) -> JobItem:
    [item] = job.items.all()
    return item


def changes(item: JobItem) -> Sequence[tuple[str, str, str]]:
    return [(field, before, after) for field, before, after in item.changes]
