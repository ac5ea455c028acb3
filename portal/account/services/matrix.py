"""Settings of several sub accounts or people side by side: what differs, and what can be copied."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from pydantic import ValidationError

from portal.access.scope import Scope
from portal.account.baselines.services import account_called
from portal.account.services.plans import SubAccountPlan, plans_of, seats_in_words
from portal.account.subjects import SUB_ACCOUNTS, SubjectKind
from portal.client import Api, ApiError, NotAvailable, NotFound
from portal.contract.accounts import AccountSummary
from portal.contract.path import NotAnId
from portal.contract.problems import problems
from portal.directory import colleagues
from portal.translation import folded, gettext as _
from portal.ui.concurrency import concurrently
from portal.ui.error_messages import cause_of
from portal.ui.settings.catalog import Setting, Values

PLANS = "plans"
_SUMMED_UP = 3  # values that a row names with their counts
_MAJORITY = 3  # the fewest subjects that have a usual value


@dataclass(frozen=True)
class MatrixSubject:
    """A column: a person or sub account with its settings. `detail` tells it from another of its
    name; `problem` is the reason why its settings could not be read."""

    id: str
    name: str
    detail: str = ""
    values: Values = field(default_factory=dict)
    plans: Sequence[SubAccountPlan] = ()
    problem: str = ""

    @property
    def label(self) -> str:
        return f"{self.name}, {self.detail}" if self.detail else self.name


def named(kind: SubjectKind, api: Api, scope: Scope, ids: Sequence[str]) -> list[MatrixSubject]:
    """Returns the subjects with these ids, in their order, without settings. Raises `ApiError`."""
    if not ids:
        return []
    if kind is SUB_ACCOUNTS:
        names = {one.id: of_account(one) for one in api.accounts.list.all()}
        return [names.get(key) or MatrixSubject(key, key) for key in ids]
    return [
        MatrixSubject(key, one.name, one.email if one.email != one.name else "")
        for key, one in zip(ids, colleagues.called(scope, ids), strict=True)
    ]


def of_account(account: AccountSummary) -> MatrixSubject:
    name = account_called(account)
    detail = account.owner_email if account.owner_email != name else ""
    return MatrixSubject(account.id, name, detail)


@dataclass(frozen=True)
class MatrixCell:
    """Value of a subject. `is_odd` if most have another value; `plan` is named by its type."""

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

    kind: SubjectKind
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
        cells = [
            None if one.problem else (setting.in_words(value), repr(value), None)
            for one in self.subjects
            for value in [one.values.get(setting.name)]
        ]
        return self._compared(
            setting.name, setting.title, setting.description, cells, setting=setting
        )

    def _plan_row(self, title: str) -> MatrixRow:
        cells = []
        for one in self.subjects:
            plans = [plan for plan in one.plans if plan.title == title]
            words = "; ".join(_plan_words(plan) for plan in plans) or _("None")
            cells.append(None if one.problem else (words, words, plans[0] if plans else None))
        return self._compared(f"{PLANS}.{title}", title, "", cells)

    def _compared(
        self,
        name: str,
        title: str,
        description: str,
        compared: Sequence[tuple[str, str, SubAccountPlan | None] | None],
        setting: Setting | None = None,
    ) -> MatrixRow:
        """Returns a row of the subjects' values: each in words, its key for comparison, and its
        plan."""
        keys = Counter(key for one in compared if one for _, key, _ in [one])
        words = {key: words for one in compared if one for words, key, _ in [one]}
        ranked = keys.most_common()
        usual = ""
        if keys.total() >= _MAJORITY and 2 * ranked[0][1] > keys.total():
            usual = ranked[0][0]
        cells = [
            MatrixCell(subject, one[0], bool(usual) and one[1] != usual, one[2])
            if one
            else MatrixCell(subject, _("Not loaded"))
            for subject, one in zip(self.subjects, compared, strict=True)
        ]
        counts = [(words[key], count) for key, count in ranked]
        text = folded(f"{title} {description} {name}")
        is_shown = self.shows_all or len(counts) > 1
        is_shown = is_shown and all(word in text for word in self.words)
        return MatrixRow(name, title, description, cells, counts, is_shown, setting)


def read(api: Api, kind: SubjectKind, subjects: Sequence[MatrixSubject]) -> list[MatrixSubject]:
    """Reads the settings of each subject, several at a time.

    The column of an unreadable subject has the reason. Raises `ApiError` if no subject could be
    read, and for another reason than that it does not exist.
    """
    errors: list[ApiError] = []

    subjects_read = list(concurrently(lambda one: _subject(api, kind, one, errors), subjects))
    faults = [error for error in errors if not isinstance(error, NotFound)]
    if subjects and len(faults) == len(subjects):
        raise faults[0]
    return subjects_read


def _subject(
    api: Api, kind: SubjectKind, one: MatrixSubject, errors: list[ApiError]
) -> MatrixSubject:
    try:
        values = kind.read(api, one.id)
        plans = _plans(api, one.id) if kind is SUB_ACCOUNTS else ()
        return replace(one, values=values, plans=plans)
    except NotFound as error:
        errors.append(error)
        words = _("There is no such %(noun)s any more.") % {"noun": kind.noun[0]}
        return replace(one, problem=words)
    except ApiError as error:
        errors.append(error)
        return replace(one, problem=cause_of(error))
    except NotAnId:
        words = _("This is not the ID of a %(noun)s.") % {"noun": kind.noun[0]}
        return replace(one, problem=words)


def _plans(api: Api, account_id: str) -> list[SubAccountPlan]:
    try:
        return plans_of(api.billing.plans(account_id))
    except (NotFound, NotAvailable):
        return []


def _plan_words(plan: SubAccountPlan) -> str:
    if plan.hosts is None:
        return plan.type or _("Yes")
    return f"{plan.type}, {seats_in_words(plan.hosts)}"


def _in_order(rows: list[MatrixRow]) -> list[MatrixRow]:
    return sorted(rows, key=lambda row: not row.differs)


@dataclass(frozen=True)
class Copied:
    """The values that others are to have, and which settings have none that can be sent."""

    values: dict[str, Any] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)


def editable(kind: SubjectKind, only: Collection[str] = ()) -> dict[str, str]:
    """Returns the names and titles of settings that can be changed: of `only` these, or of all."""
    settings = kind.catalog.editable.items()
    return {name: setting.title for name, setting in settings if not only or name in only}


def copied(kind: SubjectKind, source: Values, only: Collection[str] = ()) -> Copied:
    """Returns the values of `source` that can be given to others: of `only` these settings, or of
    all.

    A setting that was not reported cannot be sent, nor can a value that the document does not know.
    """
    titles = editable(kind, only)
    values = {name: source[name] for name in titles if source.get(name) is not None}
    try:
        kind.update(values)
    except ValidationError as error:
        refused = {problem.field for problem in problems(error)}
        values = {name: value for name, value in values.items() if name not in refused}
    left = [title for name, title in titles.items() if name not in values]
    return Copied(values, left)
