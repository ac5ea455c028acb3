"""Mails of the portal: plain text and the same with its look."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection
from django.template.loader import render_to_string

from portal.access.scope import Scope

_LONGEST = 200


@dataclass(frozen=True)
class MailFigures:
    """Figures, each by its label, with its change such as "▲ 25 %", if there is one."""

    figures: Sequence[tuple[str, str, str]]

    def __str__(self) -> str:
        return "\n".join(
            f"{label}: {text} ({change})" if change else f"{label}: {text}"
            for label, text, change in self.figures
        )


@dataclass(frozen=True)
class MailTable:
    """Rows under their headings; the columns `aligned` to the right are those of figures, and
    `shares` draw one of them as bars, in per cent of the greatest."""

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    aligned: frozenset[int] = frozenset()
    shares: Sequence[int] = ()

    def __str__(self) -> str:
        return "\n".join(map(" · ".join, [self.heads, *self.rows]))

    @property
    def lines(self) -> list[tuple[list[tuple[str, bool]], int | None]]:
        """Returns the cells of each row, with whether they are figures, and its share."""
        shares: Sequence[int | None] = self.shares or [None] * len(self.rows)
        return [
            ([(cell, at in self.aligned) for at, cell in enumerate(row)], share)
            for row, share in zip(self.rows, shares, strict=True)
        ]

    @property
    def columns(self) -> list[tuple[str, bool]]:
        return [(head, at in self.aligned) for at, head in enumerate(self.heads)]


MailPart = str | MailFigures | MailTable


def mail(
    subject: str,
    text: str | Sequence[MailPart],
    to: str,
    *,
    headers: dict[str, str] | None = None,
    server: object = None,
) -> EmailMultiAlternatives:
    """Makes a mail in the language that is active, of a text or of its parts. A line of the text
    that is nothing but an address is a button of its other part."""
    one_line = " ".join(subject.split())[:_LONGEST]
    parts = [text] if isinstance(text, str) else text
    body = "\n\n".join(map(str, parts))
    made = EmailMultiAlternatives(
        one_line, body, settings.DEFAULT_FROM_EMAIL, [to], headers=headers, connection=server
    )
    add_look(made, parts)
    return made


def add_look(made: EmailMultiAlternatives, parts: Sequence[MailPart] = ()) -> None:
    """Adds the part that has the portal's look."""
    context = {"subject": made.subject, "parts": [*map(_drawn, parts or [str(made.body)])]}
    made.attach_alternative(render_to_string("access/email/mail.html", context), "text/html")


def _drawn(part: MailPart) -> dict[str, object]:
    if isinstance(part, MailFigures):
        return {"figures": part.figures}
    if isinstance(part, MailTable):
        return {"table": part}
    paragraphs = (each.strip().splitlines() for each in part.split("\n\n"))
    return {"paragraphs": [each for each in paragraphs if each]}


def post(*mails: EmailMultiAlternatives, scope: Scope | None, if_dropped: object = None) -> None:
    """Has the worker send these, once what they are about is committed; none of them is lost, and
    none may hold a secret.

    `scope` is that of the person who gets them over the connection that they are about: they are
    dropped if it has ended or shows less when they can be sent, and the outbox says so with
    `if_dropped`. None is for what the person is told whatever their access is.
    """
    get_connection(settings.OUTBOX, scope=scope, if_dropped=if_dropped).send_messages(mails)
