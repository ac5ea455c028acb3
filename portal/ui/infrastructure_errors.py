"""Failures of the portal's own infrastructure (database, disk, cache) in words."""

import errno

from django.db.utils import InterfaceError, OperationalError
from django.http import HttpRequest
from redis import RedisError

from portal.access.calls import has_left
from portal.config.request_log import request_id
from portal.translation import gettext as _
from portal.ui.explain import Fault

_FULL = {errno.ENOSPC, errno.EDQUOT}
_BUSY = ("locked", "lock timeout", "deadlock")  # untranslated: what a database says
_NO_ROOM = ("full", "no space")  # untranslated: what a database says
_UNWRITABLE = ("readonly", "read-only")


def infrastructure_error(request: HttpRequest, error: BaseException | None) -> Fault | None:
    """The failure in words, or None for a mistake of the portal's, or another one."""
    after = _what_became(request)
    if isinstance(error, OperationalError | InterfaceError):
        return _of_the_database(str(error).lower(), after)
    if isinstance(error, OSError) and error.errno in _FULL:
        return _full(after)
    if isinstance(error, RedisError):
        return _fault(
            _("The Switchboard cache is not responding"), _("No one can sign in without it."), after
        )
    return None


def not_stored(error: BaseException) -> Fault:
    """The failure of a database that cannot store what a page would load, in words."""
    return _of_the_database(str(error).lower(), _("So nothing new can be loaded here."))


def _of_the_database(said: str, after: str) -> Fault:
    if any(word in said for word in _BUSY):
        return _fault(_("Switchboard is busy"), _("The database is busy with other work."), after)
    if any(word in said for word in _NO_ROOM):
        return _full(after)
    if any(word in said for word in _UNWRITABLE):
        text = _("The database is read-only. Contact the administrator of this server.")
        return _fault(_("Switchboard cannot save changes"), text, after)
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
