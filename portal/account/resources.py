"""Lists of the whole account that are administered alike: listed, added, changed and deleted."""

from dataclasses import dataclass
from typing import Any

from portal.contract.accounts import Accounts
from portal.contract.devices import Devices
from portal.contract.operation import Family
from portal.contract.tracking_fields import TrackingFields
from portal.contract.webhooks import Webhooks


@dataclass(frozen=True)
class Resource:
    """What a list is of. `name` is what its URLs are called by, `key` and `label` are the fields
    of its rows by which they are identified and called."""

    name: str
    one: str
    many: str
    title: str
    icon: str
    lead: str
    empty: str
    family: type[Family]
    key: str = "id"
    label: str = "name"
    has_import: bool = False

    @property
    def nothing(self) -> str:
        return f"There are no {self.many} yet"

    def operation(self, name: str) -> Any:
        return getattr(self.family, name)


DEVICES = Resource(
    "devices",
    "device",
    "devices",
    "H.323 and SIP devices",
    "router",
    "Room devices that meetings can call.",
    "A device that is added here can be called from a meeting.",
    Devices,
    has_import=True,
)
TRACKING_FIELDS = Resource(
    "tracking-fields",
    "tracking field",
    "tracking fields",
    "Tracking fields",
    "tags",
    "Fields that everyone fills in when scheduling a meeting, such as a cost centre.",
    "A tracking field asks everyone who schedules a meeting for a value, such as a cost centre.",
    TrackingFields,
    label="field",
    has_import=True,
)
SUB_ACCOUNTS = Resource(
    "sub-accounts",
    "sub account",
    "sub accounts",
    "Sub accounts",
    "network",
    "Accounts below this one, with their owners, plans and settings.",
    "A sub account has people, plans and settings of its own, and an owner who administers it.",
    Accounts,
    label="account_name",
)
WEBHOOKS = Resource(
    "webhooks",
    "webhook",
    "webhooks",
    "Webhooks",
    "webhook",
    "Addresses to which the service sends event notifications.",
    "A webhook sends event notifications of the service to an address.",
    Webhooks,
    key="webhook_id",
    label="url",
)
