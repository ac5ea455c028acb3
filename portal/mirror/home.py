"""Lines of the first page about a connection: its token, the service, its copies of lists."""

from collections.abc import Iterator, Sequence

from django.urls import reverse

from portal.access import health
from portal.access.health import Health
from portal.access.models import Connection, ServiceToken, User
from portal.access.scope import Scope
from portal.access.tokens import TokenUnreadable
from portal.mirror.models import MirrorState
from portal.mirror.registry import MIRRORED_LISTS
from portal.translation import gettext as _
from portal.translation import gettext_lazy
from portal.ui.home import HomeItem, HomeLine, HomeLines, none_yet


def _read(user: User, scopes: Sequence[Scope]) -> HomeLines:
    lines = none_yet(scopes)
    connections = {scope.connection.pk: scope.connection for scope in scopes}
    for failed_token in ServiceToken.objects.filter(connection__in=list(lines)).exclude(failure=""):
        connection = connections[failed_token.connection_id]
        url = reverse("access:connection", args=[connection.key])
        words = _("The token of the service could not be renewed")
        # How it is reached is its owner's alone, and so is what the token URL says of that.
        why = failed_token.failure_in_words if connection.owner_id == user.pk else ""
        since = failed_token.failed_at
        lines[connection.pk].append(HomeLine("bad", words, url, why, since=since))
    known = health.of_many([one.key for one in connections.values()])
    for key, connection in connections.items():
        lines[key] += _calls(user, connection, known[connection.key])
    failed = MirrorState.objects.filter(connection__in=list(lines)).exclude(failure="")
    for state in failed.order_by("kind"):
        kind = MIRRORED_LISTS.get(state.kind)
        words = _("The list of %(what)s could not be updated") % {
            "what": _(kind.noun) if kind else state.kind
        }
        url = reverse("access:connection", args=[connections[state.connection_id].key])
        line = HomeLine("warning", words, url, state.failure_in_words, as_of=state.refreshed_at)
        lines[state.connection_id].append(line)
    return lines


def _calls(user: User, connection: Connection, known: Health) -> Iterator[HomeLine]:
    """Yields lines about a service that cannot be called."""
    url = reverse("access:connection", args=[connection.key])
    try:
        _token = connection.token
    except TokenUnreadable:
        if connection.owner_id == user.pk:
            why = _("The stored token cannot be decrypted.")
            yield HomeLine("bad", _("Enter the access token again"), url, why)
        else:
            why = _("The stored token cannot be decrypted. %(owner)s has to enter it again.")
            words = why % {"owner": connection.owner}
            yield HomeLine("bad", _("The service cannot be called"), url, words)
    match known:
        case "down":
            why = _("The last request got no usable response.")
            yield HomeLine("bad", _("The conferencing service is not responding"), url, why)
        case "throttled":
            why = _("Requests are sent more slowly until it has room again.")
            yield HomeLine(
                "warning", _("The conferencing service is throttling requests"), url, why
            )


CONNECTION = HomeItem(gettext_lazy("Connection"), 0, _read, of_part=True)
