"""Steps of people with approvals, over the pages."""

from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from portal.access.models import Connection
from portal.approvals.models import ApprovalRequest
from portal.approvals.tasks import work_on
from portal.connections.api import api_for
from tests.support.mails import delivered
from tests.support.scopes import whole

REASON = "The new office opens on Monday."


def create_group(client: Client, connection: Connection, name: str, **more: str) -> HttpResponse:
    """Sends the form that creates a group."""
    url = reverse("groups:create", args=[connection.key])
    return client.post(url, {"name": name, **more})  # type: ignore[return-value]


def url(asked: ApprovalRequest, name: str = "request") -> str:
    return reverse(f"approvals:{name}", args=[asked.connection.key, asked.key])


def asked_for(client: Client, connection: Connection, name: str) -> ApprovalRequest:
    """A request that waits, for a new group of this name."""
    return asked_by(client, reverse("groups:create", args=[connection.key]), name=name)


def asked_by(client: Client, address: str, **typed: str) -> ApprovalRequest:
    """A request that waits, for what this form sends."""
    client.post(address, typed)
    asked = ApprovalRequest.objects.latest("pk")
    client.post(url(asked, "ask"), {"reason": REASON})
    return again(asked)


def post(client: Client, asked: ApprovalRequest, act: str, **data: Any) -> HttpResponse:
    word = {"confirmation": "approve"} if act == "approve" else {}
    return client.post(url(asked, act), word | data)  # type: ignore[return-value]


def again(asked: ApprovalRequest) -> ApprovalRequest:
    return ApprovalRequest.objects.get(pk=asked.pk)


def worked(asked: ApprovalRequest) -> ApprovalRequest:
    """After the worker had its turns: for what is to be done, and for the mail about it."""
    for _ in range(3):
        work_on(asked.pk)
    delivered()
    return again(asked)


def groups(connection: Connection) -> list[str | None]:
    """The names of the groups that the service has."""
    return [group.name for group in api_for(whole(connection)).groups.list().groups or []]
