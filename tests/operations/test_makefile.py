"""The commands of the Makefile do something: a phony target without a rule succeeds in silence."""

import re

from tests.support.promises import ROOT


def test_every_command_of_the_makefile_has_a_rule():
    text = (ROOT / "Makefile").read_text()
    named = re.search(r"^\.PHONY: (help .*)$", text, re.MULTILINE)
    assert named
    ruled = set(re.findall(r"^([a-z-]+):.*\n\t", text, re.MULTILINE))
    assert set(named[1].split()) - ruled == set()


def test_what_ci_calls_is_a_command_of_the_makefile():
    called = re.findall(r"\bmake ([a-z-]+)", (ROOT / ".ci" / "run").read_text())
    assert set(called) <= set(
        re.findall(r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text(), re.MULTILINE)
    )
