"""Mails about connections that are handed over, shares that end by themselves, and elevations."""

from collections.abc import Callable, Iterable

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.urls import reverse

from portal.access.grants import scope_of
from portal.access.mails import mail, post
from portal.access.models import Connection, Elevation, Share, User
from portal.audit.acts import Act
from portal.audit.wording import moment_in_words
from portal.translation import gettext as _, gettext_lazy, ngettext, number, speaking_to

_BECAME = {
    Act.ELEVATION_APPROVED: gettext_lazy(
        "%(by)s approved that %(user)s is %(role)s on %(connection)s until %(until)s."
    ),
    Act.ELEVATION_DECLINED: gettext_lazy(
        "The request of %(user)s to be %(role)s on %(connection)s was declined."
    ),
    Act.ELEVATION_TAKEN_BACK: gettext_lazy(
        "%(user)s is no longer %(role)s on %(connection)s: it was ended early."
    ),
    Act.ELEVATION_ENDED: gettext_lazy(
        "%(user)s is no longer %(role)s on %(connection)s: the time is over."
    ),
    Act.ELEVATION_LAPSED: gettext_lazy(
        "The request of %(user)s to be %(role)s on %(connection)s lapsed: nobody decided within a "
        "day."
    ),
}


def ask_to_confirm(
    administrators: Iterable[User], by: str, connection: Connection, to: User
) -> None:
    """Mails administrators who can confirm a hand-over that another administrator has asked for."""
    path = reverse("connections:hand-over", args=[connection.key])
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


def remind_of_end(share: Share, running: Callable[[Share, User], list[str]]) -> None:
    """Mails the colleague and the owner when the share ends, and what ends with it: `running`
    returns that in the words of the recipient."""
    connection, user, owner = share.connection, share.user, share.connection.owner
    for person in _active(user, owner):
        with speaking_to(person):
            values = {
                "user": user,
                "connection": connection,
                "owner": owner,
                "moment": moment_in_words(share.ends_at) if share.ends_at else "",
            }
            if person == user:
                title = _("[Switchboard] Your access to %(connection)s ends soon")
                words = _(
                    "Your access to %(connection)s, which %(owner)s shares with you, ends on "
                    "%(moment)s. Only %(owner)s can give you more time:"
                )
                url = reverse("connections:connection", args=[connection.key])
            else:
                title = _("[Switchboard] The access of %(user)s to %(connection)s ends soon")
                words = _(
                    "The access of %(user)s to your connection %(connection)s ends on %(moment)s. "
                    "You can change that:"
                )
                url = reverse("connections:share-end", args=[connection.key, user.pk])
            text = f"{words % values}\n\n{settings.SITE_URL}{url}"
            if ends := running(share, person):
                heading = _("This runs by it, and ends with it:")
                text = "\n".join((f"{text}\n\n{heading}", *(f"{each}." for each in ends)))
            post(_mail(title % values, text, person), scope=scope_of(person, connection))


def tell_of_end(share: Share) -> None:
    """Mails the colleague and the owner that a share has ended by itself."""
    connection, user, owner = share.connection, share.user, share.connection.owner
    values = {"user": user, "connection": connection, "owner": owner}
    for person in _active(user, owner):
        with speaking_to(person):
            if person == user:
                title = _("[Switchboard] Your access to %(connection)s has ended")
                words = _(
                    "The time for which %(owner)s shared the connection %(connection)s with you is "
                    "over. Only %(owner)s can share it with you again."
                )
            else:
                title = _("[Switchboard] The access of %(user)s to %(connection)s has ended")
                words = _(
                    "The time for which you shared your connection %(connection)s with %(user)s is "
                    "over. You can share it with them again."
                )
        post(_mail(title % values, words % values, person), scope=None)


def ask_to_elevate(elevation: Elevation, deciders: Iterable[User]) -> None:
    """Mails those who may decide about a request for a greater role."""
    share = elevation.share
    path = reverse("connections:share-elevation", args=[share.connection.key, share.user_id])
    for person in _active(*deciders):
        with speaking_to(person):
            values = _about(elevation)
            title = _("[Switchboard] %(user)s asks to be %(role)s on %(connection)s") % values
            words = _(
                "%(user)s asks to be %(role)s on the connection %(connection)s for %(hours)s, "
                "because: %(reason)s"
            )
            link = _("Approve or decline it within a day:")
            text = f"{words % values}\n\n{link}\n{settings.SITE_URL}{path}"
            post(_mail(title, text, person), scope=scope_of(person, share.connection))


def tell_of_elevation(elevation: Elevation, act: Act) -> None:
    """Mails the colleague, the owner and who approved it: `act` is what became of it."""
    share = elevation.share
    people = {share.user, share.connection.owner, elevation.approved_by} - {None}
    for person in _active(*(one for one in people if one is not None)):
        with speaking_to(person):
            values = _about(elevation)
            title = _("[Switchboard] %(user)s as %(role)s on %(connection)s") % values
            post(_mail(title, _BECAME[act] % values, person), scope=None)


def _about(elevation: Elevation) -> dict[str, object]:
    share, ends_at = elevation.share, elevation.ends_at
    return {
        "user": share.user,
        "connection": share.connection,
        "role": elevation.get_role_display(),
        "hours": hours_in_words(elevation.hours),
        "reason": elevation.reason,
        "by": elevation.approved_by or "",
        "until": moment_in_words(ends_at) if ends_at else "",
    }


def hours_in_words(hours: int) -> str:
    """Returns "1 hour" or "2 hours"."""
    return ngettext("%(count)s hour", "%(count)s hours", hours) % {"count": number(hours)}


def _active(*people: User) -> list[User]:
    return [person for person in people if person.is_active]


def _mail(title: str, text: str, person: User) -> EmailMultiAlternatives:
    with speaking_to(person):
        return mail(title, text, person.email)
