"""What the tests of the operations share."""

from pathlib import Path

import pytest

from tests.operations.programs import production, run


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory whose database has every table, for tests that only look at it."""
    data_dir = tmp_path_factory.mktemp("migrated")
    answer = run("manage.py", "migrate", "--verbosity", "0", environment=production(data_dir))
    assert answer.returncode == 0, answer.stderr
    return data_dir
