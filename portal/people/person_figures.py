"""Figures of a person's groups and of what was changed last, for the overview about them."""

from django.urls import reverse

from portal.access.audit.changes import ChangeLine
from portal.access.audit.reading import entries_for
from portal.access.scope import Scope
from portal.contract.users import Users
from portal.directory import groups
from portal.translation import gettext as _
from portal.translation import gettext_lazy, number
from portal.ui.tabs import PersonFigure, ShownFigure
from portal.ui.times import relative

_NAMED = 3  # groups


def _groups(scope: Scope, user_id: str) -> ShownFigure | None:
    if groups.state_of(scope.connection).refreshed_at is None:
        return None
    names = groups.names_with(scope, user_id)
    shown = ", ".join(names[:_NAMED])
    if len(names) > _NAMED:
        shown = _("%(names)s and %(count)s more") % {
            "names": shown,
            "count": number(len(names) - _NAMED),
        }
    url = reverse("people:groups", args=[scope.connection.key, user_id])
    return ShownFigure(number(len(names)), shown, url)


def _changed(scope: Scope, user_id: str) -> ShownFigure | None:
    last = entries_for(scope, Users.name, user_id).first()
    if last is None:
        return None
    line = ChangeLine(last)
    about = _("%(change)s, by %(by)s") % {"change": line.title, "by": line.by}
    url = reverse("people:history", args=[scope.connection.key, user_id])
    return ShownFigure(relative(last.time), about, url)


PERSON_FIGURES = (
    PersonFigure(gettext_lazy("Groups"), 40, Users.get, _groups),
    PersonFigure(gettext_lazy("Last change"), 50, Users.get, _changed),
)
