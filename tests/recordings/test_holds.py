"""Legal holds: a recording on hold cannot be deleted in any way that the portal has."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.urls import reverse

from portal.access.grants import scope_of
from portal.access.http import Origin
from portal.access.models import Connection
from portal.audit.chain import append
from portal.audit.guards import Protected
from portal.audit.models import AuditEntry, Outcome
from portal.connections.api import api_for
from portal.connections.services import connections
from portal.contract.recordings import RecordingRemoval, RecordingRemovalQuery
from portal.contract.users import RemovalAction, UserRemoval
from portal.meetings.spec import MEETINGS
from portal.recordings import holds
from portal.recordings.models import Hold, MirroredRecording
from tests.recordings.made import available_files, mirrored
from tests.support.html import form_with, forms, text_of
from tests.support.portal import admin_client_for, member
from tests.support.session_pages import spec_url

pytestmark = pytest.mark.django_db

TYPED = {"confirmation": "delete"}


def hold(recording, until=None):
    connection = recording.connection
    holds.place(Origin(connection.owner), connection, [recording], "Lawsuit 4711", until)
    return Hold.objects.get(uuid=recording.uuid)


def url(recording, name, *more):
    return reverse(f"recordings:{name}", args=[recording.connection.key, recording.uuid, *more])


def test_a_hold_is_placed_shown_and_released_each_with_its_entry(client, recorded):
    until = datetime.now(UTC).date() + timedelta(days=30)
    sent = {"reason": "Lawsuit <b>4711", "until": until.isoformat()}
    assert client.post(url(recorded, "hold"), sent).status_code == 303
    page = client.get(url(recorded, "recording")).text
    assert "Lawsuit &lt;b&gt;4711" in page
    assert "On hold" in text_of(page)
    listed = reverse("recordings:list", args=[recorded.connection.key])
    assert recorded.topic in text_of(client.get(listed, {"status": "held"}).text)
    [placed] = AuditEntry.objects.filter(operation="meetings.hold_recording")
    assert (placed.object_id, placed.sent["reason"]) == (recorded.uuid, "Lawsuit <b>4711")
    assert client.post(url(recorded, "release")).status_code == 422
    assert client.post(url(recorded, "release"), {"reason": "Settled"}).status_code == 303
    assert not Hold.objects.exists()
    [released] = AuditEntry.objects.filter(operation="meetings.release_recording")
    assert released.before["reason"] == "Lawsuit <b>4711"
    assert released.sent == {"reason": "Settled"}
    assert "Released a recording from hold" in text_of(
        client.get(url(recorded, "recording"), {"history": "1"}).text
    )


def test_no_page_deletes_what_is_held(client, recorded, sandbox):
    hold(recorded)
    first, *_ = before = available_files(sandbox, recorded.uuid)
    connection = recorded.connection
    for asked in (
        url(recorded, "recordings-remove", "trash"),
        url(recorded, "recordings-remove", "delete"),
        url(recorded, "recording-remove", first, "trash"),
        url(recorded, "recording-remove", first, "delete"),
        *(
            spec_url(connection, MEETINGS, name, recorded.session_id, recorded.uuid, *more, how)
            for name, more in (("recordings-remove", ()), ("recording-remove", (first,)))
            for how in ("trash", "delete")
        ),
    ):
        page = client.get(asked)
        assert "On hold by" in text_of(page.text), asked
        assert "You can recover" not in page.text
        assert not [one for one in forms(page.text) if one.action == asked]
        refused = client.post(asked, TYPED)
        assert refused.status_code == 422, asked
        assert "On hold by" in text_of(refused.text)
    assert "recordings-remove" not in client.get(url(recorded, "recording")).text
    assert available_files(sandbox, recorded.uuid) == before
    assert MirroredRecording.objects.get(pk=recorded.pk).status == "available"


def test_a_refused_deletion_is_recorded_and_nothing_is_sent(recorded):
    hold(recorded)
    api = api_for(scope_of(recorded.connection.owner, recorded.connection))
    for name in (recorded.uuid, recorded.session_id):
        with pytest.raises(Protected) as refused:
            api.recordings.delete(name, RecordingRemovalQuery(action=RecordingRemoval.TRASH))
        assert not refused.value.may_have_happened
        [entry] = AuditEntry.objects.filter(operation="recordings.delete", object_id=name)
        assert entry.outcome == Outcome.FAILED
        assert "Lawsuit 4711" in entry.message


def test_a_hold_binds_other_admins_and_connections(recorded, connect):
    hold(recorded)
    other = connect(member("other@example.com", "administrator"))
    with pytest.raises(Protected):
        api_for(scope_of(other.owner, other)).recordings.delete(recorded.uuid)
    Connection.objects.filter(pk=recorded.connection_id).delete()
    with pytest.raises(Protected):
        api_for(scope_of(other.owner, other)).recordings.delete(recorded.uuid)


def respelled(recording):
    """Another connection to the same service, whose address is stored in another spelling."""
    first = recording.connection
    other = Connection(owner=first.owner, name="Respelled", base_url=first.base_url)
    connections.save(Origin(first.owner), other, first.token.value)
    spelled = f"{first.base_url[:-2]}%762/."
    Connection.objects.filter(pk=other.pk).update(base_url=spelled)
    other.refresh_from_db()
    assert other.base_url == spelled
    return other


def test_a_hold_binds_a_connection_spelled_otherwise(recorded, sandbox):
    hold(recorded)
    before = available_files(sandbox, recorded.uuid)
    other = respelled(recorded)
    api = api_for(scope_of(other.owner, other))
    [host] = [one for one in sandbox.people() if one["id"] == recorded.host_id]
    for name in (host["id"], host["email"], host["email"].upper()):
        with pytest.raises(Protected, match="on hold"):
            api.users.delete(name, UserRemoval(action=RemovalAction.DELETE))
    for name in (recorded.session_id, f"00{recorded.session_id}"):
        with pytest.raises(Protected, match="Lawsuit"):
            api.recordings.delete(name, RecordingRemovalQuery(action=RecordingRemoval.DELETE))
    assert available_files(sandbox, recorded.uuid) == before


def entry_of(connection, name, **values):
    """A write whose intent is about to be recorded."""
    return AuditEntry(object_id=name, connection_key=connection.key, **values)


def test_a_hold_belongs_to_the_account_that_is_reported(recorded, connect):
    Connection.objects.filter(pk=recorded.connection_id).update(account_id="acc-1")
    recorded.connection.refresh_from_db()
    hold(recorded)
    elsewhere = connect(recorded.connection.owner, "Elsewhere")
    Connection.objects.filter(pk=elsewhere.pk).update(base_url="https://alias.example/v2")
    removal = entry_of(elsewhere, recorded.host_id)
    for reported, forbidden in (
        ({}, True),
        ({"account_id": "acc-1"}, True),
        (
            {"account_id": "acc-2"},
            False,
        ),
    ):
        removal.before = reported
        assert bool(holds.forbids_removal(removal)) is forbidden, reported
        deletion = entry_of(elsewhere, recorded.session_id, before=reported)
        assert bool(holds.forbids_deletion(deletion)) is forbidden, reported
    assert holds.forbids_deletion(entry_of(elsewhere, recorded.uuid, before=reported))


@pytest.mark.parametrize("name", ["a%2Fb", "a%252Fb", "a/b", " a/b "])
def test_a_uuid_spelled_otherwise_is_on_hold_too(connection, name):
    hold(mirrored(connection, "a/b"))
    assert holds.forbids_deletion(entry_of(connection, name))


def test_who_is_given_what_is_on_hold_cannot_let_it_go(recorded):
    hold(recorded)
    connection = recorded.connection
    given = {"transfer_email": "Kim@example.com", "transfer_recording": True}
    assert not holds.forbids_removal(entry_of(connection, recorded.host_id, sent=given))
    for email in ("kim@example.com", "KIM@EXAMPLE.COM", "\u212aim@example.com"):
        assert holds.forbids_removal(entry_of(connection, email)), email
    heir = entry_of(connection, "u-9", before={"id": "u-9", "email": "kim@example.com"})
    assert holds.forbids_removal(heir)


def test_no_hold_is_placed_while_the_host_is_removed_elsewhere(client, recorded):
    other = respelled(recorded)
    values: dict[str, Any] = {"operation": "users.delete", "outcome": Outcome.BEGUN, "before": {}}
    removal = entry_of(other, recorded.host_id, **values)
    append(removal)
    refused = client.post(url(recorded, "hold"), {"reason": "Late"})
    assert refused.status_code == 422
    assert not Hold.objects.exists()


def test_host_of_held_recording_needs_transfer_to_be_removed(recorded):
    hold(recorded)
    api = api_for(scope_of(recorded.connection.owner, recorded.connection))
    for how in (
        UserRemoval(action=RemovalAction.DELETE),
        UserRemoval(action=RemovalAction.DISASSOCIATE),
        UserRemoval(transfer_email="heir@example.com", transfer_meeting=True),
    ):
        with pytest.raises(Protected, match="on hold"):
            api.users.delete(recorded.host_id, how)
    assert (
        holds.forbids_removal(
            AuditEntry(
                object_id=recorded.host_id,
                connection_key=recorded.connection.key,
                sent={"transfer_email": "heir@example.com", "transfer_recording": True},
            )
        )
        == ""
    )


def test_a_hold_ends_when_its_last_day_is_over_everywhere(recorded):
    today = datetime.now(UTC).date()
    held = hold(recorded, today + timedelta(days=1))
    assert holds.why_on_hold(recorded.connection, [recorded.uuid])
    Hold.objects.filter(pk=held.pk).update(until=today - timedelta(days=2))
    assert not holds.why_on_hold(recorded.connection, [recorded.uuid])
    api_for(scope_of(recorded.connection.owner, recorded.connection)).recordings.delete(
        recorded.uuid
    )


def test_a_day_that_is_over_is_refused(client, recorded):
    sent = {"reason": "x", "until": "2020-01-01"}
    refused = client.post(url(recorded, "hold"), sent)
    assert refused.status_code == 422
    assert "This day is over" in text_of(refused.text)
    assert not Hold.objects.exists()


def test_no_hold_is_placed_while_a_deletion_is_under_way(client, recorded):
    api = api_for(scope_of(recorded.connection.owner, recorded.connection))
    api.recordings.delete(recorded.uuid)
    [begun] = AuditEntry.objects.filter(operation="recordings.delete", intent=None)
    ends = AuditEntry.objects.filter(intent=begun)
    assert ends.count() == 1
    # As it is between the intent and its end.
    AuditEntry.objects.filter(intent=begun)._raw_delete("default")
    refused = client.post(url(recorded, "hold"), {"reason": "Late"})
    assert refused.status_code == 422
    assert "A deletion of this recording is under way" in text_of(refused.text)
    assert not Hold.objects.exists()
    assert not AuditEntry.objects.filter(operation="meetings.hold_recording").exists()


@pytest.mark.parametrize(("role", "may"), [("viewer", False), ("operator", True)])
def test_who_may_edit_may_hold_and_only_administrators_release(connect, role, may):
    connection = connect(member("someone@example.com", role))
    recording = mirrored(connection, "a")
    own = admin_client_for(connection.owner)
    assert own.post(url(recording, "hold"), {"reason": "x"}).status_code == (303 if may else 403)
    assert own.post(url(recording, "release"), {"reason": "x"}).status_code == 403


def test_a_release_asks_who_it_is_again(recorded):
    hold(recorded)
    stale = admin_client_for(recorded.connection.owner, recently=False)
    many = reverse("recordings:chosen-release", args=[recorded.connection.key])
    chosen = {"chosen": [recorded.uuid], "matching": "", "confirmed": "1"}
    for asked, form in ((url(recorded, "release"), {}), (many, chosen)):
        sent: Any = stale.post(asked, {**form, "reason": "x"})
        assert "reauthenticate" in sent["Location"]
        assert Hold.objects.exists()


def test_many_are_held_at_once(client, several):
    asked = reverse("recordings:chosen-hold", args=[several[0].connection.key])
    uuids = [one.uuid for one in several]
    form = {"chosen": uuids, "matching": "", "confirmed": "1", "reason": "Audit", "until": ""}
    assert client.post(asked, form).status_code == 303
    assert set(holds.why_on_hold(several[0].connection, uuids)) == set(uuids)
    assert AuditEntry.objects.filter(operation="meetings.hold_recording").count() == 3


def test_many_are_released_at_once_each_with_its_entry(client, several):
    first, second, other = several
    hold(first)
    hold(second)
    asked = reverse("recordings:chosen-release", args=[first.connection.key])
    chosen = {"chosen": [one.uuid for one in several], "matching": ""}
    page = client.post(asked, chosen).text
    assert "Release 2 recordings from hold?" in text_of(page)
    assert "1 of the selected recordings is not on hold." in text_of(page)
    assert text_of(page).count("Lawsuit 4711") == 2
    assert Hold.objects.count() == 2
    form = form_with(page, "confirmed")
    assert client.post(asked, {**form.values, "reason": ""}).status_code == 422
    assert client.post(asked, {**form.values, "reason": "Settled"}).status_code == 303
    assert not Hold.objects.exists()
    released = AuditEntry.objects.filter(operation="meetings.release_recording")
    assert {entry.object_id for entry in released} == {first.uuid, second.uuid}
    for entry in released:
        assert entry.before["reason"] == "Lawsuit 4711"
        assert entry.sent == {"reason": "Settled"}
    refused = client.post(asked, chosen, follow=True)
    assert "None of the selected recordings is on hold." in text_of(refused.text)
    assert other.uuid not in {entry.object_id for entry in released}


def test_all_that_match_are_released_and_no_other(client, several):
    for one in several:
        hold(one)
    asked = reverse("recordings:chosen-release", args=[several[0].connection.key])
    MirroredRecording.objects.filter(pk=several[0].pk).update(dept="Legal")
    sent = {"all": "1", "matching": "dept=Legal", "confirmed": "1", "reason": "Settled"}
    assert client.post(asked, sent).status_code == 303
    uuids = [one.uuid for one in several]
    assert set(holds.why_on_hold(several[0].connection, uuids)) == set(uuids[1:])


def test_released_hold_is_not_released_again(recorded):
    held = hold(recorded)
    origin = Origin(recorded.connection.owner)
    assert holds.release(origin, recorded.connection, [held], "Settled") == 1
    assert holds.release(origin, recorded.connection, [held], "Settled") == 0
    assert AuditEntry.objects.filter(operation="meetings.release_recording").count() == 1
