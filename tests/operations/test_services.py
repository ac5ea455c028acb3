"""Which tests run again on other services follows from the fixtures that they ask for."""

import os
import subprocess
import sys

import pytest
from django.core.cache import cache

from portal.access.models import User
from tests.support.programs import ROOT


def test_a_test_without_such_a_fixture_reaches_no_database():
    with pytest.raises(RuntimeError, match="Database access not allowed"):
        User.objects.exists()


def test_a_test_without_such_a_fixture_reaches_no_cache():
    with pytest.raises(pytest.fail.Exception, match="asks for the fixture"):
        cache.get("anything")


def test_no_program_that_a_test_starts_inherits_an_address(services):
    assert set(vars(services)).isdisjoint(os.environ)


def test_a_test_that_asks_for_the_cache_has_it_empty(portal_cache):
    assert cache.add("found", 1)


def test_a_test_that_asks_for_the_database_has_it(db):
    assert not User.objects.exists()


@pytest.mark.django_db
def test_a_test_that_is_marked_for_the_database_has_it():
    assert not User.objects.exists()


def test_those_with_such_a_fixture_run_again_and_no_others(tmp_path):
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-n", "0", "--services"]
    found = subprocess.run(
        [*command, __file__, "tests/browser/test_weight.py", f"--basetemp={tmp_path}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    names = {line.rpartition("::")[2] for line in found.stdout.splitlines() if "::" in line}
    assert names == {
        "test_no_program_that_a_test_starts_inherits_an_address",
        "test_a_test_that_asks_for_the_cache_has_it_empty",
        "test_a_test_that_asks_for_the_database_has_it",
        "test_a_test_that_is_marked_for_the_database_has_it",
    }, found.stdout + found.stderr
