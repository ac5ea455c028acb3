"""Results of a policy's job: reported for each, exported once, mailed to hosts, taken back."""

import csv
import io
import re
import socket
from datetime import timedelta
from threading import Thread

import pytest
from django.core import mail
from django.utils import timezone

from portal.access.http import Origin
from portal.access.models import User
from portal.access.roles import Role
from portal.audit.models import AuditEntry
from portal.jobs import export, services as jobs, undoing
from portal.jobs.leases import JOBS
from portal.jobs.models import ItemState, Job, JobItem, JobState
from portal.jobs.planner import plan
from portal.meetings.spec import MEETINGS
from portal.mirror.models import MirrorState
from portal.sessions import mirror
from portal.sessions.jobs.remediation import RemediateSessionsJob
from portal.sessions.models import MirroredSession
from portal.sessions.policy.remediations import REMEDIATIONS
from portal.translation import catalogues
from portal.ui.numbers import spaced
from tests.sessions.test_policy import carried_out, deactivate, known, planned, start
from tests.support.html import form_with, text_of
from tests.support.jobs import approve
from tests.support.portal import admin_client_for, member

pytestmark = pytest.mark.django_db
NOTIFY = "sessions.tell"


@pytest.fixture(autouse=True)
def was_read(connection):
    """Sessions were read a moment ago, so that no page asks for a reading."""
    state = mirror.state_of(connection)
    MirrorState.objects.filter(pk=state.pk).update(refreshed_at=timezone.now())


@pytest.fixture
def open_one(connection, make_session):
    """A meeting without a password, which the mirror knows."""
    made = make_session(MEETINGS, topic="Open", start_time=start())
    known(connection, made)
    return made


def page_of(client, job):
    return client.get(f"/c/{job.connection.key}/jobs/{job.key}/")


def taken_out(client, job):
    return client.post(f"/c/{job.connection.key}/jobs/{job.key}/take-out/")


def rows_in(answer):
    text = b"".join(answer.streaming_content).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text)))


def back(job, work):
    """The job that takes another back, with its plan."""
    return work(undoing.undo(job, Origin(job.owner)))


def finish(job, work):
    assert job.state == JobState.PLANNED, job.reason
    approve(job)
    return work(job)


def test_each_row_of_a_plan_names_host_time_and_number(
    client, connection, make_session, work, host
):
    twins = [make_session(MEETINGS, topic="Standup", start_time=start(days)) for days in (2, 3)]
    known(connection, *twins)
    job = work(planned(client, connection, "password", *twins))
    said = text_of(page_of(client, job).text)
    for days, made in zip((2, 3), twins, strict=True):
        at = timezone.localtime(timezone.now() + timedelta(days=days))
        when = rf"{at:%a} {at.day} {at:%b %Y}, [\d:]+ UTC"
        assert re.search(rf"Standup {re.escape(host.name)} {when} {spaced(made.id)}", said)
    found = client.get(f"/c/{connection.key}/jobs/{job.key}/", {"q": twins[0].id})
    assert [row.object_id for row in found.context["table"].data] == [twins[0].id]
    by_host = client.get(f"/c/{connection.key}/jobs/{job.key}/", {"q": host.name})
    assert len(by_host.context["table"].data) == 2


def test_passwords_given_are_exported_once_and_kept_nowhere_then(
    client, connection, open_one, make_session, work
):
    own = make_session(MEETINGS, topic="Own", start_time=start(3))
    known(connection, own)
    job = work(planned(client, connection, "password", open_one, own))
    own.set(password="theirs")
    done = carried_out(job, work)
    given = open_one.now()["password"]
    page = page_of(client, done)
    assert "Export 1 password" in text_of(page.text)
    assert given not in page.text
    kept = JobItem.objects.get(job=done, label="Open")
    assert kept.sealed
    assert given not in kept.sealed
    assert not JobItem.objects.get(job=done, label="Own").sealed
    assert given not in str(kept.data)
    answer = taken_out(client, done)
    assert "no-store" in answer["Cache-Control"]
    [row] = rows_in(answer)
    assert (row["id"], row["topic"], row["password"]) == (open_one.id, "Open", given)
    assert not done.items.exclude(sealed="").exists()
    entry = AuditEntry.objects.get(operation="job.take_out")
    assert entry.sent == {"rows": 1, "what": "password"}
    assert given not in str(list(AuditEntry.objects.values()))
    again = client.post(f"/c/{connection.key}/jobs/{done.key}/take-out/", follow=True)
    assert "already exported" in text_of(again.text)
    assert "Export 1 password" not in text_of(again.text)


def test_passwords_are_exported_by_nobody_else_and_not_for_ever(
    client, connection, connect, open_one, work
):
    done = carried_out(planned(client, connection, "password", open_one), work)
    other = member("other@example.com", "administrator")
    connect(other)
    assert taken_out(admin_client_for(other), done).status_code == 404
    done.owner.role = "viewer"
    done.owner.save()
    assert taken_out(client, done).status_code == 403
    assert done.items.exclude(sealed="").exists()
    Job.objects.update(finished_at=timezone.now() - timedelta(days=6))
    export.erase_secrets()
    assert done.items.exclude(sealed="").exists()
    Job.objects.update(finished_at=timezone.now() - timedelta(days=8))
    export.erase_secrets()
    assert not done.items.exclude(sealed="").exists()


def test_passwords_are_undone_unless_someone_changed_them_since(
    client, connection, open_one, make_session, work
):
    changed = make_session(MEETINGS, topic="Changed", start_time=start(3))
    known(connection, changed)
    done = carried_out(planned(client, connection, "password", open_one, changed), work)
    taken_out(client, done)  # what is compared is not the password itself
    changed.set(password="theirs")
    plan = back(done, work)
    assert dict(plan.items.values_list("label", "state")) == {
        "Open": ItemState.PENDING,
        "Changed": ItemState.INVALID,
    }
    assert plan.items.get(label="Open").changes == [["Password", "New password", "None"]]
    said = text_of(page_of(client, plan).text)
    assert "Remove passwords: 1 session" in said
    assert "Changed since, to changed." in said
    assert finish(plan, work).state == JobState.DONE
    assert open_one.now()["password"] == ""
    assert changed.now()["password"] == "theirs"
    assert MirroredSession.objects.get(session_id=open_one.id).has_password is False
    assert "Undone by" in page_of(client, done).text
    assert page_of(client, plan).context.get("idempotency_key") is None, (
        "the password is kept nowhere"
    )


def test_other_remediations_are_undone_and_that_is_undone_too(
    client, connection, make_session, work
):
    settings = {"join_before_host": True, "mute_upon_entry": True}
    made = make_session(MEETINGS, topic="Early", start_time=start(), settings=settings)
    known(connection, made)
    done = carried_out(planned(client, connection, "wait", made), work)
    assert made.now()["settings"]["join_before_host"] is False
    again = finish(back(done, work), work)
    assert made.now()["settings"]["join_before_host"] is True
    finish(back(again, work), work)
    now = made.now()["settings"]
    assert (now["join_before_host"], now["mute_upon_entry"]) == (False, True)


def test_registration_required_by_release_0_1_is_undone(
    client, connection, administrator, make_session, work
):
    made = make_session(MEETINGS, topic="Public", start_time=start())
    known(connection, made)
    wanted = {
        "remediation": "register",
        "chosen": [["meetings", made.id]],
        "data": {"approval_type": 1},
    }
    origin, kind = Origin(administrator), RemediateSessionsJob.name
    job = jobs.draft(origin, connection, kind, "Require registration", parameters=wanted)
    done = carried_out(job, work)
    assert done.state == JobState.DONE, done.reason
    assert made.now()["settings"]["approval_type"] == 1
    plan = back(done, work)
    assert plan.items.get().changes[0][0] == "Registration"
    finish(plan, work)
    assert made.now()["settings"]["approval_type"] == 2


def test_session_given_away_goes_back_and_deletion_does_not(planner, make_host, make_session, work):
    client, connection, sandbox = planner.client, planner.connection, planner.sandbox
    gone, heir = make_host(), make_host(first_name="Grace")
    made = make_session(MEETINGS, of=gone, topic="Orphan", start_time=start())
    known(connection, made)
    deactivate(sandbox, connection, gone)
    done = carried_out(planned(client, connection, "reassign", made, person=heir.id), work)
    assert made.now()["host_id"] == heir.id
    sandbox.client.put(f"/users/{gone.id}/status", json={"action": "activate"})
    finish(back(done, work), work)
    assert made.now()["host_id"] == gone.id
    Job.objects.all().delete()
    deactivate(sandbox, connection, gone)
    known(connection, made)
    deleted = carried_out(planned(client, connection, "delete", made), work)
    assert not undoing.JobUndos(deleted).can_begin


def notified(client, connection, work, *sessions):
    """Sets passwords and notifies the hosts; both jobs, done."""
    job = work(planned(client, connection, "password", *sessions, notify_hosts="on"))
    approve(job)
    job = work(job)
    return job, work(Job.objects.get(kind=NOTIFY))


def test_hosts_get_one_mail_each_listing_their_sessions(
    client, connection, make_host, make_session, work
):
    ada, grace = make_host(first_name="Ada"), make_host(first_name="Grace")
    mine = [make_session(MEETINGS, of=ada, topic=f"Ada {n}", start_time=start()) for n in (1, 2)]
    hers = make_session(MEETINGS, of=grace, topic="Grace 1", start_time=start())
    known(connection, *mine, hers)
    job = work(planned(client, connection, "password", *mine, hers, notify_hosts="on"))
    assert "2 hosts are notified by email" in str(job.notes)
    approve(job)
    work(job)
    assert mail.outbox == []
    notifying = work(Job.objects.get(kind=NOTIFY))
    assert notifying.state == JobState.DONE
    assert sorted(sent.to for sent in mail.outbox) == sorted([[ada.email], [grace.email]])
    [to_ada] = [sent.body for sent in mail.outbox if sent.to == [ada.email]]
    assert "Ada 1" in to_ada
    assert "Ada 2" in to_ada
    assert "Grace 1" not in to_ada
    assert mine[0].id in to_ada
    assert "Password: None -> New password" in to_ada
    passwords = [made.now()["password"] for made in (*mine, hers)]
    assert not any(password in sent.body for password in passwords for sent in mail.outbox)
    page = text_of(page_of(client, job).text)
    assert "Hosts are notified by email." in page
    assert "2 sessions" in text_of(page_of(client, notifying).text)


@pytest.mark.parametrize("hosts", ["", "en-gb"])
def test_host_is_written_to_in_own_language_or_of_changer(
    client, connection, host, open_one, work, *, hosts
):
    catalogues.compile_all()
    User.objects.update(language="de")
    if hosts:
        own = member(host.email, Role.VIEWER)
        User.objects.filter(pk=own.pk).update(language=hosts)
    notified(client, connection, work, open_one)
    [sent] = mail.outbox
    german = "[Switchboard] eine Ihrer Sitzungen wurde geändert"
    assert sent.subject == ("[Switchboard] one of your sessions was changed" if hosts else german)
    assert ("Guten Tag" in sent.body) is not bool(hosts)


def test_nobody_is_reported_where_that_was_not_chosen(client, connection, open_one, work):
    carried_out(planned(client, connection, "password", open_one), work)
    assert not Job.objects.filter(kind=NOTIFY).exists()
    assert mail.outbox == []


def test_mail_server_not_there_is_named_and_mail_sent_later(
    client, connection, open_one, work, settings
):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        settings.EMAIL_HOST, settings.EMAIL_PORT = taken.getsockname()
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        _job, notifying = notified(client, connection, work, open_one)
    item = notifying.items.get()
    assert item.state == ItemState.FAILED
    assert "The mail server cannot be reached" in item.message
    assert "The mail server cannot be reached" in text_of(page_of(client, notifying).text)
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    jobs.retry_failed(notifying, Origin(notifying.owner))
    assert work(notifying).items.get().state == ItemState.DONE
    assert len(mail.outbox) == 1


@pytest.fixture
def silent_server(settings):
    """A mail server that takes a mail and hangs up before it says so."""
    received: list[bytes] = []
    listening = socket.create_server(("127.0.0.1", 0))

    def serve():
        answers = {b"EHLO": b"250 hello", b"MAIL": b"250 ok", b"RCPT": b"250 ok"}
        with listening.accept()[0] as peer, peer.makefile("rb") as lines:
            peer.sendall(b"220 here\r\n")
            for line in lines:
                if line[:4].upper() == b"DATA":
                    peer.sendall(b"354 go on\r\n")
                    for text in lines:
                        received.append(text)
                        if text == b".\r\n":
                            return
                peer.sendall(answers.get(line[:4].upper(), b"250 ok") + b"\r\n")

    thread = Thread(target=serve, daemon=True)
    thread.start()
    settings.EMAIL_HOST, settings.EMAIL_PORT = listening.getsockname()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    yield received
    listening.close()
    thread.join(5)


def test_mail_of_unknown_outcome_is_asked_about_not_resent(
    client, connection, open_one, work, silent_server
):
    _job, notifying = notified(client, connection, work, open_one)
    assert silent_server
    item = notifying.items.get()
    assert (item.state, bool(item.ended_at)) == (ItemState.UNKNOWN, True)
    assert "It may have been sent." in item.message
    assert "Outcome unknown" in text_of(page_of(client, notifying).text)


def test_a_crash_while_a_mail_is_sent_sends_it_to_nobody_twice(client, connection, open_one, work):
    job = work(planned(client, connection, "password", open_one, notify_hosts="on"))
    approve(job)
    work(job)
    notifying = Job.objects.get(kind=NOTIFY)
    planned_then = notify_until_it_sends(notifying)
    assert work(planned_then).items.get().state == ItemState.UNKNOWN
    assert mail.outbox == []
    jobs.judge_unknown(
        Job.objects.get(kind=NOTIFY), notifying.items.get().pk, Origin(job.owner), was_done=False
    )
    work(notifying)
    assert len(mail.outbox) == 1


def notify_until_it_sends(job):
    """As a worker leaves it that ended just when the mail was on its way."""
    taken = JOBS.acquire(job.pk)
    assert taken
    plan(taken)
    now = timezone.now()
    job.items.update(state=ItemState.SENDING, attempts=1, first_sent_at=now)
    return Job.objects.get(pk=job.pk)


def test_who_was_reported_is_not_reported_again_of_the_same(client, connection, open_one, work):
    job, notifying = notified(client, connection, work, open_one)
    assert notifying.items.count() == 1
    Job.objects.filter(pk=job.pk).update(state=JobState.RUNNING)  # as after a row was sent again
    work(Job.objects.get(pk=job.pk))
    assert Job.objects.filter(kind=NOTIFY).count() == 1
    assert len(mail.outbox) == 1


def test_the_form_offers_to_report_hosts_who_are_there(client, connection, open_one):
    def fields(remediation):
        keys = list(MirroredSession.objects.values_list("pk", flat=True))
        asked = client.post(f"/c/{connection.key}/policy/{remediation}/", {"chosen": keys})
        return form_with(asked.text, "idempotency_key").names

    assert "notify_hosts" in fields("password")


@pytest.mark.parametrize("keys", [("remediation", "data"), ("mend", "told")])
def test_jobs_of_earlier_releases_still_know_their_remediation(keys):
    job = Job(parameters=dict(zip(keys, ("delete", {"reason": "x"}), strict=True)))
    assert list(RemediateSessionsJob().needs(job)) == list(REMEDIATIONS["delete"].needs)
