"""Findings of a connection check in words: for its page, and as text for a colleague."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from portal.access.models import ConnectionCheck
from portal.audit.wording import moment_in_words
from portal.connections.scopes import (
    FamilyCoverage,
    coverage_of,
    held_by,
    is_master,
    missing_of,
)
from portal.connections.services.checking import STORED_MESSAGES, Finding, State
from portal.connections.services.probes import PROBES
from portal.contract import FAMILIES
from portal.contract.today import ASKED
from portal.translation import gettext as _, gettext_lazy, number, stored

_TITLES = {family.name: family for family in FAMILIES}
_WORDS = {
    State.WORKS: ("good", gettext_lazy("Works")),
    State.EMPTY: ("good", gettext_lazy("Works, nothing there")),
    State.SLOW: ("warning", gettext_lazy("Slow")),
    State.SCOPE: ("bad", gettext_lazy("Needs a scope")),
    State.MASTER: ("neutral", gettext_lazy("Needs a master account")),
    State.PERMISSION: ("bad", gettext_lazy("Not permitted to the app")),
    State.PLAN: ("neutral", gettext_lazy("Not in the plan")),
    State.SERVICE: ("neutral", gettext_lazy("Not on this service")),
    State.UNREADABLE: ("warning", gettext_lazy("Unreadable")),
    State.REFUSED: ("bad", gettext_lazy("Refused")),
    State.SILENT: ("bad", gettext_lazy("Does not answer")),
    State.ROLE: ("neutral", gettext_lazy("Not for the owner's role")),
    State.NOT_ASKED: ("neutral", gettext_lazy("Not asked")),
}


@dataclass(frozen=True)
class Row:
    """One family with its result and the reason."""

    title: str
    operation: str
    tone: str
    result: str
    milliseconds: str
    words: str


class CheckReport:
    """A check in the reader's language."""

    def __init__(self, check: ConnectionCheck) -> None:
        self.check = check
        self._findings = [Finding(**values) for values in check.findings]

    @property
    def rows(self) -> list[Row]:
        return [_row(finding) for finding in self._findings]

    @property
    def done(self) -> int:
        return len(self._findings)

    @property
    def total(self) -> int:
        return len(PROBES)

    @property
    def problem(self) -> str:
        return stored.shown(self.check.problem, STORED_MESSAGES)

    @property
    def missing_scopes(self) -> list[str]:
        """Returns the scopes that the service named as missing, and those that its token lacks."""
        named = {
            scope
            for finding in self._findings
            if finding.state != State.MASTER
            for scope in finding.scopes
        }
        return sorted(named | set(self._missing.values())) if self._findings else []

    @cached_property
    def _missing(self) -> dict[str, str]:
        """Returns what the token lacks, but for what only accounts with sub accounts have."""
        missing = missing_of(self.check.connection)
        return {name: one for name, one in missing.items() if not ASKED[name].is_of_masters}

    @cached_property
    def coverage(self) -> list[FamilyCoverage]:
        return coverage_of(self.check.connection)

    @property
    def has_sub_accounts(self) -> bool:
        return is_master(held_by(self.check.connection))

    @property
    def covers_all(self) -> bool:
        return all(family.is_whole for family in self.coverage)

    @property
    def summary(self) -> str:
        """Returns how many families stand how, such as "20 work, 3 need a scope"."""
        counted = Counter(str(_WORDS[State(finding.state)][1]) for finding in self._findings)
        phrases = [
            f"{words}: {number(counted[words])}"
            for words in dict.fromkeys(str(words) for _tone, words in _WORDS.values())
            if counted[words]
        ]
        if lacking := len(self._missing):
            words = _("Operations without their scope: %(count)s")
            phrases.insert(0, words % {"count": number(lacking)})
        return ", ".join(phrases)

    def text(self) -> str:
        """Returns the whole of it as plain text, without anything secret."""
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        at = moment_in_words(self.check.ended_at or self.check.asked_at)
        named = {"name": self.check.connection.name, "time": at}
        yield _("Connection check of %(name)s, %(time)s") % named
        if self.problem:
            yield self.problem
        if self._findings:
            yield self.summary
        yield ""
        rows = self.rows
        title = max((len(row.title) for row in rows), default=0)
        result = max((len(row.result) for row in rows), default=0)
        for row in rows:
            line = f"{row.title:{title}}  {row.result:{result}}  {row.milliseconds:>9}  {row.words}"
            yield line.rstrip()
        for covered in self.coverage:
            for what, scope in covered.lacking:
                yield f"{covered.title}: {what}: {scope}"
        if missing := self.missing_scopes:
            yield ""
            yield _("Missing scopes: %(scopes)s") % {"scopes": " ".join(missing)}


def _row(finding: Finding) -> Row:
    tone, words = _WORDS[State(finding.state)]
    result = str(words)
    if finding.state == State.SCOPE and finding.scopes:
        result = _("Needs scope %(scopes)s") % {"scopes": ", ".join(finding.scopes)}
    elif finding.state == State.UNREADABLE and finding.lacking:
        result = _("Unreadable: field %(field)s") % {"field": finding.lacking}
    family = _TITLES.get(finding.family)
    took = {"milliseconds": number(finding.milliseconds)}
    return Row(
        family.title if family else finding.family,
        finding.operation,
        tone,
        result,
        _("%(milliseconds)s ms") % took if finding.milliseconds else "",
        stored.shown(finding.words, STORED_MESSAGES),
    )
