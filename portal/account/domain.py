"""Registration of the account app with the portal."""

from collections.abc import Iterator

from portal.access.models import Connection, User
from portal.access.scope_rules import OPEN, refused
from portal.account.baselines.jobs import TASK, CheckBaselineJob, RestoreBaselineJob
from portal.account.home import DRIFT, GAPS
from portal.account.models import Baseline
from portal.account.resources import (
    DEVICES,
    SUB_ACCOUNTS,
    TRACKING_FIELDS,
    WEBHOOKS,
    DeviceImportJob,
    TrackingFieldImportJob,
)
from portal.account.sample import SAMPLES
from portal.account.subjects import PEOPLE, ChangeSubjectSettingsJob
from portal.contract.accounts import Accounts
from portal.contract.billing import Billing
from portal.contract.devices import Devices
from portal.contract.telephony import TelephonyProvider
from portal.contract.tracking_fields import TrackingFields
from portal.contract.users import Users
from portal.contract.webhooks import Webhooks
from portal.domain.declaration import Domain
from portal.mirror.search import Shortcut
from portal.translation import gettext as _
from portal.translation import gettext_lazy
from portal.ui.navigation import ACCOUNT, NavigationEntry


def baselines(connection: Connection, user: User) -> Iterator[str]:
    for one in Baseline.objects.filter(connection=connection, owner=user, is_active=True):
        if one.brings_back:
            yield _("Rule of the baseline “%(name)s”") % {"name": one}
        else:
            yield _("Nightly check of the baseline “%(name)s”") % {"name": one}


DOMAIN = Domain(
    navigation=(
        *(
            NavigationEntry(
                ACCOUNT,
                place,
                one.title,
                one.icon,
                f"account:{one.name}",
                (one.operation("list"),),
                about=about,
            )
            for place, one, about in (
                (5, SUB_ACCOUNTS, gettext_lazy("Accounts below this one, and their plans")),
                (10, TRACKING_FIELDS, gettext_lazy("What hosts fill in for each session")),
                (20, DEVICES, gettext_lazy("Room devices that sessions can call")),
                (40, WEBHOOKS, gettext_lazy("Where the service sends its events")),
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
    periodic_tasks={TASK: 60.0},
    home=(
        DRIFT,
        GAPS,
    ),
    scope_rules={
        **refused(Accounts, Billing, Devices, TelephonyProvider, TrackingFields, Webhooks),
        # What fields there are says nothing of anybody.
        TrackingFields.list.name: OPEN,
        TrackingFields.get.name: OPEN,
    },
    samples=SAMPLES,
)
