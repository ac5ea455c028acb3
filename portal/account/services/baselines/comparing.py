"""Compares one subject's settings with a baseline."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any

from portal.account.services.baselines.reach import Target
from portal.account.services.subjects import KINDS, SubjectKind
from portal.client import Api, ApiError, NotFound
from portal.translation import carried_over, gettext_lazy
from portal.translation import gettext as _
from portal.ui.settings import Setting, SettingGroup, Values

_IN_FLIGHT = 10
GONE = gettext_lazy("Not on the account any more.")


@dataclass(frozen=True)
class ExpectedSettings:
    """A setting with the group that it is in."""

    group: SettingGroup
    setting: Setting

    @property
    def title(self) -> str:
        return f"{self.group.title}: {self.setting.title}"


@dataclass(frozen=True)
class SettingDifference:
    """A setting that is not as it is wanted; `found` is None where it is not reported."""

    known: ExpectedSettings
    wanted: Any
    found: Any

    @property
    def wanted_words(self) -> str:
        return self.known.setting.in_words(self.wanted)

    @property
    def found_words(self) -> str:
        return found_in_words(self.known, self.found)


@dataclass(frozen=True)
class Checked:
    """One subject that was looked at; `problem` says why that could not be done."""

    subject_id: str
    label: str
    differences: list[SettingDifference]
    problem: str = ""


@cache
def known_settings(kind: str) -> Mapping[str, ExpectedSettings]:
    """The settings that can be wanted of a kind, by dotted name, in the order of the pages."""
    return {
        setting.name: ExpectedSettings(group, setting)
        for group in KINDS[kind].catalog.groups
        for setting in group.settings
        if setting.is_editable
    }


def found_in_words(known: ExpectedSettings, value: Any) -> str:
    return _("Not reported") if value is None else known.setting.in_words(value)


def differences(kind: str, wanted: Values, found: Values) -> list[SettingDifference]:
    """Returns the differences, in the order of the pages. A setting that this version does not
    describe is left out, since it cannot be judged."""
    return [
        SettingDifference(known, wanted[name], found.get(name))
        for name, known in known_settings(kind).items()
        if name in wanted and wanted[name] != found.get(name)
    ]


def check(
    api: Api,
    kind: SubjectKind,
    subjects: Iterable[Target],
    wanted: Values,
    seen: Callable[[], object] = lambda: None,
) -> Iterator[Checked]:
    """Reads each of the subjects, several at a time; `seen` is called after each."""

    def look(subject: Target) -> Checked:
        key, label = subject
        try:
            return Checked(key, label, differences(kind.name, wanted, kind.read(api, key)))
        except NotFound:
            return Checked(key, label, [], GONE)
        except ApiError as error:
            return Checked(key, label, [], error.message)

    waiting = iter(subjects)
    with ThreadPoolExecutor(_IN_FLIGHT) as pool:
        while some := list(islice(waiting, _IN_FLIGHT * 10)):
            for checked in pool.map(carried_over(look), some):
                seen()
                yield checked
