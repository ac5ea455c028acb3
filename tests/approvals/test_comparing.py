"""Objects that are as they were shown for approval count as unchanged, whatever they are."""

import pytest
from django.test import RequestFactory

from portal.access.grants import scope_of
from portal.access.http import Origin
from portal.access.models import ApprovalRule
from portal.approvals.models import ApprovalRequest
from portal.approvals.services.losses import compare
from portal.approvals.services.submitting import draft
from portal.connections.api import api_for_request
from portal.connections.approval_rules import ApprovalRequired
from tests.approvals.test_stored_calls import WRITING, call_of
from tests.support.portal import admin_client_for
from tests.support.sample_service import answering

pytestmark = pytest.mark.django_db

SHOWN = [each for each in WRITING if each.before is not None]


@pytest.fixture
def api(faulty, fault_server):
    """Of a request of the owner, to a service that answers everything."""
    fault_server.always(answering(lambda _name, text: text))
    request = RequestFactory().post("/")
    request.user, request.session = faulty.owner, admin_client_for(faulty.owner).session
    scope = scope_of(faulty.owner, faulty)
    return api_for_request(request, scope)


@pytest.mark.parametrize("operation", SHOWN, ids=lambda each: each.name)
def test_what_nobody_has_changed_is_not_taken_for_changed(operation, api, faulty):
    ApprovalRule.objects.create(connection=faulty, operations=[operation.name])
    call = call_of(operation)
    with pytest.raises(ApprovalRequired) as raised:
        api.caller(call)
    asked = draft(raised.value, Origin(faulty.owner, email=faulty.owner.email))
    assert asked.before is not None
    compare(ApprovalRequest.objects.get(pk=asked.pk), call, api)
