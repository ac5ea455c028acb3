"""The sessions of a person with their browsers, and ending them at once."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from portal.access.http import Origin
from portal.access.models import Session, User
from portal.audit.acts import Act
from portal.audit.trail import record
from portal.config import clock
from portal.translation import gettext as _
from portal.translation.stored import in_english

# Many names contain those of others that came before them, so the more particular come first.
_BROWSERS = {
    "Edg": "Edge",  # untranslated: a name
    "OPR/": "Opera",  # untranslated: a name
    "SamsungBrowser/": "Samsung Internet",  # untranslated: a name
    "Firefox/": "Firefox",  # untranslated: a name
    "FxiOS/": "Firefox",  # untranslated: a name
    "Chrome/": "Chrome",  # untranslated: a name
    "CriOS/": "Chrome",  # untranslated: a name
    "Safari/": "Safari",  # untranslated: a name
}
_SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",  # untranslated: a name
    "Windows": "Windows",  # untranslated: a name
    "CrOS": "ChromeOS",
    "Macintosh": "macOS",  # untranslated: a name
    "Linux": "Linux",  # untranslated: a name
}


def describe(user_agent: str) -> str:
    """Returns a browser in words, such as "Firefox on Windows"."""
    browser, system = (
        next((name for mark, name in names.items() if mark in user_agent), "")
        for names in (_BROWSERS, _SYSTEMS)
    )
    if browser and system:
        return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    if browser or system:
        return browser or _("Unknown browser on %(system)s") % {"system": system}
    return _("Unknown browser")


def active(user: User) -> QuerySet[Session]:
    """Returns sessions that are still good, the last used first."""
    unused, begun = _limits()
    return Session.objects.filter(
        user=user, seen_at__gt=unused, begun_at__gt=begun, expire_date__gt=clock.now()
    ).order_by("-seen_at", "-begun_at")


@transaction.atomic
def end(origin: Origin, user: User, handle: str) -> bool:
    """Ends one session. Returns whether it was there."""
    session = Session.objects.select_for_update().filter(user=user, handle=handle).first()
    if session is None:
        return False
    session.delete()
    with in_english():
        about = {"browser": describe(session.user_agent), "address": session.ip}
    record(
        origin,
        Act.SESSION_ENDED,
        user,
        sent=about | {"began": str(session.begun_at or "")},
    )
    return True


@transaction.atomic
def end_others(origin: Origin, user: User, key: str) -> None:
    """Ends all but the one with this key."""
    forget_others(user, key)
    record(origin, Act.SESSIONS_ENDED, user)


def forget_others(user: User, key: str | None) -> None:
    """Ends other sessions without an entry, if what has them end is recorded."""
    Session.objects.filter(user=user).exclude(pk=key).delete()


def clear() -> None:
    """Deletes sessions that have ended, by what the web server wrote into their rows: the worker
    need not know for how long a session is good."""
    Session.objects.filter(expire_date__lt=clock.now()).delete()


def _limits() -> tuple[datetime, datetime]:
    """Returns the earliest last use and the earliest beginning of a session that is still good."""
    now = clock.now()
    return (
        now - timedelta(minutes=settings.SESSION_IDLE_MINUTES),
        now - timedelta(hours=settings.SESSION_HOURS),
    )
