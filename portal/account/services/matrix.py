"""Settings of several sub accounts, people or groups side by side: what differs, and where."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from portal.account.services.compared import MatrixSubject
from portal.account.services.plans import SubAccountPlan, seats_in_words
from portal.account.subjects import SUB_ACCOUNTS
from portal.translation import folded, gettext as _, number
from portal.ui.settings.catalog import ComparedKind, Setting

PLANS = "plans"
_SUMMED_UP = 3  # values that a row names with their counts
_MAJORITY = 3  # the fewest subjects that have a usual value


@dataclass(frozen=True)
class MatrixCell:
    """Value of a subject, or those of a group's members, counted. `is_odd` if most have another
    value; `plan` is named by its type."""

    subject: MatrixSubject
    words: str
    is_odd: bool = False
    plan: SubAccountPlan | None = None


@dataclass(frozen=True)
class MatrixRow:
    """A setting, or a plan, of all subjects; `is_shown` by the filters of the page."""

    name: str
    title: str
    description: str
    cells: list[MatrixCell]
    counts: list[tuple[str, int]]
    is_shown: bool
    setting: Setting | None = None

    @property
    def differs(self) -> bool:
        return len(self.counts) > 1

    @property
    def is_copied(self) -> bool:
        """Returns whether it can be given to others: no plan is cancelled by a copy."""
        return bool(self.setting and self.setting.is_editable)

    @property
    def summary(self) -> str:
        """Returns the number of subjects with each value."""
        phrases = [f"{words}: {count}" for words, count in self.counts[:_SUMMED_UP]]
        others = sum(count for _, count in self.counts[_SUMMED_UP:])
        return " · ".join(
            [*phrases, _("other values: %(count)s") % {"count": others}] if others else phrases
        )


@dataclass(frozen=True)
class MatrixSection:
    name: str
    title: str
    rows: list[MatrixRow]

    @property
    def differing(self) -> int:
        return sum(row.differs for row in self.rows)

    @property
    def shown_count(self) -> int:
        return sum(row.is_shown for row in self.rows)


@dataclass(frozen=True)
class Matrix:
    """The settings of some subjects; sections and rows that differ come first.

    Rows are shown that contain these `words`, and that differ unless it `shows_all`.
    """

    kind: ComparedKind
    subjects: list[MatrixSubject]
    words: Sequence[str]
    shows_all: bool

    @cached_property
    def sections(self) -> list[MatrixSection]:
        groups = [
            MatrixSection(
                group.name,
                group.title,
                _in_order([self._row(setting) for setting in group.settings]),
            )
            for group in self.kind.catalog.groups
        ]
        first = 1 if self.kind is SUB_ACCOUNTS else 0  # options, beside the plans
        rest = sorted(groups[first:], key=lambda section: not section.differing)
        titles = dict.fromkeys(plan.title for one in self.subjects for plan in one.plans)
        plans = MatrixSection(PLANS, _("Plans"), _in_order([self._plan_row(one) for one in titles]))
        return [section for section in (plans, *groups[:first], *rest) if section.rows]

    @property
    def rows(self) -> list[MatrixRow]:
        return [row for section in self.sections for row in section.rows]

    @property
    def readable(self) -> list[MatrixSubject]:
        return [one for one in self.subjects if not one.problem]

    @property
    def differing(self) -> int:
        return sum(section.differing for section in self.sections)

    def _row(self, setting: Setting) -> MatrixRow:
        cells = [None if one.problem else _held(setting, one) for one in self.subjects]
        return self._compared(
            setting.name, setting.title, setting.description, cells, setting=setting
        )

    def _plan_row(self, title: str) -> MatrixRow:
        cells = []
        for one in self.subjects:
            plans = [plan for plan in one.plans if plan.title == title]
            words = "; ".join(_plan_words(plan) for plan in plans) or _("None")
            plan = plans[0] if plans else None
            cells.append(None if one.problem else _Held(words, words, words, plan))
        return self._compared(f"{PLANS}.{title}", title, "", cells)

    def _compared(
        self,
        name: str,
        title: str,
        description: str,
        compared: Sequence["_Held | None"],
        setting: Setting | None = None,
    ) -> MatrixRow:
        keys = Counter(one.key for one in compared if one)
        words = {one.key: one.kind for one in compared if one}
        ranked = keys.most_common()
        usual = ""
        if keys.total() >= _MAJORITY and 2 * ranked[0][1] > keys.total():
            usual = ranked[0][0]
        cells = [
            MatrixCell(subject, one.words, bool(usual) and one.key != usual, one.plan)
            if one
            else MatrixCell(subject, _("Not loaded"))
            for subject, one in zip(self.subjects, compared, strict=True)
        ]
        counts = [(words[key], count) for key, count in ranked]
        text = folded(f"{title} {description} {name}")
        is_shown = self.shows_all or len(counts) > 1
        is_shown = is_shown and all(word in text for word in self.words)
        return MatrixRow(name, title, description, cells, counts, is_shown, setting)


@dataclass(frozen=True)
class _Held:
    """A subject's value, in words; `key` is that of all who have the same, `kind` its words."""

    words: str
    key: str
    kind: str
    plan: SubAccountPlan | None = None


def _held(setting: Setting, one: MatrixSubject) -> _Held:
    """Groups are alike whose members have the same values, in the same order of frequency."""
    found = Counter(repr(values.get(setting.name)) for values in one.readings)
    words = {
        repr(value): setting.in_words(value)
        for value in (values.get(setting.name) for values in one.readings)
    }
    ranked = sorted(found, key=lambda key: (-found[key], words[key]))
    if len(ranked) == 1:
        [key] = ranked
        return _Held(words[key], key, words[key])
    counted = " · ".join(f"{words[key]}: {number(found[key])}" for key in ranked)
    return _Held(counted, "|".join(ranked), _("mostly %(value)s") % {"value": words[ranked[0]]})


def _plan_words(plan: SubAccountPlan) -> str:
    if plan.hosts is None:
        return plan.type or _("Yes")
    return f"{plan.type}, {seats_in_words(plan.hosts)}"


def _in_order(rows: list[MatrixRow]) -> list[MatrixRow]:
    return sorted(rows, key=lambda row: not row.differs)
