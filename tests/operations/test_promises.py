"""Each promise of the README and of `docs/security.md` is shown by the default run."""

import re

import pytest

from tests.support.promises import ROOT, Promise, promises

PROMISES = promises()
README = " ".join((ROOT / "README.md").read_text().split())
# Sections that say how something is done, and promise nothing of it.
_WITHOUT = {"Two commands", "Configuration", "Deployment", "How the code is laid out"}


@pytest.mark.parametrize("promise", PROMISES, ids=lambda one: f"{one.source} {one.words[:40]}")
def test_a_promise_has_a_test_in_the_default_run(promise: Promise) -> None:
    assert promise.shallow, promise.tests


def test_phrases_of_the_readme_stand_there() -> None:
    phrases = [one.words for one in PROMISES if one.source.startswith("README")]
    assert [words for words in phrases if words not in README] == []


def test_every_section_of_the_readme_has_a_promise() -> None:
    sections = set(re.findall(r"(?m)^## (.+)$", (ROOT / "README.md").read_text())) - _WITHOUT
    promised = {one.source.removeprefix("README: ") for one in PROMISES}
    assert sections <= promised


def test_numbers_of_promises_are_given_once() -> None:
    numbers = [one.source for one in PROMISES if re.search(r"security \d", one.source)]
    assert sorted(numbers) == sorted(set(numbers))
