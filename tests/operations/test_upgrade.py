"""Promise 40: `migrate` brings a released database with data in it up to date; nothing is lost."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.operations.released import CONNECTION, JOB, SECRET, Released
from tests.support.sandbox import Sandbox
from tests.support.services import Services

# Tables and columns that a migration took away on purpose, by what has their content since.
GONE: dict[str, str] = {}
# Made of other columns, as searches compare them by now.
DERIVED = {"search", "sort_name"}
# What the program of then cannot save between `migrate` and its end, and why.
REFUSED = {
    "ui.SavedView": "A saved view belongs to a person now, whom it would not name.",
    "ui.KeptTable": "So does an uploaded table: its file is chosen again.",
}
DUMP = """
import json
from tests.operations.released import dump
print(json.dumps(dump()))
"""
OPENED = """
from portal.access.models import Connection
from portal.access.models.connection import sealed_fields
from portal.access.tokens import unseal
print(Connection.objects.get(key=sys.argv[1]).token.value)
for model, names in sealed_fields().items():
    for row in model.objects.values_list(*names):
        print(*(unseal(value).value for value in row if value), sep="\\n")
"""
WRITE_JOB = "from tests.operations.released import write_job; write_job(sys.argv[1:])"
WRITE_AS_THEN = """
from tests.operations.released import models_of_then, write_row_in_each_table, write_trail
then = models_of_then()
print(*write_row_in_each_table(then, int(sys.argv[1])))
write_trail(then)
"""
STATE = "SELECT state FROM jobs_job WHERE key = ?"
ITEMS = """
SELECT item.state, count(*) FROM jobs_jobitem item JOIN jobs_job job ON job.id = item.job_id
WHERE job.key = ? GROUP BY item.state
"""


@pytest.fixture(scope="module")
def released(
    tmp_path_factory: pytest.TempPathFactory, sandbox: Sandbox, services: Services
) -> Iterator[Released]:
    made = Released(tmp_path_factory.mktemp("released"), sandbox, services)
    yield made
    made.close()


@pytest.fixture(scope="module")
def before(released: Released) -> dict[str, list[dict[str, str]]]:
    """Returns the rows of the released database; from then on it is up to date."""
    found: dict[str, list[dict[str, str]]] = json.loads(released.script(DUMP))
    released.manage("migrate")
    return found


def test_every_table_had_rows(before: dict[str, list[dict[str, str]]]) -> None:
    assert len(before) > 40
    assert [name for name, rows in before.items() if not rows] == []


def test_nothing_is_lost(released: Released, before: dict[str, list[dict[str, str]]]) -> None:
    after = json.loads(released.script(DUMP))
    lost = []
    for table, rows in before.items():
        found = after.get(table, [])
        columns = set(rows[0]) & set(found[0]) if found else set()
        lost += [f"{table}.{name}" for name in set(rows[0]) - columns]
        stored = columns - DERIVED
        known = [{name: row[name] for name in stored} for row in found]
        kept = [{name: row[name] for name in stored} for row in rows]
        lost += [f"{table}: {row}" for row in kept if row not in known]
    assert [each for each in lost if each not in GONE] == []


def test_the_audit_trail_of_then_is_whole(
    released: Released, before: dict[str, list[dict[str, str]]]
) -> None:
    assert "3 entries" in released.manage("verify_audit")


def test_what_was_encrypted_opens(
    released: Released, before: dict[str, list[dict[str, str]]]
) -> None:
    opened = released.script(OPENED, CONNECTION).split("\n")
    assert opened[0] == released.sandbox.token
    assert len([text for text in opened if text.startswith(SECRET)]) >= 6


def test_program_of_then_can_still_write_until_it_is_replaced(
    released: Released, before: dict[str, list[dict[str, str]]]
) -> None:
    """`migrate` runs while it serves: a new column needs a default that the database knows."""
    assert set(released.script(WRITE_AS_THEN, "7").split()) == set(REFUSED)
    assert "6 entries" in released.manage("verify_audit")


def test_its_administrator_signs_in_and_its_job_goes_on(
    released: Released, before: dict[str, list[dict[str, str]]], sandbox: Sandbox, tmp_path: Path
) -> None:
    emails = [f"upgrade.{number}.{tmp_path.parent.name}@example.com" for number in range(8)]
    for email in emails:
        info = {"email": email, "type": 1, "first_name": "Old", "last_name": "Hand"}
        made = sandbox.client.post("/users", json={"action": "custCreate", "user_info": info})
        assert made.status_code == 201, made.text
    released.script(WRITE_JOB, *emails)
    released.start("web", "worker", "beat")
    released.until(lambda: released.query(STATE, JOB) == [("done",)])
    assert released.query(ITEMS, JOB) == [("done", len(emails))]
    assert set(emails) <= {person["email"] for person in sandbox.people("inactive")}
    released.until(released.answers)
    page = released.visitor().get(f"/c/{CONNECTION}/jobs/{JOB}/")
    assert page.status_code == 200
    assert "Deactivate people" in page.text
    released.manage("verify_audit")
