"""The tests' own database: on SQLite a copy of the one that a run migrates once."""

from pathlib import Path

import pytest
from django.db import connections

from tests.plugins.ready_made import lay_out, portal_database


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_keepdb: bool, django_db_modify_db_settings: None) -> bool:
    """Whether the database is there already, so that it is not made anew."""
    known = connections["default"].settings_dict
    if django_db_keepdb or not known["ENGINE"].endswith("sqlite3"):
        return django_db_keepdb
    path = Path(known["TEST"]["NAME"])
    for left in path.parent.glob(f"{path.name}*"):  # by an earlier run, and its log
        left.unlink()
    lay_out(portal_database(), path)
    return True
