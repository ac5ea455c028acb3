"""Mails of the portal: plain text and the same with its look; those of handed-over connections."""

from collections.abc import Iterable

from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection
from django.template.loader import render_to_string
from django.urls import reverse

from portal.access.models import Connection, User
from portal.access.scope import Scope
from portal.translation import gettext as _, speaking_to

_LONGEST = 200


def mail(
    subject: str,
    text: str,
    to: str,
    *,
    headers: dict[str, str] | None = None,
    server: object = None,
) -> EmailMultiAlternatives:
    """Makes a mail in the language that is active. A line of the text that is nothing but an
    address is a button of its other part."""
    one_line = " ".join(subject.split())[:_LONGEST]
    made = EmailMultiAlternatives(
        one_line, text, settings.DEFAULT_FROM_EMAIL, [to], headers=headers, connection=server
    )
    add_look(made)
    return made


def add_look(made: EmailMultiAlternatives) -> None:
    """Adds the part that has the portal's look."""
    paragraphs = [each.strip().splitlines() for each in str(made.body).split("\n\n")]
    context = {"subject": made.subject, "paragraphs": [each for each in paragraphs if each]}
    made.attach_alternative(render_to_string("access/email/mail.html", context), "text/html")


def post(*mails: EmailMultiAlternatives, scope: Scope | None, if_dropped: object = None) -> None:
    """Has the worker send these, once what they are about is committed; none of them is lost, and
    none may hold a secret.

    `scope` is that of the person who gets them over the connection that they are about: they are
    dropped if it has ended or shows less when they can be sent, and the outbox says so with
    `if_dropped`. None is for what the person is told whatever their access is.
    """
    get_connection(settings.OUTBOX, scope=scope, if_dropped=if_dropped).send_messages(mails)


def ask_to_confirm(
    administrators: Iterable[User], by: str, connection: Connection, to: User
) -> None:
    """Mails administrators who can confirm a hand-over that another administrator has asked for."""
    path = reverse("access:connection-hand-over", args=[connection.key])
    messages = []
    for person in administrators:
        with speaking_to(person):
            title = _("[Switchboard] Confirm that %(name)s is handed over") % {"name": connection}
            words = _(
                "%(by)s asks to hand the connection %(name)s over to %(to)s. Its owner, %(owner)s, "
                "is deactivated, so another administrator must confirm it within 24 hours:"
            )
        values = {"by": by, "name": connection, "to": to, "owner": connection.owner}
        text = f"{words % values}\n\n{settings.SITE_URL}{path}"
        messages.append(_mail(title, text, person))
    post(*messages, scope=None)


def tell_former_owner(owner: User, by: str, name: str, to: User) -> None:
    """Mails the former owner what an administrator did with their connection."""
    with speaking_to(owner):
        title = _("[Switchboard] %(name)s was handed over") % {"name": name}
        words = _(
            "%(by)s handed your connection %(name)s over to %(to)s, while your account was "
            "deactivated. Its token went along."
        )
    post(_mail(title, words % {"by": by, "name": name, "to": to}, owner), scope=None)


def _mail(title: str, text: str, person: User) -> EmailMultiAlternatives:
    with speaking_to(person):
        return mail(title, text, person.email)
