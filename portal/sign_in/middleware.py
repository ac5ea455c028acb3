"""Middleware of every page: session expiry and two-factor authentication."""

from collections.abc import Callable

import structlog
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect

from portal.access.models import User
from portal.config import clock
from portal.sign_in import second_factor
from portal.sign_in.session_store import BEGUN, SEEN, record_use_briefly
from portal.translation import gettext as _, ngettext

_log = structlog.get_logger("portal.sign_in")
_WRITE_AT_MOST_EVERY = 60  # seconds
# Sent with requests that a page makes by itself while it is hidden, which do not count as use.
_UNWATCHED = "X-Unwatched"


class SignInRules:
    """Ends a session after `SESSION_IDLE_MINUTES` without a request and `SESSION_HOURS` in all, and
    sends people who need a second factor and have none to set one up, and nowhere else."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.user.is_authenticated:
            self._judge(request)
        return self.get_response(request)

    def _judge(self, request: HttpRequest) -> None:
        now = clock.now().timestamp()
        seen = request.session.get(SEEN, 0)
        if now - request.session.get(BEGUN, 0) >= settings.SESSION_HOURS * 3600:
            logout(request)
            count = settings.SESSION_HOURS
            words = ngettext(
                "Sign-in sessions end after %(count)s hour.",
                "Sign-in sessions end after %(count)s hours.",
                count,
            )
            messages.info(request, words % {"count": count})
        elif now - seen >= settings.SESSION_IDLE_MINUTES * 60:
            logout(request)
            count = settings.SESSION_IDLE_MINUTES
            words = ngettext(
                "Sign-in sessions end after %(count)s minute without use.",
                "Sign-in sessions end after %(count)s minutes without use.",
                count,
            )
            messages.info(request, words % {"count": count})
        elif now - seen >= _WRITE_AT_MOST_EVERY and _UNWATCHED not in request.headers:
            record_use_briefly(request)

    def process_view(
        self, request: HttpRequest, view: object, *_args: object
    ) -> HttpResponseBase | None:
        if (
            not getattr(view, "login_required", True)
            or view.__module__.startswith("allauth.")
            or not isinstance(request.user, User)
            or not second_factor.is_missing(request.user)
        ):
            return None
        words = _("Set up two-factor authentication to continue: an authenticator app or a key.")
        messages.info(request, words)
        return redirect("mfa_index")
