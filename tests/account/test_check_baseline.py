"""`manage.py check_baseline`: the status says whether all is as wanted, the output what is not."""

import io
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from portal.account.baselines import document
from portal.account.models import Reach
from tests.account.baselines import CHAT, made_baseline
from tests.support.fault_server import answer

pytestmark = pytest.mark.django_db


class Run:
    """A run of the command, with its output and status."""

    def __init__(self, *arguments: object, **options: Any) -> None:
        out, err = io.StringIO(), io.StringIO()
        self.status = 0
        try:
            call_command("check_baseline", *map(str, arguments), stdout=out, stderr=err, **options)
        except CommandError as error:
            self.status = error.returncode
            err.write(str(error))
        self.out, self.err = out.getvalue(), err.getvalue()


def test_the_status_is_1_with_drift_and_0_without(connection, two, dept):
    baseline = made_baseline(connection, dept)
    found = Run(baseline.name)
    assert (found.status, found.err) == (0, "")
    assert f"Department {dept}: 2 people, 1 wanted, 0 differ." in found.out
    two[0].set(in_meeting={"chat": False})
    found = Run(baseline.name.upper(), connection=connection.name)
    assert found.status == 1
    line = f"({two[0].id}): {CHAT}: wanted On, found Off"
    assert line in found.out
    assert two[0].email in found.out
    assert "Drift: 1 setting differs." in found.err
    assert not baseline.drifts.exists()  # it only reads


def test_a_document_is_checked_without_being_stored(connection, two, dept, tmp_path):
    baseline = made_baseline(connection, dept)
    path = tmp_path / "sales.yaml"
    path.write_text(document.write(baseline))
    baseline.delete()
    assert Run(file=path, connection=connection.key).status == 0
    two[1].set(in_meeting={"chat": False})
    found = Run(file=path, connection=connection.key)
    assert found.status == 1
    assert two[1].email in found.out
    path.write_text("version: 1\nname: [")
    found = Run(file=path, connection=connection.key)
    assert found.status == 2
    assert "Line 2" in found.err
    assert Run(file=tmp_path / "none.yaml", connection=connection.key).status == 2


def test_the_status_is_2_where_it_cannot_be_checked(connection, faulty, fault_server, dept):
    assert Run("No such baseline").status == 2
    assert Run().status == 2
    assert Run("A", file=Path("b.yaml")).status == 2
    made_baseline(connection, dept, name="Twice")
    made_baseline(faulty, dept, name="Twice")
    assert "Choose with --connection" in Run("Twice").err
    fault_server.always(answer(401, {"code": 124, "message": "The token is not valid."}))
    everyone = made_baseline(faulty, dept, kind="sub-accounts", scope=Reach.ALL, targets=[])
    found = Run(everyone.name)
    assert found.status == 2
    assert "The token is not valid." in found.err
