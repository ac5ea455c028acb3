"""Which request a page is about."""

from django.shortcuts import get_object_or_404
from django.urls import reverse

from portal.access.connected import NoOperation
from portal.access.http import PortalRequest
from portal.approvals.models import ApprovalRequest
from portal.approvals.waiting import visible_to

OF_THE_REQUEST = NoOperation("Who asked, and administrators of the connection, find a request.")


def request_of(request: PortalRequest, key: str) -> ApprovalRequest:
    """The connection's request of this key; one that the person may not see is not found."""
    return get_object_or_404(visible_to(request.user, request.connection), key=key)


def request_url(asked: ApprovalRequest, name: str = "request") -> str:
    return reverse(f"approvals:{name}", args=[asked.connection.key, asked.key])
