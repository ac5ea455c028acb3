"""The request as views of the portal see it."""

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from portal.access.models import Connection, User
from portal.client import Api


class PortalRequest(HttpRequest):
    """A signed-in request; `connection` and `api` are there in views under `connected`."""

    user: User
    htmx: HtmxDetails
    connection: Connection
    api: Api
