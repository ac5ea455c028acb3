"""A hold that comes while a job deletes: what is held is not deleted, whichever came first by a
moment."""

import threading
from collections.abc import Callable
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import unquote

import pytest
from django.db import connection as database, connections as databases
from django.http import HttpResponse
from django.urls import reverse

from portal.access.http import Origin
from portal.audit.models import AuditEntry
from portal.contract.recordings import Recordings
from portal.jobs import services
from portal.jobs.models import Job
from portal.recordings import holds
from portal.recordings.filters import RecordingSelection
from portal.recordings.mirror import RecordingFilter
from portal.recordings.models import Hold
from tests.recordings.made import mirrored
from tests.support.fault_server import Behaviour, Seen, answer, depending
from tests.support.jobs import approve
from tests.support.portal import admin_client_for

pytestmark = pytest.mark.django_db(transaction=True)

COUNT, IN_FLIGHT = 24, 4
TIMEOUT = 20.0


class Service:
    """Deletes what it is asked to, but makes those that come first wait until it is let go."""

    def __init__(self) -> None:
        self.let_go = threading.Event()
        self.is_waiting = threading.Event()
        self.deleted: list[str] = []

    def __call__(self, seen: Seen) -> Behaviour:
        if seen.method == "GET":  # what there is, for the audit trail
            return answer(404, {"code": 3301, "message": "There is no recording."})
        self.deleted.append(unquote(seen.path.split("/")[-2]))
        self.is_waiting.set()
        self.let_go.wait(TIMEOUT)
        return answer(204)


@contextmanager
def beside(do):
    """Another thread does it at the same time, to its end."""

    def done():
        try:
            do()
        finally:
            databases.close_all()

    thread = threading.Thread(target=done)
    thread.start()
    try:
        yield
    finally:
        thread.join(TIMEOUT)
        assert not thread.is_alive()


def hold(recording):
    """Raises `NotHeld`."""
    connection = recording.connection
    holds.place(Origin(connection.owner), connection, [recording], "Lawsuit 4711", None)


def sequence_of(operation, uuid):
    """The place in the audit trail of the last entry on it."""
    entries = AuditEntry.objects.filter(operation=operation, object_id=uuid)
    return int(entries.latest("sequence").sequence)


@pytest.mark.parametrize("kind", ["recordings.delete", "recordings.trash"])
def test_held_recording_stays_and_its_item_says_why(kind, faulty, fault_server, work, settings):
    settings.JOB_THREADS = IN_FLIGHT
    rows = [mirrored(faulty, f"uuid-{number:02}") for number in range(COUNT)]
    chosen = RecordingSelection(RecordingFilter(ids=[row.uuid for row in rows])).as_parameters()
    parameters = {"chosen": chosen, "action": "trash"}
    job = work(services.draft(Origin(faulty.owner), faulty, kind, "Away", parameters=parameters))
    approve(job)
    service = Service()
    fault_server.always(depending(service))

    with beside(lambda: work(job)):
        try:
            assert service.is_waiting.wait(TIMEOUT)
            by_uuid = {row.uuid: row for row in rows}
            with pytest.raises(holds.HoldRefused, match="under way"):
                hold(by_uuid[service.deleted[0]])
            pending = [row for row in rows if row.uuid not in service.deleted]
            hold(pending[-1])
        finally:
            service.let_go.set()
        for row in reversed(pending[:-1]):  # the job comes from the other end
            with suppress(holds.HoldRefused):
                hold(row)

    held = set(Hold.objects.values_list("uuid", flat=True))
    assert held
    assert len(service.deleted) == len(set(service.deleted)) >= 1
    items = {item.object_id: item for item in Job.objects.get(pk=job.pk).items.all()}
    for uuid, item in items.items():
        if uuid in service.deleted:
            assert item.state == "done", item.message
            # A hold that is there all the same came when the deletion was over.
            if uuid in held:
                deleted = sequence_of(Recordings.delete.name, uuid)
                assert deleted < sequence_of("meetings.hold_recording", uuid)
        else:
            assert uuid in held
            assert item.state == "failed"
            assert "On hold by" in item.message
            assert "Lawsuit 4711" in item.message
    assert rows[-1].uuid not in service.deleted


Send = Callable[[str], HttpResponse]
_LOCKS = ("BEGIN IMMEDIATE", "FOR UPDATE")  # SQLite, PostgreSQL


@pytest.fixture
def service(fault_server):
    made = Service()
    fault_server.always(depending(made))
    return made


@pytest.fixture
def recording(faulty):
    return mirrored(faulty, "uuid-1")


@pytest.fixture
def send(recording, administrator):
    """Sends the form that holds the recording, or that deletes it, as the browser does."""
    filled = {
        "hold": ({"reason": "Lawsuit 4711"}, ()),
        "recordings-remove": ({"confirmation": "delete"}, ("delete",)),
    }

    def sent(name):
        form, more = filled[name]
        args = [recording.connection.key, recording.uuid, *more]
        answer: Any = admin_client_for(administrator).post(
            reverse(f"recordings:{name}", args=args), form
        )
        return answer

    return sent


def test_hold_sent_beside_a_deletion_is_refused(service, send):
    deleted: list[int] = []
    with beside(lambda: deleted.append(send("recordings-remove").status_code)):
        try:
            assert service.is_waiting.wait(TIMEOUT)
            refused = send("hold")
        finally:
            service.let_go.set()
    assert refused.status_code == 422
    assert "under way" in refused.text
    assert deleted == [303]
    assert not Hold.objects.exists()
    assert send("hold").status_code == 404


@pytest.mark.parametrize("is_noted", [True, False])
def test_hold_that_comes_after_a_deletion_is_refused(service, send, monkeypatch, *, is_noted):
    service.let_go.set()
    if not is_noted:  # as it is between the end of a deletion and what is noted of it
        monkeypatch.setattr("portal.recordings.mirror.record_files", lambda *_: None)

    def after_the_deletion(*args):
        with beside(lambda: send("recordings-remove")):
            pass
        return place(*args)

    place = holds.place
    monkeypatch.setattr(holds, "place", after_the_deletion)
    refused = send("hold")
    assert service.deleted
    assert refused.status_code == 422
    assert "has just been deleted" in refused.text
    assert not Hold.objects.exists()


def test_deletion_that_waits_for_a_hold_is_refused(service, send, monkeypatch):
    service.let_go.set()
    is_asking = threading.Event()
    deleted: list[int] = []

    def watch(execute, sql, *rest):
        if any(lock in sql for lock in _LOCKS):
            is_asking.set()
        return execute(sql, *rest)

    def delete():
        with database.execute_wrapper(watch):
            deleted.append(send("recordings-remove").status_code)

    thread = threading.Thread(target=lambda: (delete(), databases.close_all()))

    def while_it_waits(*args):
        thread.start()
        assert is_asking.wait(TIMEOUT)
        refuse(*args)

    refuse = holds._refuse_destroyed
    monkeypatch.setattr(holds, "_refuse_destroyed", while_it_waits)
    assert send("hold").status_code == 303
    thread.join(TIMEOUT)
    assert deleted == [422]
    assert not service.deleted
    assert Hold.objects.exists()
