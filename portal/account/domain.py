"""What pages about the whole account add to the portal."""

from portal.account.jobs.settings import SettingsOfSubjects
from portal.account.resources import DEVICES, SUB_ACCOUNTS, TRACKING_FIELDS, WEBHOOKS
from portal.contract.telephony_provider import TelephonyProvider
from portal.domain.declaration import Domain
from portal.ui.navigation import ACCOUNT, Entry

DOMAIN = Domain(
    job_types=(SettingsOfSubjects,),
    navigation=(
        *(
            Entry(
                ACCOUNT,
                place,
                one.title,
                one.icon,
                f"account:{one.name}",
                (one.operation("list"),),
            )
            for place, one in (
                (5, SUB_ACCOUNTS),
                (10, TRACKING_FIELDS),
                (20, DEVICES),
                (40, WEBHOOKS),
            )
        ),
        Entry(ACCOUNT, 30, "Telephony", "phone", "account:telephony", (TelephonyProvider.get,)),
    ),
)
