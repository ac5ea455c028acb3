"""Access that ends while a request is under way: nothing more is sent, and nothing is shown."""

import pytest
from django.http import Http404, HttpResponse
from django.test import RequestFactory

from portal.access.grants import AccessEnded, scope_of
from portal.access.http import Origin
from portal.access.models import Share
from portal.access.roles import Role
from portal.audit.acts import Act
from portal.audit.models import AuditEntry
from portal.audit.trail import Ledger
from portal.client import ApiError
from portal.connections.api import api_for, api_for_request
from portal.connections.connected import NoOperation, connected
from portal.connections.services import shares
from portal.contract.users import UserUpdate
from portal.sign_in.session_store import SessionStore
from tests.support.fault_server import answer

pytestmark = pytest.mark.django_db
ANN = {"id": "u1", "email": "ann@example.com", "dept": "Sales", "type": 1}


@pytest.fixture
def share(faulty, operator):
    seen = shares.version_of(faulty)
    return shares.give(Origin(faulty.owner), faulty, operator, Role.OPERATOR, seen=seen, limits={})


def revoke(share):
    owner, seen = share.connection.owner, shares.version_of(share.connection)
    shares.revoke(Origin(owner), share, seen=seen)


def request_of(user):
    request = RequestFactory().get("/")
    request.user, request.session = user, SessionStore()
    return request


def api(share):
    """As a request that has begun has it."""
    scope = scope_of(share.user, share.connection)
    return api_for_request(request_of(share.user), scope)


def test_no_call_leaves_after_the_access_has_ended(share, fault_server):
    fault_server.always(answer(200, ANN))
    begun = api(share)
    begun.users.get("u1")
    revoke(share)
    before = len(fault_server.requests)
    with pytest.raises(AccessEnded):
        begun.users.get("u1")
    with pytest.raises(AccessEnded):
        begun.users.update("u1", UserUpdate(dept="IT"))
    assert len(fault_server.requests) == before


def test_no_call_leaves_with_rights_that_were_reduced(share, fault_server):
    fault_server.always(answer(200, ANN))
    begun = api(share)
    connection = share.connection
    seen = shares.version_of(connection)
    shares.change_role(Origin(connection.owner), share, Role.VIEWER, seen=seen)
    with pytest.raises(AccessEnded):
        begun.users.update("u1", UserUpdate(dept="IT"))
    assert not fault_server.requests


def test_a_write_that_waits_for_its_turn_is_recorded_as_not_sent(share, fault_server, monkeypatch):
    """It is taken back after its intent was recorded, and before it leaves."""
    fault_server.always(answer(200, ANN))
    begun = api(share)
    begin = Ledger.begin

    def begin_and_end_access(ledger, entry):
        begin(ledger, entry)
        revoke(share)

    monkeypatch.setattr(Ledger, "begin", begin_and_end_access)
    with pytest.raises(AccessEnded):
        begun.users.update("u1", UserUpdate(dept="IT"))
    assert [one.method for one in fault_server.requests] == ["GET"]
    end = AuditEntry.objects.exclude(intent=None).get()
    assert (end.outcome, end.message) == ("failed", "Not sent. Access to the connection has ended.")


def test_a_write_in_the_background_is_refused_as_it_is_recorded(share, fault_server):
    fault_server.always(answer(200, ANN))
    begun = api_for(scope_of(share.user, share.connection))
    Share.objects.filter(pk=share.pk).delete()
    with pytest.raises((AccessEnded, ApiError)):
        begun.users.update("u1", UserUpdate(dept="IT"))
    assert "PATCH" not in [one.method for one in fault_server.requests]


def test_what_was_read_before_it_ended_is_not_shown(share):
    @connected(needs=NoOperation("it shows what was read"))
    def view(_request):
        revoke(share)
        return HttpResponse("What was read")

    with pytest.raises(Http404):
        view(request_of(share.user), connection=share.connection.key)
    assert AuditEntry.objects.filter(operation=Act.SHARE_TAKEN_BACK).exists()
