"""Promises 31, 32 and 34, and what each role may call: `request.api` from within."""

from typing import Any

import pytest
from django.db import OperationalError, transaction

from portal.access.grants import scope_of
from portal.access.http import Origin
from portal.access.models import Connection
from portal.access.roles import LEAST_ROLE, Role, RoleRefused, may
from portal.audit import trail, verifying
from portal.audit.models import AuditEntry, Outcome
from portal.audit.reading import entries_for, lines
from portal.client import (
    Api,
    ApiError,
    Conflict,
    HttpCaller,
    Invalid,
    NotAvailable,
    NotFound,
    OutcomeUnknown,
    ServerFault,
    Throttled,
    Unexpected,
)
from portal.connections.api import api_for
from portal.connections.calls import AuditedCaller, Permit
from portal.contract import FAMILIES, operations
from portal.contract.model import MASK
from portal.contract.operation import Effect
from portal.contract.recordings import Recordings
from portal.contract.telephony import TspAccount
from portal.contract.users import (
    EmailChange,
    PasswordChange,
    StatusAction,
    StatusChange,
    Users,
    UserUpdate,
)
from tests.support.database_faults import unwritable_entries
from tests.support.fault_server import answer, no_answer, throttled
from tests.support.scenarios import SCENARIOS, person
from tests.support.scopes import whole

pytestmark = pytest.mark.django_db

WRITES = [operation for operation in operations() if operation.effect is not Effect.READ]
DESTRUCTIVE = [operation for operation in WRITES if operation.effect is Effect.DESTRUCTIVE]
KEPT_UNDER = {
    "h323": "devices",
    "im": "im_groups",
    "tsp": "telephony_provider",
    "v2": "tracking_fields",
}
ANN = {"id": "u1", "email": "ann@example.com", "first_name": "Ann", "dept": "Ops", "host_key": "1"}


@pytest.fixture
def api(connection):
    """As the administrator, over the sandbox."""
    return api_for(scope_of(connection.owner, connection), request_id="request-1", ip="192.0.2.7")


def last_line():
    found = lines().first()
    assert found is not None
    return found


@pytest.mark.parametrize("operation", WRITES, ids=lambda operation: operation.name)
def test_every_write_is_recorded_with_its_end(operation, api):
    SCENARIOS[operation.name](api)
    entry = lines().filter(operation=operation.name).first()
    assert entry is not None
    connection = Connection.objects.get()
    assert entry.actor == connection.owner
    assert entry.email == "administrator@example.com"
    assert (entry.ip, entry.request_id) == ("192.0.2.7", "request-1")
    assert (entry.connection_key, entry.connection_name) == (connection.key, "Sandbox")
    assert entry.path.startswith(operation.method)
    beginning = operation.path.split("/")[1]
    assert entry.family == KEPT_UNDER.get(beginning, beginning)
    of_the_whole_account = not operation.path_parameters and operation.method != "POST"
    assert bool(entry.answer.object_id) is not of_the_whole_account
    assert entry.answer.status == operation.status
    assert entry.answer.outcome == Outcome.DONE
    # What is in the trash is not read.
    if operation.before and operation != Recordings.recover:
        assert entry.before is not None
    assert verifying.verify().problem == ""


def test_an_entry_shows_what_was_sent_and_what_it_was_before(api):
    ann = person(api)
    api.users.update(ann.id, UserUpdate(first_name="Bea", dept="Ops"))
    entry = last_line()
    assert entry.sent == {"first_name": "Bea", "dept": "Ops"}
    assert entry.before == {"first_name": "Ann", "dept": ""}
    assert entry.object_label == ann.email


def test_a_removal_keeps_the_whole_object(api):
    ann = person(api)
    api.users.delete(ann.id)
    assert last_line().before["first_name"] == "Ann"
    assert last_line().before["email"] == ann.email


def test_a_creation_is_found_in_the_history_of_what_it_created(api, connection):
    ann = person(api)
    api.users.change_status(ann.id, StatusChange(action=StatusAction.DEACTIVATE))
    api.users.change_password(ann.id, PasswordChange(password="another horse"))
    history = entries_for(whole(connection), "users", ann.id)
    assert [entry.operation for entry in history] == [
        "users.change_password",
        "users.change_status",
        "users.create",
    ]
    assert {entry.object_label for entry in history} == {ann.email}


def test_what_belongs_to_a_person_is_in_their_history(api, connection):
    ann = person(api)
    api.tsp_accounts.create(ann.id, TspAccount(conference_code="123", leader_pin="456789"))
    assert entries_for(whole(connection), "users", ann.id)[0].operation == "tsp_accounts.create"


def test_the_history_of_one_connection_is_not_that_of_another(api, connect, operator):
    ann = person(api)
    assert not entries_for(whole(connect(operator)), "users", ann.id).exists()


def test_secrets_are_masked_on_both_sides(api, connection):
    ann = person(api)
    assert last_line().sent["user_info"]["password"] == MASK
    api.users.change_password(ann.id, PasswordChange(password="another horse"))
    assert last_line().sent == {"password": MASK}
    api.users.update(ann.id, UserUpdate(host_key="135790"))
    assert last_line().sent == {"host_key": MASK}
    assert last_line().before == {"host_key": MASK}
    api.tsp_accounts.create(ann.id, TspAccount(conference_code="123", leader_pin="456789"))
    assert last_line().sent["leader_pin"] == MASK
    stored = str(list(AuditEntry.objects.values_list()))
    for secret in ("correct horse", "another horse", "135790", "456789", connection.token.value):
        assert secret not in stored


def test_a_secret_that_the_service_repeats_is_masked(faulty, fault_server):
    fault_server.always(answer(400, {"code": 300, "message": "hunter2hunter2 is too weak"}))
    with pytest.raises(Invalid):
        as_owner(faulty).users.change_password("u1", PasswordChange(password="hunter2hunter2"))
    assert last_line().answer.message == f"{MASK} is too weak"


def test_undeclared_fields_with_secret_names_are_masked(faulty, fault_server):
    data = ANN | {"start_url": "s1", "sso": {"access_token": "s2"}, "pins": [{"pin": "s3"}]}
    fault_server.then(answer(200, data), answer(204))
    as_owner(faulty).users.delete("u1")
    before = last_line().before
    assert before["start_url"] == before["sso"]["access_token"] == before["pins"][0]["pin"] == MASK


@pytest.mark.parametrize(
    ("behaviour", "error", "ending"),
    [
        (answer(409, {"message": "Taken."}), Conflict, (Outcome.FAILED, 409)),
        (answer(400, {"message": "No."}), Invalid, (Outcome.FAILED, 400)),
        (answer(200, {"code": 200, "message": "No."}), NotAvailable, (Outcome.FAILED, 200)),
        (answer(200, body=b"<html>Sign in</html>"), Unexpected, (Outcome.UNKNOWN, 200)),
        (answer(500, {"message": "Oh."}), ServerFault, (Outcome.UNKNOWN, 500)),
        (throttled("100"), Throttled, (Outcome.FAILED, 429)),
        (no_answer(), OutcomeUnknown, (Outcome.UNKNOWN, None)),
    ],
)
def test_a_write_that_fails_is_recorded_as_it_failed(
    behaviour, error, ending, faulty, fault_server
):
    fault_server.then(answer(200, ANN)).always(behaviour)
    with pytest.raises(error):
        as_owner(faulty).users.update("u1", UserUpdate(dept="IT"))
    end = last_line().answer
    assert (end.outcome, end.status) == ending
    assert last_line().before == {"dept": "Ops"}


def test_a_write_to_what_is_gone_fails_by_itself(faulty, fault_server):
    fault_server.always(answer(404, {"message": "Gone."}))
    with pytest.raises(NotFound):
        as_owner(faulty).users.update("u1", UserUpdate(dept="IT"))
    assert [seen.method for seen in fault_server.requests] == ["GET", "PATCH"]
    assert last_line().before is None
    assert last_line().answer.outcome == Outcome.FAILED


def test_a_write_whose_object_cannot_be_read_is_not_sent(faulty, fault_server):
    before = AuditEntry.objects.count()
    fault_server.always(answer(401, {"message": "No."}))
    with pytest.raises(ApiError):
        as_owner(faulty).users.update("u1", UserUpdate(dept="IT"))
    assert {seen.method for seen in fault_server.requests} == {"GET"}
    assert AuditEntry.objects.count() == before


def test_no_entry_no_change(faulty, fault_server):
    fault_server.then(answer(200, ANN)).always(answer(204))
    with unwritable_entries(), pytest.raises(OperationalError):
        as_owner(faulty).users.update("u1", UserUpdate(dept="IT"))
    assert {seen.method for seen in fault_server.requests} == {"GET"}


def test_an_end_that_cannot_be_recorded_stands_as_unknown(faulty, fault_server):
    fault_server.then(answer(200, ANN)).always(answer(204))
    with unwritable_entries(lambda row: row["intent_id"]):
        as_owner(faulty).users.update("u1", UserUpdate(dept="IT"))
    assert last_line().operation == "users.update"
    assert last_line().result == Outcome.BEGUN
    assert verifying.verify().problem == ""
    trail.write_waiting()  # else a later test would
    assert last_line().result == Outcome.DONE


@pytest.mark.django_db(transaction=True)
def test_write_within_transaction_is_refused_before_it_leaves(faulty, fault_server):
    fault_server.then(answer(200, ANN)).always(answer(204))
    api = as_owner(faulty)
    with transaction.atomic(), pytest.raises(RuntimeError):
        api.users.update("u1", UserUpdate(dept="IT"))
    assert {seen.method for seen in fault_server.requests} == {"GET"}


def test_reads_are_not_recorded(api):
    before = AuditEntry.objects.count()
    list(api.users.list.all())
    assert AuditEntry.objects.count() == before


@pytest.mark.parametrize("operation", WRITES, ids=lambda operation: operation.name)
def test_a_viewer_writes_nothing(operation):
    assert not may(Role.VIEWER, operation)


@pytest.mark.parametrize("operation", DESTRUCTIVE, ids=lambda operation: operation.name)
def test_only_administrators_destroy(operation):
    assert [role for role in Role if may(role, operation)] == [Role.ADMINISTRATOR]


def test_every_family_has_its_roles():
    assert set(LEAST_ROLE) == {family.name for family in FAMILIES}


def test_a_family_without_roles_is_refused_to_everybody(monkeypatch):
    monkeypatch.delitem(LEAST_ROLE, "users")
    assert not any(may(role, Users.list) for role in Role)


def test_an_unknown_role_may_nothing():
    assert not may("owner", Users.list)
    assert not may("", Users.list)


def test_call_that_role_forbids_is_refused_before_sending(faulty, fault_server, viewer):
    before = AuditEntry.objects.count()
    with pytest.raises(RoleRefused) as refusal:
        api_for(scope_of(viewer, faulty)).users.change_email(
            "u1", EmailChange(email="b@example.com")
        )
    assert (refusal.value.operation.name, refusal.value.reason) == ("users.change_email", "role")
    assert fault_server.requests == []
    assert AuditEntry.objects.count() == before


def test_a_connection_that_only_reads_refuses_every_write(connect, administrator):
    api = api_for(scope_of(administrator, connect(administrator, "Reading", read_only=True)))
    assert api.users.list().users
    with pytest.raises(RoleRefused) as refusal:
        api.users.update("u1", UserUpdate(dept="IT"))
    assert refusal.value.reason == "read_only"


def test_without_an_actor_the_service_is_only_read(connection):
    api = api_for(whole(connection))
    assert api.users.list().users
    with pytest.raises(RoleRefused):
        api.users.update("u1", UserUpdate(dept="IT"))


def test_write_interrupted_by_our_fault_is_unknown(faulty, fault_server):
    fault_server.always(answer(200, ANN))

    class Breaking(HttpCaller):
        def __call__(self, call: Any) -> Any:
            if call.operation.method != "GET":
                raise ZeroDivisionError
            return super().__call__(call)

    owner = faulty.owner
    permit = Permit(Origin(owner, email=owner.email), scope_of(owner, faulty), lambda: True)
    with pytest.raises(ZeroDivisionError):
        Api(AuditedCaller(Breaking(faulty.target), permit)).users.update("u1", UserUpdate(dept="x"))
    assert last_line().answer.outcome == Outcome.UNKNOWN
    assert last_line().answer.message == "ZeroDivisionError"


def as_owner(connection):
    return api_for(scope_of(connection.owner, connection))
