"""Promise 33: whatever is done to the trail by SQL, its chain shows."""

import threading

import pytest
from django.core.management import CommandError, call_command
from django.db import connection as database, connections as databases, transaction

from portal.access.http import Origin
from portal.audit import chain
from portal.audit.acts import Act
from portal.audit.models import AppendOnly, AuditEntry, AuditHead
from portal.audit.trail import record
from portal.audit.verifying import verify

pytestmark = pytest.mark.django_db
TABLE = "access_auditentry"


def add(count):
    for number in range(count):
        record(Origin(email="a@example.com"), Act.SIGN_IN, label=f"entry {number}")


def sql(statement, *values):
    with database.cursor() as cursor:
        cursor.execute(statement, values)


def copy_entry(sequence, of):
    fields = [field.column for field in AuditEntry._meta.concrete_fields if not field.primary_key]
    listed = ", ".join(database.ops.quote_name(name) for name in fields)
    sql(
        f"INSERT INTO {TABLE} (sequence, {listed}) SELECT %s, {listed} FROM {TABLE}"  # noqa: S608
        " WHERE sequence = %s",
        sequence,
        of,
    )


def test_an_untouched_trail_is_whole():
    add(5)
    verdict = verify()
    assert (verdict.entries, verdict.problem) == (5, "")


def test_an_empty_trail_is_whole_while_there_are_no_accounts(administrator):
    assert verify().problem == ""
    sql(f"DELETE FROM {TABLE}")  # noqa: S608
    assert verify().problem == "Entry 1 is missing; the chain had 1 entries."
    AuditHead.objects.all().delete()
    assert verify().problem == "The end of the chain is missing."


def test_a_database_that_was_just_made_has_an_empty_trail(capsys):
    call_command("verify_audit")
    assert capsys.readouterr().out == "The audit trail is empty.\n"


@pytest.mark.usefixtures("administrator")
def test_trail_emptied_with_its_end_is_broken_and_stays_so():
    add(2)
    sql(f"DELETE FROM {TABLE}")  # noqa: S608
    AuditHead.objects.all().delete()
    with pytest.raises(CommandError, match=r"The end of the chain is missing") as failure:
        call_command("verify_audit")
    assert failure.value.returncode == 1
    call_command("migrate", verbosity=0)
    assert verify().problem == "The end of the chain is missing."
    add(2)
    assert "was changed" in verify().problem


@pytest.mark.usefixtures("administrator")
def test_the_end_of_an_empty_trail_does_not_go_with_accounts():
    sql(f"DELETE FROM {TABLE}")  # noqa: S608
    AuditHead.objects.all().delete()
    beginning = AuditHead(pk=1)
    beginning.seal = chain.seal(beginning)  # as it was seen when there was nothing else
    beginning.save()
    assert verify().problem == "There are accounts, and no entry of how they were made."


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("email", "b@example.com"),
        ("time", "2001-01-01 00:00:00+00:00"),
        ("ip", "203.0.113.9"),
        ("operation", "users.list"),
        ("object_id", "other"),
        ("object_label", "other"),
        ("sent", '{"role":"viewer"}'),
        ("before", "{}"),
        ("outcome", "failed"),
        ("status", 500),
        ("message", "other"),
        ("connection_key", "other"),
        ("request_id", "other"),
    ],
)
def test_a_changed_field_is_detected(column, value):
    add(4)
    sql(f"UPDATE {TABLE} SET {column} = %s WHERE sequence = 2", value)  # noqa: S608
    assert verify().problem == "Entry 2 was changed or inserted."


def test_a_changed_actor_is_detected(administrator):
    add(2)
    last = AuditEntry.objects.count()
    sql(f"UPDATE {TABLE} SET actor_id = %s WHERE sequence = {last}", administrator.pk)  # noqa: S608
    assert verify().problem == f"Entry {last} was changed or inserted."


def test_a_changed_hash_is_detected():
    add(3)
    sql(f"UPDATE {TABLE} SET hash = %s WHERE sequence = 3", "0" * 64)  # noqa: S608
    assert "Entry 3" in verify().problem


def test_a_removed_entry_is_detected():
    add(4)
    sql(f"DELETE FROM {TABLE} WHERE sequence = 2")  # noqa: S608
    assert verify().problem == "Entry 2 is missing."


def test_a_removed_first_entry_is_detected():
    add(2)
    sql(f"DELETE FROM {TABLE} WHERE sequence = 1")  # noqa: S608
    assert verify().problem == "Entry 1 is missing."


def test_a_cut_tail_is_detected():
    add(4)
    sql(f"DELETE FROM {TABLE} WHERE sequence > 2")  # noqa: S608
    assert verify().problem == "Entry 3 is missing; the chain had 4 entries."


def test_a_cut_tail_with_a_forged_end_is_detected():
    add(4)
    sql(f"DELETE FROM {TABLE} WHERE sequence > 2")  # noqa: S608
    AuditHead.objects.update(count=2, last_hash=AuditEntry.objects.get(sequence=2).hash)
    assert verify().problem == "The end of the chain, after entry 2, was changed."


def test_a_cut_tail_stays_detected_after_new_entries():
    add(4)
    sql(f"DELETE FROM {TABLE} WHERE sequence > 2")  # noqa: S608
    AuditHead.objects.update(count=2, last_hash=AuditEntry.objects.get(sequence=2).hash)
    add(3)
    assert "was changed" in verify().problem


def test_trail_put_back_looks_whole_but_misses_recorded_entry():
    add(2)
    earlier = AuditHead.objects.values().get()
    add(2)
    noted = (4, verify().place.digest)
    sql(f"DELETE FROM {TABLE} WHERE sequence > 2")  # noqa: S608
    AuditHead.objects.update(**earlier)
    assert verify().problem == ""
    assert verify(noted).problem == "Entry 4, which was noted, is missing."
    add(2)
    assert verify().problem == ""
    assert verify(noted).problem == "Entry 4 is not the one noted."


def test_a_missing_end_is_detected():
    add(2)
    AuditHead.objects.all().delete()
    assert verify().problem == "The end of the chain is missing."
    add(1)
    assert "was changed" in verify().problem


def test_an_entry_inserted_behind_the_end_is_detected():
    add(2)
    copy_entry(3, of=2)
    assert verify().problem == "Entry 3 was inserted."


def test_an_entry_inserted_before_the_beginning_is_detected():
    add(2)
    copy_entry(0, of=2)
    assert verify().problem == "Entry 0 was changed or inserted."


def test_swapped_entries_are_detected():
    add(3)
    for move_from, move_to in ((1, 9), (2, 1), (9, 2)):
        sql(f"UPDATE {TABLE} SET sequence = {move_to} WHERE sequence = {move_from}")  # noqa: S608
    assert verify().problem == "Entry 1 was changed or inserted."


def test_another_key_does_not_prove_the_chain(settings):
    add(1)
    settings.AUDIT_KEY = "another key " * 4
    assert verify().problem


def test_the_command_names_the_first_broken_entry_and_fails():
    add(3)
    sql(f"UPDATE {TABLE} SET email = 'x' WHERE sequence >= 2")  # noqa: S608
    with pytest.raises(CommandError, match=r"Entry 2 was changed .* 1 entries before") as failure:
        call_command("verify_audit")
    assert failure.value.returncode == 1


def test_the_command_proves_a_whole_trail(capsys):
    add(3)
    call_command("verify_audit")
    said = capsys.readouterr().out
    assert said.startswith("3 entries, unbroken.")
    call_command("verify_audit", "--noted", said.split()[-1])


def test_entries_cannot_be_changed_or_deleted_through_the_model():
    add(1)
    entry = AuditEntry.objects.get()
    for attempt in (
        entry.save,
        entry.delete,
        lambda: AuditEntry.objects.update(email="x"),
        lambda: AuditEntry.objects.all().delete(),
        lambda: AuditEntry.objects.filter(sequence=1).update(email="x"),
        lambda: AuditEntry.objects.bulk_update([entry], ["email"]),
        lambda: AuditEntry.objects.bulk_create([entry]),
    ):
        with pytest.raises(AppendOnly):
            attempt()


def test_what_the_service_sends_is_storable_in_any_database():
    record(
        Origin(email="a@example.com"),
        Act.SIGN_IN,
        label="nul \0, half \ud800 and long " + "x" * 400,
        sent={"nul": "\0", "half": "\ud800", "number": 1e22, "none": None},
        message="nul \0",
    )
    assert verify().problem == ""
    assert AuditEntry.objects.get().sent["nul"] == "\0"


@pytest.mark.django_db(transaction=True)
def test_entries_appended_at_the_same_time_form_one_chain():
    failures: list[BaseException] = []

    def append():
        try:
            for _ in range(5):
                with transaction.atomic():
                    record(Origin(email="a@example.com"), Act.SIGN_IN)
        except BaseException as failure:
            failures.append(failure)
        finally:
            databases.close_all()

    threads = [threading.Thread(target=append) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    verdict = verify()
    assert (verdict.entries, verdict.problem) == (20, "")


@pytest.mark.django_db(transaction=True)
def test_a_change_that_is_rolled_back_leaves_no_gap():
    add(1)
    with transaction.atomic():
        add(1)
        transaction.set_rollback(True)
    add(1)
    verdict = verify()
    assert (verdict.entries, verdict.problem) == (2, "")
