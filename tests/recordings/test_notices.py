"""Notices of retention rules: hosts are told first, and keep recordings by a link of their own."""

import re
from datetime import UTC, date, datetime, timedelta
from smtplib import SMTPRecipientsRefused, SMTPServerDisconnected

import pytest
import time_machine
from django.conf import settings
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client
from django.urls import reverse

from portal.access.http import Origin
from portal.audit.models import AuditEntry
from portal.jobs.models import Job
from portal.mirror.models import MirrorState
from portal.recordings import holds, mirror, notices
from portal.recordings.jobs.retention import RETENTION, Notice, set_rule, turn_off, turn_on
from portal.recordings.models import Hold, MirroredRecording, RetentionNotice, RetentionRule
from tests.people.test_chosen import states
from tests.recordings.made import mirrored
from tests.support.html import text_of
from tests.support.queues import work_off

pytestmark = pytest.mark.django_db

NOTICE = Notice(notice_days=7, keep_days=90, keep_times=1)
HOSTS = ("ada@brightwater.example", "grace@brightwater.example")


@pytest.fixture
def old(connection):
    """Two recordings of a host and one of another, all older than 30 days."""
    now = datetime.now(UTC)
    return [
        mirrored(
            connection, uuid, host_id=host, host_email=host, start_time=now - timedelta(days=60)
        )
        for uuid, host in (("first==", HOSTS[0]), ("second==", HOSTS[0]), ("third==", HOSTS[1]))
    ]


@pytest.fixture
def rule(old):
    """A rule that is on, and tells hosts seven days before."""
    connection = old[0].connection
    origin = Origin(connection.owner, email=connection.owner.email)
    made = set_rule(origin, connection, older_than=30, whose="", notice=NOTICE)
    turn_on(origin, made)
    return made


def nightly(rule: RetentionRule) -> None:
    """Runs the rule and sends its mails, with a list that was just read."""
    state = mirror.state_of(rule.connection)
    now = datetime.now(UTC)
    MirrorState.objects.filter(pk=state.pk).update(refreshed_at=now)
    work_off(RETENTION)
    work_off(notices.NOTICES)
    rule.refresh_from_db()


def later(**delta: int) -> time_machine.travel:
    return time_machine.travel(datetime.now(UTC) + timedelta(**delta), tick=True)


def link_in(message) -> str:
    [path] = re.findall(rf"{re.escape(settings.SITE_URL)}(/keep/\S+)", message.body)
    return path


def test_nothing_goes_before_its_host_was_told_in_time(rule, mailoutbox):
    nightly(rule)
    assert rule.outcome == "2 hosts were told what will go."
    assert sorted(message.to[0] for message in mailoutbox) == list(HOSTS)
    assert "Recording first==" in mailoutbox[0].body + mailoutbox[1].body
    assert not Job.objects.exists()
    with later(days=6):
        nightly(rule)
        assert (len(mailoutbox), Job.objects.count()) == (2, 0)
    with later(days=8):
        nightly(rule)
        assert len(mailoutbox) == 2
        assert Job.objects.get().parameters["chosen"]["wanted"]["ids"] == [
            "first==",
            "second==",
            "third==",
        ]


def test_host_keeps_recordings_by_link_once_and_no_other(rule, mailoutbox, capfd):
    nightly(rule)
    [to_ada, _to_grace] = sorted(mailoutbox, key=lambda message: message.to)
    link, host = link_in(to_ada), Client()
    page = host.get(link)
    assert "Recording second==" in page.text
    assert "Recording third==" not in page.text
    assert host.head(link).status_code == 200
    assert not Hold.objects.exists()
    assert host.post(link, {"uuids": ["third=="]}).status_code == 422
    assert "Choose at least one" in host.post(link).text
    assert host.post(link, {"uuids": ["first=="]}).status_code == 303
    hold = Hold.objects.get()
    until = date.today() + timedelta(days=90)
    assert (hold.uuid, hold.by_host) == ("first==", True)
    assert abs(hold.until - until) <= timedelta(days=1)
    assert link.rpartition(":")[2].strip("/") not in "".join(capfd.readouterr())
    [entry] = AuditEntry.objects.filter(operation="meetings.keep_recording")
    assert (entry.email, entry.object_id) == (HOSTS[0], "first==")
    assert "been used" in text_of(host.post(link, {"uuids": ["second=="]}).text)
    assert Hold.objects.count() == 1
    assert "On hold by its host" in holds.in_words(hold, rule.connection)
    with later(days=8):
        nightly(rule)
        wanted = Job.objects.get().parameters["chosen"]["wanted"]
        assert wanted["ids"] == ["second==", "third=="]
        assert "has ended" in Client().get(link_in(_to_grace)).text


def test_recording_kept_as_often_as_allowed_is_not_offered_again(rule, mailoutbox):
    nightly(rule)
    [to_ada] = [message for message in mailoutbox if message.to == [HOSTS[0]]]
    Client().post(link_in(to_ada), {"uuids": ["first==", "second=="]})
    mailoutbox.clear()
    with later(days=92):
        nightly(rule)
        [again] = [message for message in mailoutbox if message.to == [HOSTS[0]]]
        assert "as often as this rule allows" in again.body
        assert "/keep/" not in again.body
        [told] = RetentionNotice.objects.filter(host_id=HOSTS[0], answered_at=None)
        page = Client().post(notices.link_of(told), {"uuids": ["first=="]})
        assert page.status_code == 422
        assert not holds.active().exists()


@pytest.mark.parametrize("change", ["cut", "other", "turned_off", "turned_on", "removed"])
def test_link_that_is_none_or_has_ended_keeps_nothing(rule, mailoutbox, change):
    nightly(rule)
    link = link_in(mailoutbox[0])
    origin = Origin(rule.owner)
    if change == "cut":
        link = f"{link[:-3]}/"
    elif change == "other":
        key, _, signature = link.removeprefix("/keep/").partition(":")
        link = f"/keep/{key[:-1]}{'0' if key[-1] != '0' else '1'}:{signature}"
    elif change == "removed":
        rule.delete()
    else:
        turn_off(origin, rule)
        if change == "turned_on":
            turn_on(origin, rule)
    page = Client().post(link, {"uuids": ["first==", "second==", "third=="]})
    assert page.status_code == 404
    assert "not valid" in page.text
    assert not Hold.objects.exists()


def test_recording_given_to_another_host_is_told_of_anew(rule, mailoutbox):
    nightly(rule)
    to_ada = next(message for message in mailoutbox if message.to == [HOSTS[0]])
    moved = MirroredRecording.objects.filter(uuid="first==")
    moved.update(host_id=HOSTS[1], host_email=HOSTS[1])
    Client().post(link_in(to_ada), {"uuids": ["first=="]})
    assert not Hold.objects.exists()
    with later(days=8):
        nightly(rule)
        assert Job.objects.get().parameters["chosen"]["wanted"]["ids"] == ["second==", "third=="]
        assert [message.to for message in mailoutbox[2:]] == [[HOSTS[1]]]


def test_mail_that_no_server_takes_leaves_recordings(rule, monkeypatch):
    answers = {HOSTS[0]: SMTPRecipientsRefused({}), HOSTS[1]: SMTPServerDisconnected()}
    sent = []

    def send_messages(_self, messages):
        for message in messages:
            sent.append(message.extra_headers["Message-ID"])
            raise answers[message.to[0]]

    monkeypatch.setattr(EmailBackend, "send_messages", send_messages)
    nightly(rule)
    work_off(notices.NOTICES)
    [refused, waiting] = RetentionNotice.objects.order_by("host_id")
    assert refused.failed_at
    assert (waiting.failed_at, waiting.sent_at) == (None, None)
    assert len(sent) == 3
    assert len(set(sent)) == 2, "the same mail has the same Message-ID"
    with later(days=2):
        nightly(rule)
        waiting.refresh_from_db()
        assert waiting.failed_at
    with later(days=30):
        nightly(rule)
        assert not Job.objects.exists()


def test_recordings_without_address_or_on_hold_are_not_told_of(rule, old, mailoutbox):
    connection = rule.connection
    MirroredRecording.objects.filter(uuid="third==").update(host_email="")
    holds.place(Origin(connection.owner), connection, [old[0]], "Lawsuit", None)
    nightly(rule)
    [message] = mailoutbox
    assert "first==" not in message.body
    with later(days=8):
        nightly(rule)
        assert Job.objects.get().parameters["chosen"]["wanted"]["ids"] == ["second=="]


def test_link_leaves_longer_holds_and_lengthens_shorter_ones(rule, old, mailoutbox):
    nightly(rule)
    first, second, _third = old
    by_owner, connection = Origin(rule.owner), rule.connection
    holds.place(by_owner, connection, [first], "Lawsuit", None)
    holds.place(by_owner, connection, [second], "Audit", datetime.now(UTC).date())
    [to_ada] = [message for message in mailoutbox if message.to == [HOSTS[0]]]
    Client().post(link_in(to_ada), {"uuids": [first.uuid, second.uuid]})
    [kept, lengthened] = Hold.objects.order_by("uuid")
    assert (kept.reason, kept.until, kept.by_host) == ("Lawsuit", None, False)
    assert lengthened.reason.startswith("Audit · ")
    assert lengthened.until > datetime.now(UTC).date() + timedelta(days=80)


@pytest.mark.parametrize("meanwhile", ["pressed", "turned_off"])
def test_press_after_link_has_ended_keeps_nothing_more(rule, mailoutbox, meanwhile):
    nightly(rule)
    read = RetentionNotice.objects.select_related("rule").get(host_id=HOSTS[0])
    origin, uuids = Origin(email=HOSTS[0]), ["first==", "second=="]
    if meanwhile == "pressed":
        assert notices.keep(origin, read, uuids[:1]) == 1
    else:
        turn_off(Origin(rule.owner), rule)
    before = Hold.objects.count()
    assert notices.keep(origin, read, uuids) == 0
    assert Hold.objects.count() == before


def test_hold_of_host_stops_row_of_job_that_was_planned(rule, mailoutbox, work):
    nightly(rule)
    told = RetentionNotice.objects.get(host_id=HOSTS[1])
    with later(days=8):
        nightly(rule)
        third = MirroredRecording.objects.get(uuid="third==")
        origin = Origin(email=told.host_email)
        holds.place(origin, rule.connection, [third], "", date(2099, 1, 1), answerable=rule.owner)
        assert "done" not in states(work(Job.objects.get()))


def test_notice_of_rule_is_set_in_form_and_shown_with_answers(client, old, mailoutbox):
    connection = old[0].connection
    new = reverse("recordings:retention-new", args=[connection.key])
    values = {"older_than": "30", "notice_days": "7", "keep_days": "", "keep_times": "2"}
    refused = client.post(new, values)
    assert refused.status_code == 422
    assert "Needed if hosts are told." in refused.text
    client.post(new, values | {"keep_days": "90"})
    rule = RetentionRule.objects.get()
    assert Notice.of(rule) == (7, 90, 2)
    turn_on(Origin(connection.owner), rule)
    nightly(rule)
    told = next(message for message in mailoutbox if message.to == [HOSTS[0]])
    Client().post(link_in(told), {"uuids": ["first=="]})
    page = text_of(
        client.get(reverse("recordings:retention-rule", args=[connection.key, rule.pk])).text
    )
    assert "Kept 1" in page
    assert "Told, until" in page
    client.post(new, values | {"keep_days": "30"})
    rule.refresh_from_db()
    assert (rule.keep_days, rule.is_active) == (30, False)


def test_page_of_host_speaks_language_of_browser(rule, mailoutbox):
    nightly(rule)
    page = Client().get(link_in(mailoutbox[0]), headers={"Accept-Language": "de"})
    assert 'lang="de"' in page.text
    assert "Behalten bis" in page.text
