"""Samples of a demonstration are made and taken away by the services that people use."""

from dataclasses import replace

import pytest
from django.urls import reverse

from portal.access.http import Origin
from portal.access.models import ApprovalRule, Session, User
from portal.approvals.models import ApprovalRequest, RequestState
from portal.audit.acts import Act
from portal.audit.models import AuditEntry
from portal.dashboards.models import AlertRule
from portal.domain import samples
from portal.jobs import services
from portal.jobs.models import Job
from portal.people.imports import jobs as people_import
from portal.recordings.models import RetentionRule
from tests.support.portal import admin_client_for

pytestmark = pytest.mark.django_db


def test_samples_taken_away_are_explained_in_the_trail(connection, monkeypatch):
    drafted = [
        replace(one, make=_draft) if one.name == "import" else one for one in samples._samples
    ]
    monkeypatch.setattr(samples, "_samples", drafted)
    samples.add_colleagues(connection)
    samples.make(connection)
    assert ApprovalRequest.objects.get().state == RequestState.WAITING
    made = AuditEntry.objects.count()
    samples.remove(connection)
    assert not RetentionRule.objects.exists()
    assert not AlertRule.objects.exists()
    assert not Job.objects.filter(owner__email="nadia.okafor@example.com").exists()
    assert ApprovalRequest.objects.get().state == RequestState.WITHDRAWN
    assert ApprovalRule.objects.get().asks_for_nothing
    entries = AuditEntry.objects.filter(sequence__gt=made).order_by("sequence")
    said = list(entries.values_list("operation", flat=True))
    assert said.count(Act.SHARE_TAKEN_BACK) == 2
    assert said[: said.index(Act.APPROVAL_RULES_SET)].count(Act.SHARE_TAKEN_BACK) == 2
    assert {
        *(Act.APPROVAL_WITHDRAWN, Act.BASELINE_REMOVED, Act.RETENTION_REMOVED),
        *(Act.REPORT_DELETED, Act.ALERT_RULE_REMOVED, Act.MEMBER_DEACTIVATED),
        *(Act.JOB_CANCELLED, Act.JOB_REMOVED, "groups.delete", "webhooks.delete"),
    } <= set(said)
    assert set(entries.values_list("email", flat=True)) == {
        connection.owner.email,
        "nadia.okafor@example.com",
    }


def _draft(colleague, connection):
    """Begins the import, which no worker plans here."""
    services.draft(Origin(colleague), connection, people_import.KIND, "new-people.csv")


def test_open_sessions_of_colleagues_end_with_the_samples(connection):
    made = [one["email"] for one in samples.add_colleagues(connection)]
    people = [User.objects.get(email=email) for email in made]
    browsers = [admin_client_for(person) for person in people]
    samples.remove(connection)
    for browser in browsers:
        answer = browser.get(reverse("home"))
        assert answer["Location"].startswith(reverse("account_login"))
    assert not Session.objects.filter(user__in=people).exists()
