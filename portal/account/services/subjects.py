"""The kinds of subject whose settings can be compared and copied: people and sub accounts."""

from typing import Any, ClassVar

from django.utils.translation import gettext_noop

from portal.client import Api
from portal.contract.account_settings import AccountSettings
from portal.contract.accounts import AccountOptions, Accounts
from portal.contract.model import unset
from portal.directory.settings import PEOPLE
from portal.translation import gettext_lazy
from portal.ui.settings import SettingsCatalog, Values
from portal.ui.settings.catalog import SubjectKind, values_of

__all__ = ["KINDS", "PEOPLE", "SETTINGS", "SUB_ACCOUNTS", "SubjectKind"]

_ORDER = (
    "feature",
    "schedule_meting",
    "in_meeting",
    "recording",
    "email_notification",
    "telephony",
    "conf_rooms",
    "integration",
    "security",
)
# What the editor of a sub account's settings has; its options have a page of their own.
SETTINGS = SettingsCatalog(AccountSettings, AccountSettings, _ORDER)


class SettingsWithOptions(AccountSettings):
    """All that can be set for a sub account: its settings, and what it shares."""

    options: AccountOptions | None = unset(
        gettext_noop("Options"), gettext_noop("What the account shares, and who pays.")
    )


class _SubAccounts(SubjectKind):
    """Each sub account's settings, and its options with them."""

    name = "sub-accounts"
    noun = (gettext_lazy("sub account"), gettext_lazy("sub accounts"))
    icon = "network"
    catalog = SettingsCatalog(SettingsWithOptions, SettingsWithOptions, ("options", *_ORDER))
    reading: ClassVar[Any] = Accounts.settings
    changing: ClassVar[Any] = Accounts.update_settings
    page = "account:sub-account"

    def read(self, api: Api, subject_id: str) -> Values:
        options = api.accounts.get(subject_id).options
        held = values_of(SettingsWithOptions.model_construct(options=options)) if options else {}
        return held | values_of(api.accounts.settings(subject_id))

    def change(self, api: Api, subject_id: str, update: Any) -> None:
        """Two requests where both kinds are among it; either may be sent again."""
        if update.options is not None:
            api.accounts.update_options(subject_id, update.options)
        settings = {name: getattr(update, name) for name in update.model_fields_set - {"options"}}
        if settings:
            api.accounts.update_settings(subject_id, AccountSettings(**settings))


SUB_ACCOUNTS = _SubAccounts()
KINDS: dict[str, SubjectKind] = {kind.name: kind for kind in (SUB_ACCOUNTS, PEOPLE)}
