"""Promise 33, routinely: what was noted outside of the database must still be there."""

import json

import pytest
from django.core.management import call_command
from django.db import connection as database
from structlog.testing import capture_logs

from portal.access.http import Origin
from portal.audit import routine
from portal.audit.acts import Act
from portal.audit.models import AuditEntry, AuditHead
from portal.audit.tasks import verify_audit
from portal.audit.trail import record
from portal.audit.verifying import verify

pytestmark = pytest.mark.django_db
TABLE = "access_auditentry"


@pytest.fixture(autouse=True)
def notes(tmp_path, settings):
    """Returns the path of the routine's record, beside the database."""
    settings.DATA_DIR = tmp_path / "not there yet"
    return settings.DATA_DIR / "audit-noted.json"


def add(count):
    for number in range(count):
        record(Origin(email="a@example.com"), Act.SIGN_IN, label=f"entry {number}")


def sql(statement, *values):
    with database.cursor() as cursor:
        cursor.execute(statement, values)


def test_number_and_hash_are_noted_and_logged(notes):
    add(3)
    with capture_logs() as logged:
        verify_audit()
    last = AuditEntry.objects.get(sequence=3).hash
    [line] = [one for one in logged if one["event"] == "audit verified"]
    assert (line["sequence"], line["hash"]) == (3, last)
    assert json.loads(notes.read_text())["last"] == {"entries": 3, "ends": {"1": [3, last]}}


def test_trail_put_back_to_earlier_state_is_reported():
    add(2)
    earlier = AuditHead.objects.values().get()
    add(2)
    assert routine.check().problem == ""
    sql(f"DELETE FROM {TABLE} WHERE sequence > 2")  # noqa: S608
    AuditHead.objects.update(**earlier)
    assert verify().problem == ""
    with capture_logs() as logged:
        verify_audit()
    [line] = [one for one in logged if one["log_level"] == "error"]
    assert (line["event"], line["problem"]) == (
        "audit trail broken",
        "Entry 4 is not the one noted.",
    )
    add(3)
    assert routine.check().problem == "Entry 4 is not the one noted."


def test_a_trail_that_is_gone_is_found():
    add(2)
    routine.check()
    sql(f"DELETE FROM {TABLE}")  # noqa: S608
    AuditHead.objects.all().delete()
    assert routine.check().problem == "Entry 2 is not the one noted."


def test_what_is_new_is_walked_from_the_entry_that_was_noted():
    add(3)
    routine.check()
    add(3)
    sql(f"UPDATE {TABLE} SET email = 'x' WHERE sequence = 5")  # noqa: S608
    verdict = routine.check()
    assert (verdict.entries, verdict.problem) == (4, "Entry 5 was changed or inserted.")


def test_notes_of_the_release_before_are_gone_on_from(notes):
    add(3)
    notes.parent.mkdir()
    last = AuditEntry.objects.get(sequence=3).hash
    notes.write_text(json.dumps({"last": [3, last], "again": [0, ""]}))
    add(1)
    with capture_logs() as logged:
        assert routine.check(most=1).entries == 4
    assert [one["event"] for one in logged] == ["audit verified"]


def test_a_check_walks_a_part_and_the_next_ones_go_on(notes):
    add(10)
    reached = [routine.check(most=4).entries for _ in range(3)]
    assert reached == [4, 8, 10]
    assert json.loads(notes.read_text())["again"]["entries"] == 2
    sql(f"UPDATE {TABLE} SET email = 'x' WHERE sequence = 7")  # noqa: S608
    problems = [routine.check(most=4).problem for _ in range(3)]
    assert problems == ["", "Entry 7 was changed or inserted.", "Entry 7 was changed or inserted."]


def test_older_entries_are_walked_again_and_again(notes):
    add(5)
    passes = []
    for _ in range(6):
        routine.check(most=3)
        passes.append(json.loads(notes.read_text())["again"]["entries"])
    assert passes == [0, 1, 4, 5, 3, 5]


def test_a_check_costs_no_more_for_a_long_trail(django_assert_max_num_queries):
    add(30)
    routine.check(most=5)
    with django_assert_max_num_queries(5):  # 3 where there is one chain
        routine.check(most=5)


@pytest.mark.parametrize("content", ["", "[]", '{"last": 3}', '{"last": ["x", 1], "again": []}'])
def test_notes_that_cannot_be_read_begin_anew_and_are_said(content, notes):
    add(2)
    notes.parent.mkdir()
    notes.write_text(content)
    with capture_logs() as logged:
        assert routine.check().entries == 2
    assert any(one["event"] == "audit notes unreadable" for one in logged)


def test_after_a_backup_was_put_back_a_person_has_it_go_on():
    add(1)
    earlier = AuditHead.objects.values().get()
    add(2)
    routine.check()
    sql(f"DELETE FROM {TABLE} WHERE sequence > 1")  # noqa: S608
    AuditHead.objects.update(**earlier)
    assert routine.check().problem
    call_command("verify_audit", "--note")
    assert routine.check().problem == ""
