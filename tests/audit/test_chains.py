"""Promise 33 on several chains: what is done to one of them shows in the others."""

import threading
from datetime import timedelta

import pytest
from django.db import connection as database, connections as databases, transaction
from django.db.migrations.recorder import MigrationRecorder

from portal.access.http import Origin
from portal.audit import chain, routine
from portal.audit.acts import Act
from portal.audit.models import NUMBERS, AuditEntry, AuditHead
from portal.audit.trail import record
from portal.audit.verifying import verify

pytestmark = pytest.mark.django_db
TABLE = "access_auditentry"


@pytest.fixture(autouse=True)
def notes(tmp_path, settings):
    settings.DATA_DIR = tmp_path


@pytest.fixture
def add(monkeypatch):
    """Appends to the chains of these numbers, one after the other."""

    def adding(*chains):
        for pk in chains:
            heads = sorted(AuditHead.objects.all(), key=lambda head: head.pk != pk)
            monkeypatch.setattr(chain, "_heads", lambda heads=heads: heads)
            its_end = chain._CHOICE.format(f"WHERE id = {pk} FOR UPDATE", NUMBERS)
            monkeypatch.setattr(chain, "_FREE", its_end)
            record(Origin(email="a@example.com"), Act.SIGN_IN, label=f"chain {pk}")

    return adding


@pytest.fixture
def opened(add):
    """Entries of before the chains were opened, and of after."""
    add(1, 1)
    chain.open_chains()
    add(1, 2, 2, 3, 1)


def sql(statement, *values):
    with database.cursor() as cursor:
        cursor.execute(statement, values)


def removed(where):
    sql(f"DELETE FROM {TABLE} WHERE {where}")  # noqa: S608


@pytest.mark.usefixtures("opened")
def test_trail_of_several_chains_is_whole_and_in_order():
    verdict = verify()
    assert (verdict.entries, verdict.problem) == (7, "")
    rows = AuditEntry.objects.order_by("sequence").values_list("sequence", "chain", "seen")
    assert list(rows) == [
        (1, 1, ""),
        (2, 1, ""),
        (3, 1, ""),
        (4, 2, "3"),
        (5, 2, ""),
        (6, 3, "3 5"),
        (7, 1, "5 6"),
    ]


@pytest.mark.usefixtures("opened")
@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ("DELETE FROM {} WHERE sequence = 4", "Entry 5 was changed or inserted."),
        ("DELETE FROM {} WHERE sequence = 3", "Entry 3 is missing: entry 4 was written after it."),
        ("DELETE FROM {} WHERE sequence = 7", "Entry 7 is missing."),
        (
            "DELETE FROM {} WHERE sequence = 2",
            "Entry 3 does not follow entry 1: it was changed or inserted, or one between them is"
            " missing.",
        ),
        ("UPDATE {} SET chain = 3 WHERE sequence = 5", "Entry 5 was changed or inserted."),
        ("UPDATE {} SET chain = 9 WHERE sequence = 6", "Entry 6 was changed or inserted."),
        ("UPDATE {} SET seen = '' WHERE sequence = 6", "Entry 6 was changed or inserted."),
        ("UPDATE {} SET chain = 5 - chain WHERE chain IN (2, 3)", "Entry 4 was changed or"),
        ("UPDATE {} SET chain = 2 WHERE sequence = 1", "Entry 1 was changed or inserted."),
    ],
)
def test_changed_or_moved_entry_is_detected(change, problem):
    sql(change.format(TABLE))
    assert verify().problem.startswith(problem)


@pytest.mark.usefixtures("opened")
def test_removed_chain_is_detected_with_and_without_its_end():
    removed("chain = 3")
    assert verify().problem == "Entry 6 is missing: entry 7 was written after it."
    AuditHead.objects.filter(pk=3).delete()
    assert verify().problem == "Entry 6 is missing: entry 7 was written after it."


@pytest.mark.usefixtures("opened")
def test_removed_end_of_unused_chain_is_detected():
    AuditHead.objects.filter(pk=8).delete()
    assert verify().problem == "The end of the chain is missing."


@pytest.mark.usefixtures("opened")
def test_chain_put_back_alone_is_detected_also_after_it_grew(add):
    earlier = AuditHead.objects.values().get(pk=2)
    add(2, 1)
    removed("sequence = 8")
    AuditHead.objects.filter(pk=2).update(**earlier)
    assert verify().problem == "Entry 8 is missing: entry 9 was written after it."
    add(2, 3, 2)
    assert verify().problem == "Entry 8 is missing: entry 9 was written after it."


@pytest.mark.usefixtures("opened")
def test_end_with_what_it_names_changed_is_detected():
    AuditHead.objects.filter(pk=2).update(seen="3 6 7")
    assert verify().problem == "The end of the chain, after entry 5, was changed."


@pytest.mark.usefixtures("opened")
def test_entry_inserted_behind_the_end_of_its_chain_is_detected():
    sql(f"UPDATE {TABLE} SET sequence = 9 WHERE sequence = 6")  # noqa: S608
    AuditHead.objects.filter(pk=3).update(count=0, last_hash="")
    assert "Entry 6 is missing" in verify().problem
    removed("sequence = 7")
    assert verify().problem != ""


@pytest.mark.usefixtures("opened")
def test_noted_place_proves_what_is_before_it_in_all_chains(add):
    noted = (7, verify().place.digest)
    before = (2, AuditEntry.objects.get(sequence=2).hash)
    heads = list(AuditHead.objects.values())
    add(3, 2)
    assert verify(noted).problem == verify(before).problem == ""
    removed("sequence > 6")
    for head in heads:
        AuditHead.objects.filter(pk=head["id"]).update(**head)
    assert verify(noted).problem == "Entry 7, which was noted, is missing."


@pytest.mark.usefixtures("opened")
def test_routine_check_walks_a_part_and_finds_a_chain_put_back(add):
    assert [routine.check(most=3).entries for _ in range(4)] == [3, 6, 7, 7]
    earlier = AuditHead.objects.values().get(pk=3)
    add(3)
    assert routine.check(most=3).entries == 8
    removed("sequence = 8")
    AuditHead.objects.filter(pk=3).update(**earlier)
    assert verify().problem == ""
    assert routine.check().problem == "Entry 8 is not the one noted."


def test_chains_are_not_opened_on_a_broken_trail(add):
    add(1)
    AuditHead.objects.update(count=0)
    chain.open_chains()
    assert AuditHead.objects.count() == 1


on_postgresql = pytest.mark.skipif(
    database.vendor != "postgresql", reason="SQLite has one writer at a time"
)


@on_postgresql
@pytest.mark.django_db(transaction=True)
def test_transactions_append_beside_each_other_and_leave_gaps():
    chain.open_chains()
    begun, done = threading.Event(), threading.Event()

    def beside():
        try:
            with transaction.atomic():
                record(Origin(email="b@example.com"), Act.SIGN_IN)
                begun.set()
                assert done.wait(20)
                transaction.set_rollback(True)
        finally:
            databases.close_all()

    thread = threading.Thread(target=beside)
    thread.start()
    assert begun.wait(20)
    record(Origin(email="a@example.com"), Act.SIGN_IN)
    done.set()
    thread.join()
    for _ in range(2):
        record(Origin(email="a@example.com"), Act.SIGN_IN)
    rows = AuditEntry.objects.order_by("sequence").values_list("sequence", "chain", "seen")
    assert list(rows) == [(2, 2, ""), (3, 1, "2"), (4, 1, "")]
    assert (verify().entries, verify().problem) == (3, "")


@on_postgresql
@pytest.mark.django_db(transaction=True)
def test_act_that_forbids_waits_for_writes_that_share_the_order():
    chain.open_chains()
    order, shared = [], threading.Event()

    def act():
        try:
            assert shared.wait(20)
            record(Origin(email="a@example.com"), Act.SHARE_TAKEN_BACK)
            order.append("taken back")
        finally:
            databases.close_all()

    thread = threading.Thread(target=act)
    thread.start()
    with transaction.atomic():
        chain.share()
        shared.set()
        record(Origin(email="b@example.com"), Act.SIGN_IN)
        thread.join(0.3)
        order.append("written")
    thread.join()
    assert order == ["written", "taken back"]


@on_postgresql
def test_upgraded_database_opens_its_chains_a_day_later():
    record(Origin(email="a@example.com"), Act.SIGN_IN)
    chain.open_after_upgrade()
    assert AuditHead.objects.count() == 1
    rows = MigrationRecorder.Migration.objects.filter(app="audit", name="0003_chains")
    rows.update(applied=rows.get().applied - timedelta(days=2))
    chain.open_after_upgrade()
    record(Origin(email="a@example.com"), Act.SIGN_IN)
    assert AuditHead.objects.count() == 8
    assert (verify().entries, verify().problem) == (2, "")
