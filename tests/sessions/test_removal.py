"""Ending a session, and deleting one or one of its times: asked first, by those who may."""

from datetime import UTC, datetime

import pytest

from portal.access.grants import scope_of
from portal.connections.api import announce, api_for
from portal.contract.sessions import OccurrenceQuery
from portal.meetings.spec import MEETINGS
from portal.sessions import mirror
from portal.sessions.mirror import SessionFilter
from portal.sessions.rereading import reread
from portal.sessions.services import hosts
from tests.support.html import text_of
from tests.support.portal import admin_client_for
from tests.support.scopes import whole
from tests.support.session_pages import url

pytestmark = pytest.mark.django_db

WEEKLY = {"type": 2, "end_times": 2}
START = {"start_time": "2038-03-01T09:00:00", "timezone": "Europe/Berlin"}


def test_a_session_is_deleted_after_a_question(client, connection, spec, make_session):
    made = make_session(spec)
    address = url(connection, made, "delete")
    question = text_of(client.get(address).text)
    assert "Delete “Budget review”?" in question
    assert "This cannot be undone." in question
    assert made.now()
    assert client.post(address).status_code == 303
    assert made.now() == {}
    assert not mirror.find(whole(connection), SessionFilter(numbers=[made.id])).exists()


def test_one_time_of_series_is_deleted_and_last_one_takes_all(
    client, connection, spec, make_session
):
    made = make_session(spec, type=int(spec.series), recurrence=WEEKLY, **START)
    first, last = (str(one["occurrence_id"]) for one in made.now()["occurrences"])
    address = url(connection, made, "delete-occurrence", first)
    assert "Delete Mon 1 Mar 2038, 09:00 to 10:00?" in text_of(client.get(address).text)
    assert client.post(address).headers["Location"] == url(connection, made)
    assert [str(one["occurrence_id"]) for one in made.now()["occurrences"]] == [last]
    assert client.get(address).status_code == 404
    address = url(connection, made, "delete-occurrence", last)
    assert "is deleted with it" in text_of(client.get(address).text)
    client.post(address)
    assert made.now() == {}


def test_the_list_knows_what_was_approved_or_undone(connection, spec, make_session, host):
    made = make_session(spec, type=int(spec.series), recurrence=WEEKLY, **START)
    api, wanted = api_for(whole(connection)), SessionFilter(numbers=[made.id])
    body = spec.new(topic="Budget review")
    announce(whole(connection), api, spec.create.call(host.id, body), spec.calls(api).get(made.id))
    reread(connection.pk)
    first, last = mirror.find(whole(connection), wanted).get().times
    one = OccurrenceQuery(occurrence_id=first[0])
    api_for(scope_of(connection.owner, connection)).caller(spec.delete.call(made.id, one))
    announce(whole(connection), api, spec.delete.call(made.id, one), None)
    reread(connection.pk)
    assert mirror.find(whole(connection), wanted).get().times == [last]
    announce(whole(connection), api, spec.delete.call(made.id), None)
    assert not mirror.find(whole(connection), wanted).exists()


def test_host_plans_are_read_again_after_approval_or_undo(connection, spec, make_session, host):
    made = make_session(spec, type=int(spec.once), **START)
    api = api_for(scope_of(connection.owner, connection))
    announce(
        whole(connection),
        api,
        spec.create.call(host.id, spec.new()),
        spec.calls(api).get(made.id),
    )
    reread(connection.pk)

    def planned():
        return made.id in {one.id for one in hosts.planned_by(api, whole(connection), host.id)}

    assert planned()
    deletion = spec.delete.call(made.id)
    api.caller(deletion)
    assert planned()
    announce(whole(connection), api, deletion, None)
    assert not planned()
    again = make_session(spec, type=int(spec.once), **START)
    creation = spec.create.call(host.id, spec.new())
    announce(whole(connection), api, creation, spec.calls(api).get(again.id))
    assert again.id in {one.id for one in hosts.planned_by(api, whole(connection), host.id)}


def test_what_is_gone_meanwhile_is_said_on_the_question(client, connection, make_session, sandbox):
    made = make_session(MEETINGS)
    sandbox.client.delete(f"/meetings/{made.id}")
    refused = client.post(url(connection, made, "delete"))
    assert refused.status_code == 422
    assert "Not found on the service" in text_of(refused.text)


def test_all_of_it_asks_who_it_is_again(connection, administrator, spec, make_session):
    client = admin_client_for(administrator, recently=False)
    made = make_session(spec, type=int(spec.series), recurrence=WEEKLY, **START)
    number = str(made.now()["occurrences"][0]["occurrence_id"])
    for name, more in (("delete", ()), ("delete-occurrence", (number,)), ("end", ())):
        asked = client.post(url(connection, made, name, *more))
        assert "reauthenticate" in asked.headers["Location"]
    assert len(made.now()["occurrences"]) == 2
    assert datetime.fromisoformat(made.now()["start_time"]) == datetime(2038, 3, 1, 8, tzinfo=UTC)
