"""Mails to a user about what another does to their account, at once or soon, with who and what."""

from django.conf import settings
from django.urls import reverse

from portal.access.http import Origin
from portal.access.mails import mail, post
from portal.access.models import Share, User
from portal.audit.wording import moment_in_words
from portal.team.models import AccountChange, ChangeState
from portal.translation import gettext as _, speaking_to


def tell_role(user: User, origin: Origin) -> None:
    with speaking_to(user):
        words = _("%(by)s changed your role on Switchboard, %(site)s. You are now %(role)s.")
        _tell(user, origin, words, role=str(user.get_role_display()))


def tell_role_changed(
    user: User, origin: Origin, role: str, gains: list[str], losses: list[str]
) -> None:
    """`gains` and `losses` are in words."""
    with speaking_to(user):
        words = _("%(by)s changed what the role %(role)s may do on Switchboard, %(site)s.")
        _tell_difference(user, origin, words, gains, losses, role=role)


def tell_share_role(
    person: User, origin: Origin, share: Share, role: str, *, gains: list[str], losses: list[str]
) -> None:
    """Tells the holder of a share, or the owner of its connection, which role it has since its own,
    named `role`, was deleted. `gains` and `losses` are in words."""
    with speaking_to(person):
        words = _(
            "%(by)s deleted the role %(role)s on Switchboard, %(site)s. On the connection "
            "%(connection)s, %(holder)s has the role %(now)s instead."
        )
        about = {"role": role, "connection": str(share.connection), "holder": str(share.user)}
        about["now"] = share.get_role_display()
        _tell_difference(person, origin, words, gains, losses, **about)


def tell_deactivated(user: User, origin: Origin) -> None:
    with speaking_to(user):
        words = _(
            "%(by)s deactivated your account on Switchboard, %(site)s. You are signed out, and "
            "your connections are closed."
        )
        _tell(user, origin, words)


def tell_factors_reset(user: User, origin: Origin) -> None:
    with speaking_to(user):
        words = _(
            "%(by)s removed the two-factor authentication of your account on Switchboard, "
            "%(site)s, and signed you out. Until you set it up again, only your password protects "
            "the account."
        )
        _tell(user, origin, words)


def announce(change: AccountChange) -> None:
    """Tells the user whom a change hits what waits, until when, and where they can stop it."""
    link = f"{settings.SITE_URL}{reverse('team:change-stop', args=[change.pk])}"
    with speaking_to(change.user):
        words = _(
            "%(by)s asked for this on Switchboard, %(site)s: %(what)s. It is done on %(time)s. If "
            "you do not agree, stop it before then:"
        ) % _about(change)
        title = _("[Switchboard] Your account is about to be changed")
        post(mail(title, f"{words}\n\n{link}", change.user.email), scope=None)


def tell_ended(change: AccountChange, *people: User) -> None:
    """Tells these people that a change that waited is not made, and why."""
    for person in people:
        with speaking_to(person):
            if change.state == ChangeState.STOPPED:
                words = _("%(user)s stopped what %(by)s asked for: %(what)s.")
            elif change.state == ChangeState.WITHDRAWN:
                words = _("%(by)s withdrew what they had asked for: %(what)s.")
            else:
                words = _("What %(by)s asked for has lapsed: %(what)s. %(answer)s")
            title = _("[Switchboard] An account is not changed")
            post(mail(title, words % _about(change), person.email), scope=None)


def _about(change: AccountChange) -> dict[str, str]:
    return {
        "by": change.asked_by.email,
        "user": change.user.email,
        "what": change.in_words,
        "time": moment_in_words(change.due_at),
        "answer": change.answer_in_words,
        "site": settings.SITE_URL,
    }


def _tell_difference(
    user: User, origin: Origin, words: str, gains: list[str], losses: list[str], **values: str
) -> None:
    if gains:
        words += "\n\n" + _("New: %(gains)s.")
    if losses:
        words += "\n\n" + _("No longer: %(losses)s.")
    _tell(user, origin, words, gains="; ".join(gains), losses="; ".join(losses), **values)


def _tell(user: User, origin: Origin, words: str, **values: str) -> None:
    """Sends it with the change; users are not told of what they did themselves."""
    if origin.actor == user:
        return
    values |= {"by": origin.email or _("Whoever runs Switchboard"), "site": settings.SITE_URL}
    advice = _("If you did not expect this, tell another administrator.")
    title = _("[Switchboard] Your account was changed")
    post(mail(title, f"{words % values}\n\n{advice}", user.email), scope=None)
