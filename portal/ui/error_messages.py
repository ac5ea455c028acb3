"""Failures in words: what happened, why if it is known, and what to do."""

import errno
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import overload

from django.db.utils import InterfaceError, OperationalError
from django.http import HttpRequest
from redis import RedisError

from portal.access.roles import Role, RoleRefused, may
from portal.access.scope import BeforeLimits, Outside, PageOutOfScope
from portal.audit.guards import Protected
from portal.client import (
    AddressRefused,
    Answered,
    ApiError,
    Conflict,
    Invalid,
    NotAvailable,
    NotFound,
    OutcomeUnknown,
    ServerFault,
    Throttled,
    TimedOut,
    Unauthorized,
    Unreachable,
)
from portal.config import clock
from portal.config.database_errors import Trouble, trouble_of
from portal.config.middleware import request_id
from portal.connections.calls import has_left
from portal.connections.host_days import in_zone
from portal.contract.path import NotAnId
from portal.contract.users import Users
from portal.translation import gettext as _, gettext_lazy, ngettext

_MAY_HAVE_HAPPENED = gettext_lazy("The change may have been made. Check before you try again.")
_PERHAPS_DONE = gettext_lazy(
    "The request was sent and may have been completed. Check before you try again."
)
_LONG_WAIT = 120  # seconds: beyond, the time is said
_NOTHING_CHANGED = gettext_lazy("Nothing was changed.")
_FULL = {errno.ENOSPC, errno.EDQUOT}


@dataclass(frozen=True)
class Fault:
    """A failure as a person reads it.

    `status` is what the portal answers with; `retry` says that the same may work later, `renew`
    that the connection's address or token is what to look at. `wait` is in seconds, and what
    `is_held` is not sent before. One that `is_lack` is no failure: the connection cannot do this at
    all.
    """

    title: str
    text: str
    status: int = 502
    retry: bool = False
    renew: bool = False
    wait: int | None = None
    request_id: str = ""
    tracking_id: str = ""
    is_lack: bool = False
    is_held: bool = False


@overload
def explain(error: ApiError) -> Fault: ...


@overload
def explain(error: Exception) -> Fault | None: ...


def explain(error: Exception) -> Fault | None:
    """Returns the failure in words, or None for one that is not of the service or of its access."""
    if isinstance(error, ApiError):
        fault = _of_the_service(error)
    elif isinstance(error, RoleRefused):
        fault = _refused(error)
    elif isinstance(error, BeforeLimits):
        fault = Fault(
            _("This is from before your access was limited"),
            _(
                "It can be about what you no longer see, so it is not shown. The owner of the "
                "connection sees all of it."
            ),
            403,
        )
    elif isinstance(error, PageOutOfScope):
        fault = Fault(
            _("This page shows the whole account"),
            _(
                "This connection is shared with you for a part of the people. Its owner can change "
                "that."
            ),
            403,
        )
    elif isinstance(error, NotAnId):
        fault = Fault(_("Page not found"), str(error), 404)
    elif isinstance(error, AddressRefused):
        fault = Fault(_("This connection's address is not allowed"), str(error), 403, renew=True)
    else:
        return None
    tracked = error.tracking_id if isinstance(error, Answered) else ""
    return replace(fault, request_id=request_id(), tracking_id=tracked)


def cause_of(error: ApiError) -> str:
    """Why a call failed, in one sentence, for a page that says itself what to do."""
    if isinstance(error, ServerFault):
        failed = _("The service failed with status %(status)s.") % {"status": error.status}
        return f"{failed} {error.message}" if error.is_quoted else failed
    return error.message


def _refused(error: RoleRefused) -> Fault:
    title = _("You do not have permission to do this")
    text = _(
        "“%(what)s” needs the role %(role)s. Ask an administrator of Switchboard to change yours."
    )
    least = next((one for one in Role if may(one, error.operation)), Role.ADMINISTRATOR)
    if error.reason == "limit":
        title = _("This connection is not shared with you for this")
        text = _(
            "“%(what)s” is outside of what this connection is shared with you for. Its owner can "
            "change that."
        )
    elif error.reason == "read_only":
        title = _("This connection is read-only")
        text = _(
            "“%(what)s” would change the account. You can allow changes on the connection's page."
        )
    return Fault(title, text % {"what": error.operation.summary, "role": least.label}, 403)


def _of_the_service(error: ApiError) -> Fault:
    if isinstance(error, Answered):
        return _answered(error)
    if isinstance(error, Outside):
        return Fault(_("Not found"), error.message, 404)
    if isinstance(error, Protected):
        return Fault(_("This is protected"), f"{error.message} {_NOTHING_CHANGED}", 409)
    wrote = error.operation.method != "GET"
    perhaps = error.may_have_happened
    if isinstance(error, OutcomeUnknown):
        return Fault(
            _("The result is unknown"),
            f"{error.message} {_PERHAPS_DONE}",
        )
    if isinstance(error, TimedOut):
        after = _MAY_HAVE_HAPPENED if perhaps else _("Try again in a moment.")
        return Fault(
            _("The conferencing service did not answer"),
            f"{error.message} {after}",
            504,
            retry=not wrote,
        )
    if perhaps:
        return Fault(
            _("The connection to the conferencing service was lost"),
            f"{error.message} {_MAY_HAVE_HAPPENED}",
        )
    nothing = f" {_NOTHING_CHANGED}" if wrote else ""
    again = _(
        "Try again in a moment. If the problem persists, check the base URL of the connection."
    )
    return Fault(
        _("The conferencing service cannot be reached"),
        f"{error.message}{nothing} {again}",
        retry=not wrote,
        renew=isinstance(error, Unreachable),
    )


def _answered(error: Answered) -> Fault:
    quoted = _("The service says: “%(words)s”") % {"words": error.message.removesuffix(".")}
    if isinstance(error, NotAvailable):
        return _not_available(error, quoted)
    if isinstance(error, Unauthorized):
        return _unauthorized(error, quoted)
    if isinstance(error, NotFound):
        is_person = error.operation.name == Users.get.name
        return Fault(
            _("This person is not on the account") if is_person else _("Not found on the service"),
            (
                _("They may have been removed, or belong to another account. %(said)s.")
                if is_person
                else _("It may have been deleted, or belong to another account. %(said)s.")
            )
            % {"said": quoted},
            404,
        )
    if isinstance(error, Conflict):
        return Fault(_("Already in use"), _("%(said)s. Choose another.") % {"said": quoted}, 409)
    if isinstance(error, Invalid):
        return Fault(error.message.removesuffix("."), _("The service rejected the request."), 422)
    if isinstance(error, Throttled):
        return _throttled(error)
    if isinstance(error, ServerFault):
        after = _MAY_HAVE_HAPPENED if error.may_have_happened else _("Try again in a moment.")
        words = _("It answered with status %(status)s.") % {"status": error.status}
        if error.is_quoted:
            words = f"{words} {quoted}."
        return Fault(
            _("The conferencing service failed"),
            f"{words} {after}",
            retry=not error.may_have_happened,
        )
    return Fault(
        _("Unexpected response from the service"),
        " ".join(
            (
                error.message,
                _("The base URL of the connection may not belong to a conferencing service."),
            )
        ),
        renew=True,
    )


def _unauthorized(error: Unauthorized, quoted: str) -> Fault:
    if not error.is_of_token:
        text = _(
            "The token is valid. Its account, or the role of the app's owner at the service, does "
            "not allow this. %(said)s."
        )
        return Fault(_("The service does not allow this"), text % {"said": quoted}, 403)
    text = _(
        "It has expired or lacks the required scope. %(said)s. Enter a new token on the "
        "connection's page."
    )
    if error.renews:
        text = _(
            "Another token was refused as well. %(said)s. Check the app at the service, and enter "
            "its client secret on the connection's page if that has changed."
        )
    title = _("The service rejected this connection's token")
    return Fault(title, text % {"said": quoted}, renew=True)


def _not_available(error: NotAvailable, quoted: str) -> Fault:
    if error.lack == "scope":
        text = _(
            "%(said)s. Whoever manages the app at the service can add the scope; after that, enter "
            "a new token on the connection's page."
        )
        if error.renews:
            text = _(
                "%(said)s. Whoever manages the app at the service can add the scope; after that, "
                "check again: Switchboard gets a new token by itself."
            )
        title = _("This connection lacks a scope")
        if error.scopes:
            title = _("This connection lacks the scope %(scopes)s") % {
                "scopes": ", ".join(error.scopes)
            }
        return Fault(title, text % {"said": quoted}, 403, renew=True, is_lack=True)
    if error.lack == "permission":
        text = _(
            "%(said)s. The role of the app's owner lacks this permission. An administrator of the "
            "account can give it to that role at the service."
        )
        title = _("This connection lacks a permission")
        return Fault(title, text % {"said": quoted}, 403, is_lack=True)
    if error.lack == "plan":
        text = _("%(said)s. Whoever manages the account's plan at the service can change that.")
        title = _("Not included in the account's plan")
        return Fault(title, text % {"said": quoted}, 403, is_lack=True)
    text = _(
        "It may be of another version or kind than Switchboard expects. %(said)s. "
        "If other pages fail too, check the base URL of the connection."
    )
    return Fault(_("This service does not have this"), text % {"said": quoted}, 404, is_lack=True)


def _throttled(error: Throttled) -> Fault:
    wait = max(1, round(error.retry_after)) if error.retry_after is not None else None
    again = _("Try again in a minute.")
    if wait and wait > _LONG_WAIT:
        until = in_zone(clock.now() + timedelta(seconds=wait))
        again = _("The service accepts it again from %(until)s on.") % {"until": until}
    elif wait:
        again = ngettext(
            "Try again in %(count)s second.", "Try again in %(count)s seconds.", wait
        ) % {"count": wait}
    why = error.message
    if error.is_quoted:
        why = _("The service says: “%(words)s”") % {"words": error.message.removesuffix(".")} + "."
    return Fault(
        _("Rate limit reached"),
        " ".join((why, str(_NOTHING_CHANGED), again)),
        503,
        retry=error.operation.method == "GET",
        wait=wait,
        is_held=error.reason == "own_limit" and (wait or 0) > _LONG_WAIT,
    )


def infrastructure_error(request: HttpRequest, error: BaseException | None) -> Fault | None:
    """Returns the failure in words, or None for a mistake of the portal's, or another one."""
    after = _what_became(request)
    if isinstance(error, OperationalError | InterfaceError):
        return _of_the_database(error, after)
    if isinstance(error, OSError) and error.errno in _FULL:
        return _full(after)
    if isinstance(error, RedisError):
        return _fault(
            _("The Switchboard cache is not responding"), _("No one can sign in without it."), after
        )
    return None


def not_stored(error: BaseException) -> Fault:
    """Returns the failure of a database that cannot store what a page would load, in words."""
    return _of_the_database(error, _("So nothing new can be loaded here."))


def _of_the_database(error: BaseException, after: str) -> Fault:
    trouble = trouble_of(error)
    if trouble is Trouble.BUSY:
        return _fault(_("Switchboard is busy"), _("The database is busy with other work."), after)
    if trouble is Trouble.FULL:
        return _full(after)
    if trouble is Trouble.READ_ONLY:
        text = _("The database is read-only. Contact the administrator of this server.")
        return _fault(_("Switchboard cannot save changes"), text, after)
    if trouble is Trouble.CROWDED:
        text = _(
            "Too many connections to its database are open. If the problem persists, contact the "
            "administrator of this server."
        )
        return _fault(_("Switchboard is busy"), text, after)
    text = _("If the problem persists, contact the administrator of this server.")
    return _fault(_("The Switchboard database is not responding"), text, after)


def _full(after: str) -> Fault:
    text = _("Nothing can be saved until the administrator of this server frees space.")
    return _fault(_("The Switchboard server is out of disk space"), text, after)


def _fault(title: str, text: str, after: str) -> Fault:
    return Fault(title, f"{text} {after}", 503, retry=True, request_id=request_id())


def _what_became(request: HttpRequest) -> str:
    """Returns advice on trying again, which depends on whether a write was sent to the service."""
    if request.method in {"GET", "HEAD"}:
        return _("Try again in a moment.")
    if has_left():
        return _(
            "Your change was already sent to the conferencing service. Check whether it was made "
            "before you try again."
        )
    return _("Nothing was sent to the conferencing service. Try again in a moment.")
