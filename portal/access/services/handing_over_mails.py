"""Mails about connections whose owner is deactivated, and that administrators hand over."""

from collections.abc import Iterable

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.urls import reverse

from portal.access.mails import mail, post
from portal.access.models import Connection, User
from portal.translation import gettext as _
from portal.translation import in_language_of


def ask(administrators: Iterable[User], by: str, connection: Connection, to: User) -> None:
    """Mails those who can confirm what one of them has asked for."""
    path = reverse("access:connection-hand-over", args=[connection.key])
    messages = []
    for person in administrators:
        with in_language_of(person):
            title = _("[Switchboard] Confirm that %(name)s is handed over") % {"name": connection}
            words = _(
                "%(by)s asks to hand the connection %(name)s over to %(to)s. Its owner, %(owner)s, "
                "is deactivated, so another administrator must confirm it within 24 hours:"
            )
        values = {"by": by, "name": connection, "to": to, "owner": connection.owner}
        text = f"{words % values}\n\n{settings.SITE_URL}{path}"
        messages.append(_mail(title, text, person))
    post(*messages, scope=None)


def tell(owner: User, by: str, name: str, to: User) -> None:
    """Mails the former owner what an administrator did with their connection."""
    with in_language_of(owner):
        title = _("[Switchboard] %(name)s was handed over") % {"name": name}
        words = _(
            "%(by)s handed your connection %(name)s over to %(to)s, while your account was "
            "deactivated. Its token went along."
        )
    post(_mail(title, words % {"by": by, "name": name, "to": to}, owner), scope=None)


def _mail(title: str, text: str, person: User) -> EmailMultiAlternatives:
    with in_language_of(person):
        return mail(title, text, person.email)
