"""Fixtures of the tests of the operations."""

from pathlib import Path

import pytest

from tests.support.ready_made import lay_out, portal_database


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory whose database has every table, for tests that only look at it."""
    data_dir = tmp_path_factory.mktemp("migrated")
    lay_out(portal_database(), data_dir / "switchboard.sqlite3")
    return data_dir
