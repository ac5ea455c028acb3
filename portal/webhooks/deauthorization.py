"""The end of an app's authorization at the service, with which the credentials of a connection end.

The service reports it once. It is over when the service reports something later or gives a token,
or its owner enters another, which is tried before it is stored.
"""

from collections.abc import Sequence
from datetime import datetime

import structlog
from django.conf import settings
from django.db.models import F, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext_noop

from portal.access.mails import mail, post
from portal.access.models import Connection
from portal.translation import gettext as _, speaking_to
from portal.webhooks.models import Subscription

EFFECT = gettext_noop(
    "The app is no longer authorized: the credentials of this connection have ended. "
    "Its owner was told."
)
_log = structlog.get_logger(__name__)


def begin(subscription: Subscription, at: datetime) -> None:
    """Records the end of the authorization, and mails the owner of the connection unless that was
    done."""
    own = Subscription.objects.filter(pk=subscription.pk)
    is_new = not lasting([subscription.connection]).exists()
    own.update(deauthorized_at=at)
    if not is_new:
        return
    connection = subscription.connection
    _log.warning("app deauthorized", connection=connection.key)
    path = reverse("connections:connection", args=[connection.key])
    owner = connection.owner
    with speaking_to(owner):
        title = _("[Switchboard] %(name)s: the app is no longer authorized")
        words = _(
            "The service reports that the app of the connection %(name)s is no longer authorized. "
            "Its credentials have ended: nothing more can be loaded or changed, and jobs stop.\n\n"
            "Have an administrator of the account add the app again, then enter its credentials:"
        )
        values = {"name": connection}
        text = f"{words % values}\n{settings.SITE_URL}{path}"
        message = mail(title % values, text, owner.email)
    post(message, scope=None)


def end(subscription: Subscription, at: datetime) -> None:
    """Records that the service reported something else at a later time."""
    own = Subscription.objects.filter(pk=subscription.pk, deauthorized_at__lt=at)
    own.update(deauthorized_at=None)


def end_by_credentials(*, connection: Connection, **_kwargs: object) -> None:
    """Records that the connection got credentials that the service takes."""
    Subscription.objects.filter(connection=connection).update(deauthorized_at=None)


def lasting(connections: Sequence[Connection]) -> QuerySet[Subscription]:
    """Returns the subscriptions of connections whose app is not authorized."""
    renewed = Q(connection__service_token__received_at__gt=F("deauthorized_at"))
    own = Subscription.objects.filter(connection__in=connections, deauthorized_at__isnull=False)
    return own.exclude(renewed)
