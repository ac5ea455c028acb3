"""Compares one subject's settings with a baseline."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from portal.account.services.baselines.reach import Target
from portal.account.services.subjects import KINDS, SubjectKind
from portal.client import Api, ApiError, NotFound
from portal.translation import gettext as _
from portal.translation import gettext_lazy
from portal.ui.concurrency import concurrently
from portal.ui.settings import Setting, SettingChange, Values

GONE = gettext_lazy("Not on the account any more.")


@dataclass(frozen=True)
class Checked:
    """One subject that was looked at: what differs from what is wanted, where `old` is None for
    what is not reported; `problem` says why that could not be done."""

    subject_id: str
    label: str
    differences: list[SettingChange]
    problem: str = ""


def known_settings(kind: str) -> Mapping[str, Setting]:
    """The settings that can be wanted of a kind, by dotted name, in the order of the pages."""
    return KINDS[kind].catalog.editable


def found_in_words(setting: Setting, value: Any) -> str:
    return _("Not reported") if value is None else setting.in_words(value)


def check(
    api: Api,
    kind: SubjectKind,
    subjects: Iterable[Target],
    wanted: Values,
) -> Iterator[Checked]:
    """Reads each of the subjects, several at a time."""

    def look(subject: Target) -> Checked:
        key, label = subject
        try:
            return Checked(key, label, kind.catalog.changes(kind.read(api, key), wanted))
        except NotFound:
            return Checked(key, label, [], GONE)
        except ApiError as error:
            return Checked(key, label, [], error.message)

    return concurrently(look, subjects)
