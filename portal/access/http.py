"""The request as views of the portal see it."""

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from portal.access.models import Connection, User
from portal.access.scope import Scope
from portal.access.unread import UnreadRecords
from portal.client import Api


class PortalRequest(HttpRequest):
    """A signed-in request; `connection`, `scope` and `api` are there in views under `connected`,
    and in `unread` what of the answers could not be read.

    `listed_under` is the address of the page of the navigation that this one belongs to, set by a
    view whose own address does not begin with it.
    """

    user: User
    htmx: HtmxDetails
    connection: Connection
    scope: Scope
    api: Api
    unread: UnreadRecords
    listed_under: str = ""
