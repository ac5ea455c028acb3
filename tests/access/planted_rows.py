"""Rows in each table about a planted person, named by the kind of thing and the person's mark."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.apps import apps
from django.db import models
from django.utils import timezone

from portal.access.http import Origin
from portal.access.models import Connection, User
from portal.account.models import Baseline, Reach
from portal.approvals.models import ApprovalRequest
from portal.audit.acts import Act
from portal.audit.trail import record
from portal.dashboards.models import (
    Alert,
    AlertKind,
    AlertRule,
    MeasuredDay,
    MeasuredSession,
    StoredSample,
)
from portal.people.models import OnboardingTemplate, Protection
from portal.recordings.models import Hold, MirroredRecording, RetentionRule
from portal.reports.models import SavedReport, StoredReport, StoredRow, StoredWindow
from portal.sessions.models import SessionTemplate
from portal.ui.models import SavedView
from portal.webhooks.models import Delivery
from tests.access.planted import PlantedPerson, give_job

Give = Callable[[PlantedPerson, User, Connection], None]


def _trail(one: PlantedPerson, owner: User, connection: Connection) -> None:
    about = {"object_id": one.id, "label": f"Entry of {one.mark}", "connection": connection}
    entry = record(Origin(owner), Act.PERSON_OFFBOARDED, sent={"email": one.email}, **about)  # type: ignore[arg-type]
    one.kept["sequence"] = entry.sequence


def _hold(one: PlantedPerson, owner: User, connection: Connection) -> None:
    row = MirroredRecording.objects.get(uuid=one.recording)
    Hold.objects.create(
        uuid=one.recording,
        service=connection.base_url,
        account_id=connection.account_id,
        session_id=row.session_id,
        host_id=one.id,
        host_email=one.email,
        topic=row.topic,
        connection=connection,
        held_by=owner,
        reason=f"Hold of {one.mark}",
    )


def _rules(one: PlantedPerson, owner: User, connection: Connection) -> None:
    now = timezone.now()
    rule = RetentionRule.objects.create(
        connection=connection, owner=owner, older_than=30, host_id=one.id, whose=one.name
    )
    notice = rule.notices.create(host_id=one.id, host_email=one.email)
    notice.recordings.create(uuid=one.recording, topic=f"Recorded by {one.mark}")
    protection = Protection.objects.create(
        connection=connection, kind="person", key=one.id, name=one.name, reason="Theirs"
    )
    onboarding = OnboardingTemplate.objects.create(
        connection=connection, name=f"Onboarding of {one.mark}"[:40], groups=[[one.group, one.mark]]
    )
    baseline = Baseline.objects.create(
        connection=connection,
        owner=owner,
        name=f"Baseline of {one.mark}",
        kind="people",
        scope=Reach.CHOSEN,
        targets=[[one.id, one.name]],
        values={"in_meeting.chat": True},
        is_active=False,
    )
    baseline.drifts.create(
        subject_id=one.id, subject=one.name, setting="in_meeting.chat", since=now, checked_at=now
    )
    one.kept |= {"retention_id": rule.pk, "protection_id": protection.pk}
    one.kept |= {"onboarding_id": onboarding.pk, "baseline_id": baseline.pk}


def _live(one: PlantedPerson, _owner: User, connection: Connection) -> None:
    now, day = timezone.now(), timezone.now().date()
    rule, _ = AlertRule.objects.get_or_create(
        connection=connection, kind=AlertKind.PARTICIPANTS, defaults={"threshold": 9}
    )
    facts = {"words": f"Alert of {one.mark}", "began_at": now, "raised_at": now}
    Alert.objects.create(rule=rule, subject=one.meeting, **facts)
    seen = {"network": "LAN", "location": one.mark, "version": "1", "device": "PC"}
    StoredSample.objects.create(
        connection=connection,
        session=one.meeting,
        stay=one.mark[:32],
        measured_at=now,
        participant=one.id,
        name=one.name,
        level="poor",
        content={"email": one.email},
        **seen,
    )
    measured, _ = MeasuredDay.objects.get_or_create(
        connection=connection, day=day, defaults={"asked_at": now, "read_at": now}
    )
    session = MeasuredSession.objects.create(
        connection=connection,
        day=measured,
        family="meetings",
        key=one.meeting,
        topic=f"Measured of {one.mark}",
        start=now,
        read_at=now,
    )
    stay = session.stays.create(
        key=one.mark,
        participant=one.id,
        person=one.mark,
        user_id=one.id,
        name=one.name,
        **seen,
    )
    stay.streams.create(medium="audio", is_sent=True, latency=9000)


def _reports(one: PlantedPerson, owner: User, connection: Connection) -> None:
    """A row of each list that is about hosts, of the days that pages show first."""
    today = timezone.now().date()
    data: dict[str, Any] = {"id": one.id, "email": one.email, "user_name": one.name}
    data |= {"dept": one.document["dept"], "type": 2}
    data |= {"host_name": one.name, "phone_number": one.mark, "meetings": 1, "meeting_minutes": 1}
    for source in ("hosts", "inactive", "telephone"):
        report, _ = StoredReport.objects.get_or_create(connection=connection, source=source)
        yesterday = today - timedelta(days=1)
        for first, last in ((today.replace(day=1), today), (yesterday, yesterday)):
            window, _ = StoredWindow.objects.get_or_create(
                report=report,
                first=first,
                last=last,
                defaults={"read_at": timezone.now(), "reader": "planted", "is_whole": True},
            )
            found = f"{one.name} {one.email}"
            StoredRow.objects.create(window=window, key=one.mark, day=last, search=found, data=data)
    due = timezone.now() + timedelta(days=1)
    saved = SavedReport.objects.create(
        connection=connection, owner=owner, name=f"Saved of {one.mark}", slug="hosts", next_at=due
    )
    one.kept["saved_id"] = saved.pk


def _of_the_owner(one: PlantedPerson, owner: User, connection: Connection) -> None:
    """What is a person's own."""
    SavedView.objects.create(
        connection=connection, user=owner, list_name="people", name=f"View of {one.mark}"[:40]
    )
    template = SessionTemplate.objects.create(
        owner=owner, connection=connection, kind="meetings", name=f"Template of {one.mark}"[:60]
    )
    one.kept["template_id"] = template.pk


def _asked(one: PlantedPerson, owner: User, connection: Connection) -> None:
    asked = ApprovalRequest.objects.create(
        connection=connection,
        requester=owner,
        kind="call",
        state="waiting",
        operation="users.delete",
        family="users",
        object_id=one.id,
        object_label=one.name,
        title=f"Request of {one.mark}",
        digest=one.mark,
        lapses_at=timezone.now() + timedelta(days=1),
    )
    delivery = Delivery.objects.create(
        connection=connection,
        event="user.updated",
        object_id=one.id,
        topic=f"Delivery of {one.mark}",
        payload=f'{{"email": "{one.email}"}}',
        search=one.email,
    )
    one.kept |= {"request_key": asked.key, "delivery_id": delivery.pk}


def give_rows(one: PlantedPerson, owner: User, connection: Connection) -> None:
    """Keeps something of them in every table that can hold it."""
    gives: tuple[Give, ...] = (_trail, _hold, _rules, _live, _reports, _of_the_owner, _asked)
    for give in (give_job, *gives):
        give(one, owner, connection)


# Tables of a connection without names of people, or with no more than another one shows.
_FIGURES = "it holds figures of the whole account"
_STATE = "it holds how reading goes"
_OWN = "it is read back by whoever sent it alone"
NAMELESS = {
    "access.ApprovalRule": "it names operations",
    "access.ConnectionCheck": "it names operations, for the owner",
    "access.ServiceToken": "it is a secret, and no page shows it",
    "access.Share": "it names whom a connection is shared with, to its owner",
    "dashboards.LiveSample": _FIGURES,
    "dashboards.LiveSnapshot": "what runs is read from the service by the pages themselves",
    "dashboards.QualityThresholds": _FIGURES,
    "webhooks.Gap": _STATE,
    "mirror.MirrorState": _STATE,
    "webhooks.Subscription": "it is where the service posts to",
    "directory.UnplacedPerson": "it says who created a person, whom pages name by the lists",
    "people.PlanReading": _FIGURES,
    "people.SeatCount": _FIGURES,
    "people.SeatCounting": _STATE,
    "people.StatedSeats": _FIGURES,
    "planned_sessions.RecordedSession": "it says which session the list shows a mark at",
    "planned_sessions.RegistrationRule": "it names a field of sessions",
    "planned_sessions.SessionToRead": _STATE,
    "recordings.StorageReading": _FIGURES,
    "imports.StoredTable": _OWN,
    "work.OutgoingMail": "no page shows it, and who sees less by then does not get it",
}


def unplanted() -> set[str]:
    """Returns the tables of a connection that have no row about a planted person after
    `give_rows`."""
    found = set()
    for model in apps.get_models():
        fields: list[Any] = [one for one in model._meta.concrete_fields if one.is_relation]
        is_of_a_connection = any(one.related_model is Connection for one in fields)
        if model.__module__.startswith("portal.") and is_of_a_connection:
            rows: models.QuerySet[Any] = model._default_manager.all()
            if not rows.exists() or model._meta.label in NAMELESS:
                found.add(model._meta.label)
    return found
