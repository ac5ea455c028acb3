"""A test of many cases fails with each case that fails."""

import pytest

from tests.support.cases import for_each


@for_each("number", [1, 2, 3])
def _is_even(number):
    assert number % 2 == 0


def test_each_case_that_fails_is_named():
    with pytest.raises(AssertionError) as raised:
        _is_even()
    assert [line[:2] for line in str(raised.value).splitlines() if line[1:2] == ":"] == ["1:", "3:"]


def test_a_test_without_a_case_fails():
    with pytest.raises(AssertionError, match="no case"):
        for_each("_number", [])(lambda _number: None)()
