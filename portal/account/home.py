"""Lines of the first page about drift from baselines, and gaps in webhook deliveries."""

from collections.abc import Sequence

from django.db.models import Count, Max, Min, Q
from django.urls import reverse

from portal.access.grants import Can
from portal.access.models import User
from portal.access.scope import Scope
from portal.account.models import Drift
from portal.account.subjects import KINDS
from portal.contract.users import Users
from portal.contract.webhooks import Webhooks
from portal.mirror.gaps import open_gaps
from portal.translation import gettext as _
from portal.translation import gettext_lazy, ngettext, number
from portal.ui.home import HomeItem, HomeLine, HomeLines, none_yet


def _drift(_user: User, scopes: Sequence[Scope]) -> HomeLines:
    lines = none_yet(scopes)
    keys = {scope.connection.pk: scope.connection.key for scope in scopes}
    rows = Drift.objects.filter(_readable(scopes)).order_by().values_list("baseline__connection")
    found = rows.annotate(
        Count("pk"),
        Count("baseline", distinct=True),
        Min("baseline"),
        Min("baseline__name"),
        Min("since"),
        Max("checked_at"),
    )
    for connection, count, baselines, one, name, since, as_of in found:
        if baselines == 1:
            words = ngettext(
                "%(count)s setting differs from the baseline “%(name)s”",
                "%(count)s settings differ from the baseline “%(name)s”",
                count,
            ) % {"count": number(count), "name": name}
            url = reverse("account:baseline", args=[keys[connection], one])
        else:
            words = _("%(count)s settings differ from %(baselines)s baselines") % {
                "count": number(count),
                "baselines": number(baselines),
            }
            url = reverse("account:baselines", args=[keys[connection]])
        lines[connection].append(HomeLine("warning", words, url, "", since, as_of))
    return lines


def _readable(scopes: Sequence[Scope]) -> Q:
    """Drift of the kinds of settings that each scope allows to read."""
    found = Q(pk__in=[])
    for kind in KINDS.values():
        over = [each.connection.pk for each in scopes if Can(each).call(kind.reading)]
        found |= Q(baseline__kind=kind.name, baseline__connection__in=over)
    return found


def _gaps(_user: User, scopes: Sequence[Scope]) -> HomeLines:
    lines = none_yet(scopes)
    for gap in open_gaps([scope.connection for scope in scopes]):
        url = reverse("account:deliveries", args=[gap.connection.key])
        said = gap.why_in_words
        why = f"{said[:1].upper()}{said[1:]}."
        title = _("Webhook deliveries are missing")
        line = HomeLine("warning", title, url, why, gap.began_at)
        lines[gap.connection_id].append(line)
    return lines


DRIFT = HomeItem(gettext_lazy("Baselines"), 40, _drift, needs=(Users.settings,))
GAPS = HomeItem(gettext_lazy("Webhooks"), 50, _gaps, needs=(Webhooks.list,))
