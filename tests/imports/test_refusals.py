"""Refusals of the service, by the headings of a table."""

import pytest

from portal.imports.columns import Column
from portal.meetings.spec import MEETINGS
from portal.sessions.imports.session_columns import SessionMapping, columns_for

CELLS = {"alternative_hosts": "ada@a.example, x@a.example", "recurrence_type": "weekly"}
NAMES = [*CELLS, "type", "email"]


@pytest.mark.parametrize(
    ("field", "problem"),
    [
        (
            "settings.alternative_hosts",
            ("Alternative Hosts", "Refused. The table has \u201cada@a.example, x@a.example\u201d."),
        ),
        ("recurrence.type", ("Recurrence Type", "Refused. The table has \u201cweekly\u201d.")),
        ("user_info.email", ("Email", "Refused.")),
        ("members.0.nobody", ("members.0.nobody", "Refused.")),
    ],
)
def test_refusal_names_heading_and_cell(field, problem):
    columns = columns_for(MEETINGS) | {"email": Column("email", "Email")}
    headings = [name.replace("_", " ").title() for name in NAMES]
    mapping = SessionMapping(NAMES, headings, columns, spec=MEETINGS)
    assert mapping.refused(field, "Refused.", CELLS) == problem
