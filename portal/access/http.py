"""The request as views of the portal see it."""

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from portal.access.grants import Grant
from portal.access.models import Connection, User
from portal.client import Api


class PortalRequest(HttpRequest):
    """A signed-in request; `connection`, `grant` and `api` are there in views under `connected`.

    `listed_under` is the address of the page of the navigation that this one belongs to, set by a
    view whose own address does not begin with it.
    """

    user: User
    htmx: HtmxDetails
    connection: Connection
    grant: Grant
    api: Api
    listed_under: str = ""
