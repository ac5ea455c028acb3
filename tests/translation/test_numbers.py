"""Numbers are grouped as the reader's language groups them."""

import pytest
from django.utils import translation

from portal.translation import number


@pytest.mark.parametrize(
    ("language", "value", "decimals", "written"),
    [
        ("en-gb", 50_000, 0, "50,000"),
        ("de", 50_000, 0, "50.000"),
        ("en-gb", 1234.5, 1, "1,234.5"),
        ("de", 1234.5, 1, "1.234,5"),
        ("de", -7, 0, "-7"),
        ("de", 12_345_678_901_234_567, 0, "12.345.678.901.234.567"),
    ],
)
def test_a_number_is_written_in_the_language_of_whoever_reads_it(
    language, value, decimals, written
):
    with translation.override(language):
        assert number(value, decimals) == written
