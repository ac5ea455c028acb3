"""The lines of Home about deliveries that are missing, and about an app without authorization."""

from collections.abc import Sequence

from django.urls import reverse

from portal.access.models import User
from portal.access.scope import Scope
from portal.contract.webhooks import Webhooks
from portal.translation import gettext as _, gettext_lazy
from portal.ui.home import HomeItem, HomeLine, HomeLines, none_yet
from portal.webhooks.deauthorization import lasting
from portal.webhooks.gaps import lasting_gaps, open_gaps


def _gaps(_user: User, scopes: Sequence[Scope]) -> HomeLines:
    lines = none_yet(scopes)
    for gap in open_gaps([scope.connection for scope in scopes]):
        url = reverse("webhooks:deliveries", args=[gap.connection.key])
        reason = gap.why_in_words
        why = f"{reason[:1].upper()}{reason[1:]}."
        title = _("Webhook deliveries are missing")
        line = HomeLine("warning", title, url, why, gap.began_at)
        lines[gap.connection_id].append(line)
    return lines


def _deauthorized(user: User, scopes: Sequence[Scope]) -> HomeLines:
    lines = none_yet(scopes)
    connections = [scope.connection for scope in scopes]
    for subscription in lasting(connections).select_related("connection__owner"):
        connection = subscription.connection
        url = reverse("connections:connection", args=[connection.key])
        if connection.owner_id == user.pk:
            why = _("Have the app added again at the service, then enter its credentials.")
        else:
            why = _("%(owner)s has to enter new credentials.") % {"owner": connection.owner}
        title = _("The app is no longer authorized at the service")
        line = HomeLine("bad", title, url, why, since=subscription.deauthorized_at)
        lines[connection.pk].append(line)
    return lines


DEAUTHORIZED = HomeItem(
    gettext_lazy("App authorization"),
    1,
    _deauthorized,
    for_limited=True,
    rows=lambda _user, scopes: lasting([scope.connection for scope in scopes]),
)
GAPS = HomeItem(
    gettext_lazy("Webhooks"),
    50,
    _gaps,
    needs=(Webhooks.list,),
    rows=lambda _user, scopes: lasting_gaps([scope.connection for scope in scopes]),
)
