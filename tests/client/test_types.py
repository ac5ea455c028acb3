"""Calls are typed: mypy knows what each takes and returns."""

from pathlib import Path

import pytest
from mypy import api as mypy

pytestmark = pytest.mark.deep

CALLS = Path(__file__).with_name("typed_calls.py")


def test_calls_are_typed_from_the_contract(tmp_path):
    config = tmp_path / "mypy.ini"
    config.write_text("[mypy]\nplugins = pydantic.mypy\nstrict = true\n")
    said, failed, status = mypy.run(
        [f"--config-file={config}", f"--cache-dir={tmp_path}", str(CALLS)]
    )
    assert (status, failed) == (0, ""), said
