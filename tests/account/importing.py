"""Tables of devices and tracking fields as jobs, planned and carried out in the test's process."""

import csv
import io
from collections.abc import Callable
from typing import Any

from portal.access.http import Origin
from portal.access.models import Connection
from portal.imports import sheets
from portal.imports.mapping import recognised
from portal.imports.resources import ResourceImportJob
from portal.jobs import services
from portal.jobs.models import Job, JobItem

PlanOf = Callable[..., Job]


def written(*rows: dict[str, str]) -> bytes:
    """Rows as CSV; their keys are the columns."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, names, restval="")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def names_of(of: type[ResourceImportJob], headings: tuple[str, ...]) -> tuple[str, ...]:
    return recognised(headings, of.all_columns)


def drafted(
    connection: Connection, of: type[ResourceImportJob], content: bytes, **more: Any
) -> Job:
    """A job that imports a file, its columns read as their headings say."""
    table = sheets.read(content)
    return services.draft(
        Origin(connection.owner),
        connection,
        of.name,
        "Import",
        parameters={"names": names_of(of, table.headers)},
        file=table.dump(),
        **more,
    )


def states(job: Job) -> list[tuple[str, str]]:
    return [(item.action, item.state) for item in job.items.all()]


def only(job: Job) -> JobItem:
    [item] = job.items.all()
    return item


def said(item: JobItem) -> str:
    """All that is said against a row."""
    return " ".join(f"{column}: {words}" for column, words in item.problems)
