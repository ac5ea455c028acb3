"""Kinds of subject: people, sub accounts, groups; and the job that changes settings of several."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.utils.translation import gettext_noop
from pydantic import ValidationError

from portal.account.copying import copied
from portal.client import Api, NotFound
from portal.contract.account_settings import AccountSettings
from portal.contract.accounts import AccountOptions, Accounts
from portal.contract.model import unset
from portal.directory.settings import GROUPS, IM_GROUPS, PEOPLE
from portal.jobs.desired_state import SettingsJob
from portal.jobs.job_types import Pointer
from portal.jobs.models import ItemState, Job, JobItem
from portal.jobs.planning import Planning, Unplannable
from portal.translation import gettext as _, gettext_lazy
from portal.ui.settings.catalog import (
    ComparedKind,
    SettingsCatalog,
    SubjectKind,
    Values,
    compare_url,
    values_of,
)

__all__ = ["COMPARED", "KINDS", "PEOPLE", "SETTINGS", "SUB_ACCOUNTS", "SubjectKind"]
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
        option_values = (
            values_of(SettingsWithOptions.model_construct(options=options)) if options else {}
        )
        return option_values | values_of(api.accounts.settings(subject_id))

    def change(self, api: Api, subject_id: str, update: Any) -> None:
        """Sends one request for settings and one for options; each may be sent again."""
        if update.options is not None:
            api.accounts.update_options(subject_id, update.options)
        settings = {name: getattr(update, name) for name in update.model_fields_set - {"options"}}
        if settings:
            api.accounts.update_settings(subject_id, AccountSettings(**settings))


SUB_ACCOUNTS = _SubAccounts()
KINDS: dict[str, SubjectKind] = {kind.name: kind for kind in (SUB_ACCOUNTS, PEOPLE)}
COMPARED: dict[str, ComparedKind] = {**KINDS, GROUPS.name: GROUPS, IM_GROUPS.name: IM_GROUPS}


class ChangeSubjectSettingsJob(SettingsJob):
    """`parameters`: `kind` is a name in `KINDS`, `targets` are pairs of an id and a label. `source`
    is the subject, as such a pair, whose settings all of them are to have: of `only` these, or all;
    or `values` are what they are to have, by dotted names. `notes` are said of the plan, and
    `compared` are the ids of those whose settings stood side by side."""

    name = "account.settings"
    selects = {"kind": KINDS}
    noun = (gettext_lazy("target"), gettext_lazy("targets"))
    gone = (gettext_lazy("Target"), gettext_lazy("It is not there any more."))

    def subject_kind(self, given: Mapping[str, Any]) -> SubjectKind:
        return KINDS[given["kind"]]

    def plan(self, planning: Planning) -> None:
        given = planning.job.parameters
        targets = [(str(key), str(label)) for key, label in given["targets"]]
        values = self._copied(planning) if "source" in given else given["values"]
        try:
            for item in self.compared(planning, targets, values):
                planning.add(item)
                planning.progress(item.number, len(targets), _("Comparing settings"))
        except ValidationError:
            raise Unplannable(_("The service does not accept these values.")) from None
        for words in given.get("notes", ()):
            planning.add_notice("neutral", words)

    def _copied(self, planning: Planning) -> Values:
        """Returns the values that the source has now, with notices of those that it lacks."""
        given = planning.job.parameters
        kind, (key, label) = self.subject_kind(given), given["source"]
        try:
            result = copied(kind, kind.read(planning.api, key), given["only"])
        except NotFound:
            raise Unplannable(_("%(name)s is not there any more.") % {"name": label}) from None
        if not result.values:
            raise Unplannable(_("None of these settings has a value that can be copied."))
        for words in result.notices:
            planning.add_notice("neutral", words)
        return result.values

    def context(self, job: Job) -> dict[str, object]:
        return {"kind": job.parameters["kind"]}

    def pointers(self, job: Job) -> list[Pointer]:
        compared = job.parameters.get("compared")
        if not compared:
            return []
        url = compare_url(job.connection.key, self.subject_kind(job.parameters), compared)
        return [Pointer(_("Their settings are compared."), url, _("Compare settings"))]

    def undo_context(self, item: JobItem) -> dict[str, object]:
        return {"kind": item.data["kind"]}

    def page_of(self, job: Job, item: JobItem) -> str:
        if item.state == ItemState.INVALID or not item.object_id:
            return ""
        return self.subject_kind(job.parameters).url(job.connection.key, item.object_id)
