"""Opens again what the service had closed, by trial calls."""

from django.dispatch import Signal

from portal.access.availability import CallListener
from portal.access.models import Connection
from portal.client import ApiError, HttpCaller, RetryPolicy, Throttled
from portal.connections.host_days import HostDays
from portal.connections.rate_limits import closures_of, rate_limiter_of
from portal.connections.renewal import tokens_of
from portal.connections.services.probes import PROBES, Met, Probe
from portal.contract.operation import Weight
from portal.contract.users import Users

# Sent with a `connection` once something of it was opened.
reopened = Signal()


def reopen(connection: Connection) -> ApiError | None:
    """Sends one trial call for each closed class, and opens those that answer; then operations and
    hosts that were held are tried by the next calls. Returns the last failure.

    Raises `TokenUnreadable`.
    """
    closures = closures_of(connection)
    failures: list[ApiError] = []
    closed: list[Weight | None] = [*closures.all_closed()]
    closed = closed or [None]
    for weight in closed:
        error = _tried(connection, weight)
        if error and (isinstance(error, Throttled) or error.status is None):
            failures.append(error)
            if weight and error.retry_after:
                closures.close(weight, error.retry_after, error.message)
        elif weight:
            closures.open(weight)
    if len(failures) < len(closed):
        closures.release()
        HostDays(connection).open()
        reopened.send_robust(Connection, connection=connection)
    return failures[-1] if failures else None


def _tried(connection: Connection, weight: Weight | None) -> ApiError | None:
    target = connection.target()
    caller = HttpCaller(
        lambda: target,
        RetryPolicy(attempts=1),
        on_end=CallListener(connection.key),
        tokens=tokens_of(connection),
    )
    try:
        caller(_probe_of(connection, weight).call(Met(account=connection.account_id or "me")))
    except ApiError as error:
        return error
    return None


def _probe_of(connection: Connection, weight: Weight | None) -> Probe:
    """Returns the probe of a class, or that of people."""
    pacing = rate_limiter_of(connection)
    probes = (each for each in PROBES.values() if pacing.weight_of(each.operation) == weight)
    return next(probes, PROBES[Users.list.family])
