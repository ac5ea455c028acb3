"""Promise 29 once more, of a table whose cells are all different, which takes the most to read."""

import pytest

from tests.imports.test_sheets_memory import MEGABYTE, grown, on_linux

pytestmark = pytest.mark.deep

CELLS = """b"email" + b",b" * 39 + b"\\n" + b"\\n".join(
    b",".join(b"%x" % (row * 40 + at) for at in range(40)) for row in range(33_000)
)"""


@on_linux
def test_cells_that_are_all_different_take_bounded_memory():
    most, said = grown({"cells": CELLS})["cells"]
    assert most < 250 * MEGABYTE, said
