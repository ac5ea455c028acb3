"""Promise 40: `migrate` brings a released database with data in it up to date; nothing is lost."""

import pytest

from tests.operations.released import CONNECTION, JOB, SECRET, Released, lost

# What the program of then cannot save between `migrate` and its end, and why.
REFUSED = {
    "ui.SavedView": "A saved view belongs to a person now, whom it would not name.",
    "ui.KeptTable": "So does an uploaded table: its file is chosen again.",
}
RELEASE = "2026-11-23"
OPENED = """
from portal.access.models import Connection
from portal.access.models.connection import sealed_fields
from portal.access.tokens import unseal
print(Connection.objects.get(key=sys.argv[1]).token.value)
for model, names in sealed_fields().items():
    for row in model.objects.values_list(*names):
        print(*(unseal(value).value for value in row if value), sep="\\n")
"""
WRITE_JOB = "from tests.operations.released import write_job; write_job(sys.argv[1], sys.argv[2:])"
WRITE_AS_THEN = """
from tests.operations.released import models_of_then, write_row_in_each_table, write_trail
then = models_of_then(sys.argv[1])
print(*write_row_in_each_table(then, int(sys.argv[2])))
write_trail(then)
"""
STATE = "SELECT state FROM jobs_job WHERE key = ?"
ITEMS = """
SELECT item.state, count(*) FROM jobs_jobitem item JOIN jobs_job job ON job.id = item.job_id
WHERE job.key = ? GROUP BY item.state
"""


@pytest.fixture(scope="module")
def released(tmp_path_factory, sandbox, services):
    made = Released(tmp_path_factory.mktemp("released"), sandbox, services, release=RELEASE)
    yield made
    made.close()


@pytest.fixture(scope="module")
def before(released):
    """Returns the rows of the released database; from then on it is up to date."""
    found = released.dump()
    released.manage("migrate")
    return found


def test_every_table_had_rows(before):
    assert len(before) > 40
    assert [name for name, rows in before.items() if not rows] == []


def test_nothing_is_lost(released, before):
    assert lost(before, released.dump()) == set()


def test_the_audit_trail_of_then_is_whole(released, before):
    assert "3 entries" in released.manage("verify_audit")


def test_what_was_encrypted_opens(released, before):
    opened = released.script(OPENED, CONNECTION).split("\n")
    assert opened[0] == released.sandbox.token
    assert len([text for text in opened if text.startswith(SECRET)]) >= 6


@pytest.mark.deep
def test_program_of_then_can_still_write_until_it_is_replaced(released, before):
    """`migrate` runs while it serves: a new column needs a default that the database knows."""
    assert set(released.script(WRITE_AS_THEN, RELEASE, "7").split()) == set(REFUSED)
    assert "6 entries" in released.manage("verify_audit")


@pytest.mark.deep
def test_its_administrator_signs_in_and_its_job_goes_on(released, before, sandbox, tmp_path):
    emails = [f"upgrade.{number}.{tmp_path.parent.name}@example.com" for number in range(8)]
    for email in emails:
        info = {"email": email, "type": 1, "first_name": "Old", "last_name": "Hand"}
        made = sandbox.client.post("/users", json={"action": "custCreate", "user_info": info})
        assert made.status_code == 201, made.text
    released.script(WRITE_JOB, RELEASE, *emails)
    released.start("web", "worker", "beat")
    released.until(lambda: released.query(STATE, JOB) == [("done",)])
    assert released.query(ITEMS, JOB) == [("done", len(emails))]
    assert set(emails) <= {person["email"] for person in sandbox.people("inactive")}
    released.until(released.answers)
    page = released.visitor().get(f"/c/{CONNECTION}/jobs/{JOB}/")
    assert page.status_code == 200
    assert "Deactivate people" in page.text
    released.manage("verify_audit")
