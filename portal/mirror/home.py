"""Lines of the first page about a connection: its token, the service, how far lists are loaded."""

from collections.abc import Iterator, Sequence
from itertools import chain

from django.db.models import QuerySet
from django.urls import reverse

from portal.access import availability
from portal.access.availability import Health
from portal.access.models import Connection, ServiceToken, User
from portal.access.scope import Scope
from portal.access.tokens import TokenUnreadable
from portal.config import cache
from portal.connections import host_days
from portal.connections.rate_limits import closures_of
from portal.mirror.loading import ListProgress, progress_of
from portal.translation import gettext as _, gettext_lazy, number
from portal.ui.first_steps import HomeStep, StepState
from portal.ui.home import HomeItem, HomeLine, HomeLines, none_yet


def _failed_tokens(_user: User, scopes: Sequence[Scope]) -> QuerySet[ServiceToken]:
    connections = [scope.connection for scope in scopes]
    return ServiceToken.objects.filter(connection__in=connections).exclude(failure="")


def _renewals(user: User, scopes: Sequence[Scope]) -> HomeLines:
    lines = none_yet(scopes)
    connections = {scope.connection.pk: scope.connection for scope in scopes}
    for failed_token in _failed_tokens(user, scopes):
        connection = connections[failed_token.connection_id]
        url = reverse("connections:connection", args=[connection.key])
        words = _("The token of the service could not be renewed")
        # How it is reached is its owner's alone, and so is what the token URL says of that.
        why = failed_token.failure_in_words if connection.owner_id == user.pk else ""
        since = failed_token.failed_at
        lines[connection.pk].append(HomeLine("bad", words, url, why, since=since))
    return lines


def _read(user: User, scopes: Sequence[Scope]) -> HomeLines:
    lines = none_yet(scopes)
    connections = {scope.connection.pk: scope.connection for scope in scopes}
    health = availability.health_by_connection([one.key for one in connections.values()])
    limits = [closures_of(connection).cache_keys() for connection in connections.values()]
    with cache.read_ahead(chain.from_iterable(limits)):
        for key, connection in connections.items():
            lines[key] += _calls(user, connection, health[connection.key])
            lines[key] += _used_up(connection)
    return lines


def _used_up(connection: Connection) -> Iterator[HomeLine]:
    """Yields lines about limits that are nearly or fully used up."""
    url = reverse("connections:used-up", args=[connection.key])
    for one in host_days.of_classes(connection):
        yield HomeLine(one.tone, one.words, url, one.why)


def _calls(user: User, connection: Connection, health: Health) -> Iterator[HomeLine]:
    """Yields lines about a service that cannot be called."""
    url = reverse("connections:connection", args=[connection.key])
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
    match health:
        case "down":
            why = _("The last request got no usable response.")
            yield HomeLine("bad", _("The conferencing service is not responding"), url, why)
        case "throttled":
            why = _("Requests are sent more slowly until it has room again.")
            yield HomeLine(
                "warning", _("The conferencing service is throttling requests"), url, why
            )


_TITLE = gettext_lazy("Connection")
CONNECTION = (
    HomeItem(_TITLE, 0, _renewals, for_limited=True, rows=_failed_tokens),
    HomeItem(_TITLE, 0, _read, for_limited=True),
)


def _lists(_user: User, scopes: Sequence[Scope]) -> HomeLines:
    lines, progress = none_yet(scopes), progress_of(scopes)
    for scope in scopes:
        own = progress.get(scope.connection.pk, ())
        # The counts of others are hidden from users who see a part of the people.
        url = "" if scope.is_narrow else reverse("mirror:loading", args=[scope.connection.key])
        lines[scope.connection.pk] += [*_failed(own, url), *_unloaded(own, url)]
    return lines


def _failed(progress: Sequence[ListProgress], url: str) -> Iterator[HomeLine]:
    for one in progress:
        if one.state.failure and not one.state.is_wanted:
            words = _("The list of %(what)s could not be updated") % {"what": one.noun}
            why, as_of = one.state.failure_in_words, one.state.refreshed_at
            yield HomeLine("warning", words, url, why, as_of=as_of, is_incomplete=not as_of)


def _unloaded(progress: Sequence[ListProgress], url: str) -> Iterator[HomeLine]:
    """Yields one line for all lists that were never loaded, with the progress."""
    missing = [
        one
        for one in progress
        if not one.is_loaded and (one.state.is_wanted or not one.state.failure)
    ]
    if not missing:
        return
    counts = {
        "loaded": number(sum(one.is_loaded for one in progress)),
        "all": number(len(progress)),
    }
    why = _("Still to come: %(titles)s.") % {
        "titles": ", ".join(str(one.loaded_list.title) for one in missing)
    }
    if any(one.state.is_wanted for one in missing):
        words = _("The account is being loaded: %(loaded)s of %(all)s lists") % counts
        yield HomeLine("running", words, url, why, is_incomplete=True)
    else:
        words = _("%(loaded)s of %(all)s lists are loaded") % counts
        yield HomeLine("neutral", words, url, why, is_incomplete=True)


def _loading(scope: Scope) -> StepState:
    progress = progress_of([scope]).get(scope.connection.pk, ())
    url = reverse("mirror:loading", args=[scope.connection.key])
    now = next((one for one in progress if one.state.is_wanted and one.state.expected), None)
    about = ""
    if now:
        about = _("%(title)s: %(read)s of %(expected)s") % {
            "title": now.loaded_list.title,
            "read": number(now.state.read),
            "expected": number(now.state.expected or 0),
        }
    shares = [100 if one.is_loaded else one.percent for one in progress]
    is_done = all(one.is_loaded for one in progress)
    return StepState(is_done, url, about, sum(shares) // max(len(shares), 1))


STEPS = (
    HomeStep(
        gettext_lazy("Connected"),
        10,
        lambda scope: StepState(
            True, reverse("connections:connection", args=[scope.connection.key])
        ),
    ),
    HomeStep(gettext_lazy("Load people and sessions"), 20, _loading),
)
LISTS = HomeItem(gettext_lazy("Lists"), 5, _lists, for_limited=True)
