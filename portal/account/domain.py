"""Registration of the account app with the portal, and its lines of Home."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from django.db.models import Count, Max, Min, Q
from django.urls import reverse

from portal.access.models import Connection, User
from portal.access.scope import OPEN, Scope, refused
from portal.account.baselines.jobs import CHECKS, CheckBaselineJob, RestoreBaselineJob
from portal.account.models import Baseline, Drift
from portal.account.resources import (
    DEVICES,
    SUB_ACCOUNTS,
    TRACKING_FIELDS,
    DeviceImportJob,
    TrackingFieldImportJob,
)
from portal.account.sample import SAMPLES
from portal.account.subjects import KINDS, PEOPLE, ChangeSubjectSettingsJob
from portal.contract.accounts import Accounts
from portal.contract.billing import Billing
from portal.contract.devices import Devices
from portal.contract.telephony import TelephonyProvider
from portal.contract.tracking_fields import TrackingFields
from portal.contract.users import Users
from portal.domain.declaration import Domain
from portal.mirror.search import Shortcut
from portal.translation import gettext as _, gettext_lazy, ngettext, number
from portal.ui.home import HomeItem, HomeLine, HomeLines, none_yet
from portal.ui.navigation import ACCOUNT, NavigationEntry
from portal.ui.things import Aspect, ThingAspect


def _drift(_user: User, scopes: Sequence[Scope]) -> HomeLines:
    lines = none_yet(scopes)
    keys = {scope.connection.pk: scope.connection.key for scope in scopes}
    rows = Drift.objects.filter(_readable(scopes)).order_by().values_list("baseline__connection")
    drifting = rows.annotate(
        Count("pk"),
        Count("baseline", distinct=True),
        Min("baseline"),
        Min("baseline__name"),
        Min("since"),
        Max("checked_at"),
    )
    for connection, count, baselines, one, name, since, as_of in drifting:
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
    """Returns the condition of drift that each scope allows to read."""
    condition = Q(pk__in=[])
    for kind in KINDS.values():
        over = [each.connection.pk for each in scopes if each.can_call(kind.reading)]
        condition |= Q(baseline__kind=kind.name, baseline__connection__in=over)
    return condition


DRIFT = HomeItem(gettext_lazy("Baselines"), 40, _drift, needs=(Users.settings,))


def baselines(connection: Connection, user: User, since: datetime | None) -> Iterator[str]:
    own = Baseline.objects.filter(connection=connection, owner=user, is_active=True)
    for one in own.filter(created_at__gte=since) if since else own:
        if one.brings_back:
            yield _("Rule of the baseline “%(name)s”") % {"name": one}
        else:
            yield _("Nightly check of the baseline “%(name)s”") % {"name": one}


def _drift_of_person(scope: Scope, user_id: str) -> Aspect:
    own = Drift.objects.filter(
        baseline__connection=scope.connection, baseline__kind=PEOPLE.name, subject_id=user_id
    )
    sums = own.order_by().aggregate(
        count=Count("pk"), baselines=Count("baseline", distinct=True), one=Min("baseline")
    )
    if not sums["count"]:
        return Aspect()
    words = ngettext(
        "%(count)s setting differs from its baseline",
        "%(count)s settings differ from their baselines",
        sums["count"],
    ) % {"count": number(sums["count"])}
    name, more = ("baseline", [sums["one"]]) if sums["baselines"] == 1 else ("baselines", [])
    url = reverse(f"account:{name}", args=[scope.connection.key, *more])
    return Aspect(needs=[HomeLine("warning", words, url)], count=sums["count"])


DOMAIN = Domain(
    aspects=(ThingAspect("person", 50, Users.settings, _drift_of_person, "settings"),),
    navigation=(
        *(
            NavigationEntry(
                ACCOUNT,
                place,
                one.title,
                one.icon,
                one.url_name(),
                (one.operation("list"),),
                about=about,
            )
            for place, one, about in (
                (5, SUB_ACCOUNTS, gettext_lazy("Accounts below this one, and their plans")),
                (10, TRACKING_FIELDS, gettext_lazy("What hosts fill in for each session")),
                (20, DEVICES, gettext_lazy("Room devices that sessions can call")),
            )
        ),
        NavigationEntry(
            ACCOUNT,
            6,
            gettext_lazy("Baselines"),
            "ruler",
            "account:baselines",
            (Users.settings,),
            about=gettext_lazy("How settings should be, and who differs"),
        ),
        NavigationEntry(
            ACCOUNT,
            30,
            gettext_lazy("Telephony"),
            "phone",
            "account:telephony",
            (TelephonyProvider.get,),
            about=gettext_lazy("Dial-in numbers and the provider of audio conferences"),
        ),
        NavigationEntry(
            ACCOUNT,
            7,
            gettext_lazy("Compare settings"),
            "columns-3",
            "account:compare",
            (PEOPLE.reading,),
            about=gettext_lazy("Settings of many people, groups or accounts side by side"),
        ),
    ),
    shortcuts=(
        Shortcut(
            gettext_lazy("Import devices"),
            "file-up",
            "account:devices-import",
            Devices.create,
            gettext_lazy("h323 sip upload"),
        ),
        Shortcut(
            gettext_lazy("Import tracking fields"),
            "file-up",
            "account:tracking-fields-import",
            TrackingFields.create,
            gettext_lazy("upload table"),
        ),
    ),
    running_by_share=(baselines,),
    job_types=(
        DeviceImportJob,
        TrackingFieldImportJob,
        ChangeSubjectSettingsJob,
        CheckBaselineJob,
        RestoreBaselineJob,
    ),
    work_queues=(CHECKS,),
    home=(DRIFT,),
    scope_rules={
        **refused(Accounts, Billing, Devices, TelephonyProvider, TrackingFields),
        # The fields themselves reveal nothing about people.
        TrackingFields.list.name: OPEN,
        TrackingFields.get.name: OPEN,
    },
    limited_pages=(
        *(f"account:baselines{of}" for of in ("", "-export", "-new")),
        *(f"account:baseline{of}" for of in ("", "-export")),
        *(
            f"account:baseline-{act}"
            for act in (
                *("edit", "check", "bring-back", "rule-on", "rule-off"),
                *("on", "off", "delete", "yaml"),
            )
        ),
    ),
    samples=SAMPLES,
)
