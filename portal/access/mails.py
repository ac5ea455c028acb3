"""Mails of the portal: plain text and the same with its look."""

from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection
from django.template.loader import render_to_string

from portal.access.scope import Scope

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
