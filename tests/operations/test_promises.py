"""Each promise of the README and of `docs/security.md` is shown by the default run."""

import re

from tests.support.cases import for_each
from tests.support.promises import (
    LINTED,
    ROOT,
    is_in_the_default_run,
    promises,
)

PROMISES = promises()
README = " ".join((ROOT / "README.md").read_text().split())
# Sections that say how something is done, and promise nothing of it.
_WITHOUT = {"Two commands", "Configuration", "Deployment", "How the code is laid out"}


@for_each("promise", PROMISES, ids=lambda one: f"{one.source} {one.words[:40]}")
def test_a_promise_has_a_test_in_the_default_run(promise):
    assert promise.shallow, promise.tests


def test_phrases_of_the_readme_stand_there():
    phrases = [one.words for one in PROMISES if one.source.startswith("README")]
    assert [words for words in phrases if words not in README] == []


def test_every_section_of_the_readme_has_a_promise():
    sections = set(re.findall(r"(?m)^## (.+)$", (ROOT / "README.md").read_text())) - _WITHOUT
    promised = {one.source.removeprefix("README: ") for one in PROMISES}
    assert sections <= promised


def test_numbers_of_promises_are_given_once():
    numbers = [one.source for one in PROMISES if re.search(r"security \d", one.source)]
    assert sorted(numbers) == sorted(set(numbers))


def test_every_row_of_security_has_words_number_and_tests():
    table = (ROOT / "docs" / "security.md").read_text().split("\n## ")[0]
    rows = [line for line in table.splitlines() if line.startswith("| ")][2:]
    rows = [line for line in rows if not re.fullmatch(r"\| \| \*\*.+\*\* \| \|", line)]
    shown = [one.words for one in PROMISES if one.source.startswith("security")]
    lost = [line[:80] for line in rows if line.split(" | ")[1].strip() not in shown]
    assert lost == []
    assert [line[:80] for line in rows if not re.match(r"\| \d+ ", line)] == []
    assert len(rows) == len(shown)


def test_every_test_that_a_promise_names_is_there():
    named = {name for one in PROMISES for name in one.tests}
    missing = {name for name in named if name != LINTED and not _is_there(name)}
    assert missing == set()
    table = (ROOT / "docs" / "security.md").read_text().split("\n## ")[0]
    quoted = set(re.findall(r"`([\w/]+\.py(?:::\w+)?)`", table))
    assert quoted <= named


def _is_there(name):
    try:
        is_in_the_default_run(name)
    except LookupError:
        return False
    return True
