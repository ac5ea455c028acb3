"""Compares one subject's settings with a baseline."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import Any

from portal.account.services.baselines.reach import Target
from portal.account.services.subjects import KINDS, SubjectKind
from portal.client import Api, ApiError, NotFound
from portal.translation import carried_over, gettext_lazy
from portal.translation import gettext as _
from portal.ui.settings import Setting, SettingChange, Values

_IN_FLIGHT = 10
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
    seen: Callable[[], object] = lambda: None,
) -> Iterator[Checked]:
    """Reads each of the subjects, several at a time; `seen` is called after each."""

    def look(subject: Target) -> Checked:
        key, label = subject
        try:
            return Checked(key, label, kind.catalog.changes(kind.read(api, key), wanted))
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
