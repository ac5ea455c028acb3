"""Shares in words: their limits, and all of one in a sentence."""

from collections.abc import Iterable

from django.utils import dateformat, timezone

from portal.access.grants import role_by
from portal.access.models import Share, label_of
from portal.access.roles import Role, is_custom, least_like, read_families, rights_of
from portal.access.scope import Scope, ScopeChoices, choices_of
from portal.audit.wording import moment_in_words
from portal.contract import FAMILIES
from portal.translation import gettext as _, gettext_lazy

_AS_IN_MENU = {"metrics": gettext_lazy("Live, past sessions, quality and rooms")}
_CAN_VIEW = gettext_lazy("%(user)s can view %(what)s as %(role)s, %(time)s; shared by %(by)s.")
_CAN = {
    Role.OPERATOR: gettext_lazy(
        "%(user)s can view and change %(what)s as %(role)s, %(time)s; shared by %(by)s."
    ),
    Role.ADMINISTRATOR: gettext_lazy(
        "%(user)s can view, change and delete %(what)s as %(role)s, %(time)s; shared by %(by)s."
    ),
}


def family_choices() -> list[tuple[str, str]]:
    """The families of operations that a share can be limited to, as choices of a form."""
    return [(family.name, str(_AS_IN_MENU.get(family.name, family.title))) for family in FAMILIES]


def limits_in_words(share: Share) -> list[str]:
    """Returns the limits of a share, each in words; empty if it has none."""
    return [words for words in limits_of(share) if words]


def limits_of(share: Share) -> tuple[str, str]:
    """Returns the families, and the departments and groups, of a share; each empty if it does not
    limit."""
    titles = dict(family_choices())
    families = [titles.get(name, name) for name in share.families]
    choices = (
        choices_of(Scope.whole(share.connection, "its owner limits a share"))
        if share.groups
        else ScopeChoices()
    )
    names = dict(choices.groups)
    groups = sorted(names.get(one, one) for one in share.groups)
    return _listed(families), _listed([*share.departments, *groups])


def _listed(names: Iterable[str]) -> str:
    *first, last = [*names] or [""]
    if not first:
        return last
    return _("%(names)s and %(last)s") % {"names": ", ".join(first), "last": last}


def sentence_of(share: Share) -> str:
    """Returns what the colleague may do by a share and their own role, since when, until when, and
    who gave it."""
    role, _elevation = role_by(share, share.user, share.connection.owner)
    shown = role or share.role
    families, people = limits_of(share)
    what = families or _("everything")
    if is_custom(shown):
        titles = dict(family_choices())
        visible = read_families(shown) & frozenset(share.families or titles)
        what = _listed(title for name, title in titles.items() if name in visible) or _("nothing")
    if people:
        what = _("%(what)s of %(people)s") % {"what": what, "people": people}
    since = dateformat.format(timezone.localtime(share.created_at), _("j F Y"))
    time = _("since %(since)s") % {"since": since}
    if share.ends_at is not None:
        until = moment_in_words(share.ends_at)
        time = _("since %(since)s, until %(until)s") % {"since": since, "until": until}
    words = _CAN.get(least_like(shown), _CAN_VIEW) if rights_of(shown) else _CAN_VIEW
    return words % {
        "user": share.user,
        "what": what,
        "role": label_of(shown),
        "time": time,
        "by": share.created_by,
    }
