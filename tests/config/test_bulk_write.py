"""Many rows by one prepared statement: they read back as if the ORM had written them."""

from copy import copy
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from portal.config.database import insert_rows, update_rows, writing
from portal.jobs.models import ItemState, JobItem, JobState
from portal.reports.models import StoredReport, StoredRow, StoredWindow
from tests.support.job_pages import forced, item

pytestmark = pytest.mark.django_db

CHANGED: dict[str, Any] = {
    "state": ItemState.FAILED,
    "object_id": "Zoë “1”; DROP TABLE",
    "data": {"name": "Ünal", "groups": [1, None, {"a": True}], "percent": "100 %s"},
    "problems": [["email", "It's 100 % taken."]],
    "message": "line\nline",
    "attempts": 3,
    "due_at": timezone.now() + timedelta(seconds=1.5),
    "ended_at": None,
}


@pytest.fixture
def job(connection):
    return forced(connection, JobState.RUNNING, *(item(number) for number in range(1, 4)))


def stored(job):
    return list(job.items.order_by("number").values())


def test_the_named_fields_are_stored_as_a_save_stores_them(job):
    first, second, third = job.items.order_by("number")
    for row in (first, second):
        for name, value in CHANGED.items():
            setattr(row, name, value)
    first.save()
    second.label = "not named"
    update_rows([second], CHANGED)
    by_save, by_statement, untouched = stored(job)
    assert by_statement["label"] == "person2@example.com"
    assert {name: by_statement[name] for name in CHANGED} == {
        name: by_save[name] for name in CHANGED
    }
    assert untouched["state"] == third.state


def test_each_row_gets_its_own_values(job):
    rows = list(job.items.order_by("number"))
    for row in rows:
        row.message = f"of {row.number}"
    update_rows(rows, ["message"])
    assert [row["message"] for row in stored(job)] == ["of 1", "of 2", "of 3"]


def test_a_row_that_was_deleted_meanwhile_does_not_come_back(job):
    first, second, _third = job.items.order_by("number")
    first.message = second.message = "done"
    JobItem.objects.filter(pk=first.pk).delete()
    update_rows([first, second], ["message"])
    assert [row["message"] for row in stored(job)] == ["done", ""]


def test_new_rows_are_stored_as_a_save_stores_them(job):
    saved = JobItem(job=job, number=10, label="ten", **CHANGED)
    saved.save()
    inserted = copy(saved)
    inserted.pk, inserted.number = saved.pk + 1000, 11
    inserted._state = copy(saved._state)
    inserted._state.adding = True
    insert_rows([inserted])
    *_others, by_save, by_statement = stored(job)
    assert by_statement | {"id": by_save["id"], "number": 10} == by_save
    assert not inserted._state.adding


def test_without_rows_nothing_is_asked_of_the_database():
    insert_rows([])
    update_rows([], ["message"])


def test_rows_without_keys_get_them_and_existing_ones_stay(connection):
    report = StoredReport.objects.create(connection=connection, source="telephone")
    window = StoredWindow.objects.create(report=report, read_at=timezone.now(), reader="test")

    def row(key, number):
        return StoredRow(window=window, key=key, data={"number": number})

    insert_rows([row("a", 1), row("b", 2)])
    insert_rows([row("b", 3), row("c", 4), row("c", 5)], ignore_conflicts=True)
    kept = window.rows.order_by("key").values_list("key", "data")
    assert list(kept) == [("a", {"number": 1}), ("b", {"number": 2}), ("c", {"number": 4})]


def test_what_goes_wrong_while_rows_are_written_leaves_none(job):
    def write():
        with writing(), writing():
            JobItem.objects.filter(job=job).delete()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write()
    with writing():  # the turn was given back
        assert len(stored(job)) == 3
