"""A change that waits ends once, whoever is first: its user, who asked, another or the worker."""

from collections import Counter

import pytest
from django.urls import reverse

from portal.access.http import Origin
from portal.access.roles import Role
from portal.audit.models import AuditEntry
from portal.config import clock
from portal.team import waiting
from portal.team.models import AccountChange, ChangeKind
from portal.team.tasks import change_account
from tests.approvals.test_races import at_once
from tests.support.portal import admin_client_for, member

pytestmark = pytest.mark.django_db(transaction=True)
ENDS = {"team.deactivate", "team.stop_change", "team.withdraw_change"}


def test_change_ends_once_whoever_is_first(administrator):
    asker, third = (member(f"{name}@example.com", Role.ADMINISTRATOR) for name in ("a", "third"))
    browsers = {
        "stop": admin_client_for(administrator),
        "withdraw": admin_client_for(asker),
        "now": admin_client_for(third),
    }
    change = waiting.ask(Origin(asker), administrator, ChangeKind.DEACTIVATION)
    AccountChange.objects.update(due_at=clock.now())
    paths = {name: reverse(f"team:change-{name}", args=[change.pk]) for name in browsers}
    at_once(
        *(lambda name=name: browsers[name].post(paths[name]) for name in browsers),
        lambda: change_account(change.pk),
        lambda: change_account(change.pk),
    )
    acts = AuditEntry.objects.filter(object_id=str(administrator.pk), operation__in=ENDS)
    assert Counter(acts.values_list("operation", flat=True)).total() == 1
    change.refresh_from_db()
    administrator.refresh_from_db()
    assert administrator.is_active == (change.state != "done")


def test_two_who_ask_at_once_are_one_change(administrator):
    admin_client_for(administrator)
    askers = [member(f"{name}@example.com", Role.ADMINISTRATOR) for name in ("a", "b")]
    browsers = [admin_client_for(one) for one in [*askers, askers[0]]]
    path = reverse("team:member-deactivate", args=[administrator.pk])
    at_once(*(lambda browser=browser: browser.post(path) for browser in browsers))
    assert AccountChange.objects.count() == 1
    assert AuditEntry.objects.filter(operation="team.ask_change").count() == 1
