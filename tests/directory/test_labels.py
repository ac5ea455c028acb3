"""Labels of people in the directory, in words."""

import pytest

from portal.directory.models import licence_label


@pytest.mark.parametrize(
    ("licence", "label"),
    [(None, ""), (1, "Basic"), (2, "Pro"), (77, "Type 77"), (-4711, "Unknown")],
)
def test_unknown_licence_keeps_number_and_nonsense_has_none(licence, label):
    assert licence_label(licence) == label
