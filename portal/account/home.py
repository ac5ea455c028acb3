"""What the first page says of the account: drift from baselines, and gaps in webhook deliveries."""

from collections.abc import Iterator

from django.db.models import Count, Max, Min
from django.urls import reverse

from portal.access.can import Can
from portal.access.models import Connection, User
from portal.account.models import Drift
from portal.account.services.subjects import KINDS
from portal.contract.users import Users
from portal.contract.webhooks import Webhooks
from portal.mirror.gaps import open_gap
from portal.ui.home import HomeItem, HomeLine


def _drift(user: User, connection: Connection) -> Iterator[HomeLine]:
    can = Can(user.role, connection)
    kinds = [kind.name for kind in KINDS.values() if can.call(kind.reading)]
    own = Drift.objects.filter(baseline__connection=connection, baseline__kind__in=kinds)
    found = own.order_by().aggregate(
        count=Count("pk"),
        baselines=Count("baseline", distinct=True),
        one=Min("baseline"),
        name=Min("baseline__name"),
        since=Min("since"),
        as_of=Max("checked_at"),
    )
    if not found["count"]:
        return
    differ = "1 setting differs" if found["count"] == 1 else f"{found['count']:,} settings differ"
    if found["baselines"] == 1:
        words = f"{differ} from the baseline “{found['name']}”"
        url = reverse("account:baseline", args=[connection.key, found["one"]])
    else:
        words = f"{differ} from {found['baselines']:,} baselines"
        url = reverse("account:baselines", args=[connection.key])
    yield HomeLine("warning", words, url, "", found["since"], found["as_of"])


def _gaps(_user: User, connection: Connection) -> Iterator[HomeLine]:
    gap = open_gap(connection)
    if gap:
        url = reverse("account:deliveries", args=[connection.key])
        why = f"{gap.why[:1].upper()}{gap.why[1:]}."
        yield HomeLine("warning", "Webhook deliveries are missing", url, why, gap.began_at)


DRIFT = HomeItem("Baselines", 40, _drift, needs=(Users.settings,))
GAPS = HomeItem("Webhooks", 50, _gaps, needs=(Webhooks.list,))
