"""Shortcuts that make tests quick: forks that are as programs, and a database that is emptied."""

import signal

import pytest
from django.contrib.auth.models import Permission
from django.test import TransactionTestCase

from portal.access.models import User
from portal.audit import verifying
from portal.audit.models import AuditHead
from tests.support import database
from tests.support.fork_server import of_the_portal

SAY = "import os, sys; print(*sys.argv[1:], sorted(os.environ)); sys.exit('the reason')"


def test_fork_has_arguments_environment_and_end_of_its_own():
    done = of_the_portal().run("-c", SAY, "one", "two", environment={"ONLY": "this"})
    assert (done.returncode, done.stdout) == (1, "one two ['ONLY']\n")
    assert done.stderr == "the reason\n"


def test_a_fork_that_is_killed_ends_as_a_killed_process():
    running = of_the_portal().start("-c", "import time; time.sleep(600)", environment={})
    running.kill()
    assert running.wait(60) == -signal.SIGKILL
    assert running.poll() == -signal.SIGKILL


@pytest.mark.django_db(transaction=True)
def test_an_emptied_database_is_as_migrations_leave_it(viewer):
    permissions = Permission.objects.count()
    database._empty(TransactionTestCase())
    assert not User.objects.exists()
    assert Permission.objects.count() == permissions > 0
    assert AuditHead.objects.count() == 1
    assert verifying.verify() == verifying.ChainVerdict(verifying.BEGINNING)
