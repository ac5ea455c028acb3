"""Changes of one's own account that wait, and the ends of those that one asked for, on Home."""

from collections.abc import Iterator
from datetime import timedelta

from django.db.models import Q, QuerySet
from django.urls import reverse

from portal.access.models import User
from portal.audit.wording import moment_in_words
from portal.config import clock
from portal.team.models import AccountChange, ChangeState
from portal.team.waiting import CHANGES
from portal.translation import gettext as _
from portal.ui.home import HomeLine

_RECENT = timedelta(days=3)
_SHOWN = 3
_ENDED = (ChangeState.STOPPED, ChangeState.LAPSED)


def changes_of(user: User) -> QuerySet[AccountChange]:
    ended = Q(asked_by=user, state__in=_ENDED, ended_at__gt=clock.now() - _RECENT)
    changes = AccountChange.objects.filter(Q(user=user, state=ChangeState.WAITING) | ended)
    return changes.filter(CHANGES.supported())


def lines_of(user: User) -> Iterator[HomeLine]:
    """Yields what is about to be done to this user's account, then what was not done as they
    asked."""
    shown = list(changes_of(user).select_related("user", "asked_by"))
    for change in shown:
        if change.state == ChangeState.WAITING:
            words = _("%(person)s asked for this: %(what)s") % {
                "person": change.asked_by,
                "what": change.in_words,
            }
            why = _("It is done on %(time)s unless you stop it.") % {
                "time": moment_in_words(change.due_at)
            }
            url = reverse("team:change-stop", args=[change.pk])
            yield HomeLine("bad", words, url, why, change.asked_at, verb=_("Stop it"))
    for change in [one for one in shown if one.state in _ENDED][:_SHOWN]:
        words = _("Your request has ended: %(what)s") % {"what": change.in_words}
        why = change.answer_in_words or _("%(user)s stopped it.") % {"user": change.user}
        url = reverse("team:member", args=[change.user.pk])
        yield HomeLine("neutral", words, url, why, change.ended_at)
