"""A share that ends by itself: closed from its moment on, swept once, said to both."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.urls import reverse
from django.utils import timezone

from portal.access.grants import AccessEnded, Watch, connections_of, recipients_of, scope_of
from portal.access.http import Origin
from portal.access.models import EndedLimit, Share
from portal.access.roles import Role
from portal.audit.acts import Act
from portal.audit.models import AuditEntry
from portal.connections.approval_rules import approvers_of
from portal.connections.services import ending, shares
from portal.connections.services.shares import NotShared
from portal.connections.standing import is_less
from portal.contract.users import Users
from portal.jobs import services
from tests.support.html import text_of
from tests.support.job_types import CreatePeople
from tests.support.mails import delivered
from tests.support.portal import admin_client_for, member

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


@pytest.fixture
def colleague(db):
    return member("colleague@example.com", Role.ADMINISTRATOR)


@pytest.fixture
def share(faulty, colleague):
    """The administrator's connection, shared with another administrator for eight hours."""
    return give(faulty, colleague, 8 * HOUR)


def give(connection, user, length, **limits):
    return shares.give(
        Origin(connection.owner),
        connection,
        user,
        Role.ADMINISTRATOR,
        seen=shares.version_of(connection),
        limits=limits,
        ends_at=timezone.now() + length,
    )


def after(length):
    return time_machine.travel(datetime.now(UTC) + length, tick=True)


@pytest.fixture
def sweep(monkeypatch):
    """Sweeps, and does what workers are sent, so many times. Returns how many messages there
    were."""

    def run(*, times=1):
        sent: list[int] = []
        monkeypatch.setattr(ending, "enqueue", lambda _task, pk: sent.append(pk))
        ending.sweep()
        for pk in sent * times:
            ending.end_or_remind(pk)
        return len(sent)

    return run


def ended_entries():
    return AuditEntry.objects.filter(operation=Act.SHARE_ENDED)


def page_of(name, share):
    return reverse(f"connections:{name}", args=[share.connection.key, share.user_id])


def posted(client, share, ends_at):
    data = {"seen": shares.version_of(share.connection), "ends_at": ends_at}
    return client.post(page_of("share-end", share), data)


def test_ended_share_gives_nothing_before_any_sweep(share, colleague):
    connection, watch = share.connection, Watch(scope_of(colleague, share.connection))
    watch()
    since = timezone.now()
    with after(9 * HOUR):
        assert scope_of(colleague, connection).is_nothing
        assert not connections_of(colleague).exists()
        assert colleague not in recipients_of(connection, Users.list)
        assert approvers_of(connection, other_than=[], since=since) == [connection.owner]
        assert shares.colleagues(connection) == shares.shared_by(connection.owner) == []
        assert is_less(colleague, connection.owner, Role.ADMINISTRATOR)
        with pytest.raises(AccessEnded):
            watch()
    assert Share.objects.filter(pk=share.pk).exists()


def test_sweep_takes_ended_share_away_once_by_nobodys_hand(share, sweep):
    assert sweep() == 0
    with after(9 * HOUR):
        assert sweep(times=2) == 1
        assert sweep() == 0
        mails = delivered()
    assert not Share.objects.exists()
    entry = ended_entries().get()
    assert (entry.actor, entry.email) == (None, "")
    assert entry.before == {"role": "administrator", "until": share.ends_at.isoformat()}
    assert {(one.to[0], one.subject) for one in mails} == {
        ("colleague@example.com", "[Switchboard] Your access to Faulty has ended"),
        (
            "administrator@example.com",
            "[Switchboard] The access of Colleague to Faulty has ended",
        ),
    }


def test_limits_of_ended_share_outlast_it(faulty, colleague, sweep):
    give(faulty, colleague, HOUR, departments=["Sales"])
    with after(2 * HOUR):
        sweep()
    assert EndedLimit.objects.filter(user=colleague, connection_key=faulty.key).exists()


@pytest.mark.parametrize(
    ("hours", "early", "due"),
    [(30 * 24, 28 * 24, 29 * 24), (8, 5, 6)],
)
def test_both_are_reminded_once_at_a_fitting_moment(faulty, sweep, hours, early, due):
    colleague = member("colleague@example.com", Role.ADMINISTRATOR)
    share = give(faulty, colleague, hours * HOUR)
    services.draft(Origin(colleague), faulty, CreatePeople.name, "Create many people")
    with after(early * HOUR):
        assert sweep() == 0
    with after(due * HOUR + timedelta(minutes=1)):
        assert sweep(times=2) == 1
        assert sweep() == 0
        mails = delivered()
    assert sorted(one.to[0] for one in mails) == [
        "administrator@example.com",
        "colleague@example.com",
    ]
    for one in mails:
        assert "ends soon" in one.subject
        assert "Create many people" in one.body
    assert Share.objects.filter(pk=share.pk).exists()


def test_end_is_typed_in_zone_of_owner_and_shown_to_both(share, administrator, colleague):
    administrator.time_zone = "Europe/Berlin"
    administrator.save()
    client = admin_client_for(administrator)
    assert "Date and hour in Europe/Berlin" in client.get(page_of("share-end", share)).text
    day = timezone.now().date() + timedelta(days=40)
    assert posted(client, share, f"{day}T18:00").status_code == 302
    share.refresh_from_db()
    berlin = datetime(day.year, day.month, day.day, 18, tzinfo=ZoneInfo("Europe/Berlin"))
    assert share.ends_at == berlin
    assert share.remind_at == berlin - timedelta(days=1)
    own = reverse("connections:connection", args=[share.connection.key])
    assert "18:00 (Europe/Berlin)" in text_of(client.get(own).text)
    exact = berlin.astimezone(UTC).strftime("%H:%M (UTC)")
    assert exact in text_of(admin_client_for(colleague).get(own).text)
    entry = AuditEntry.objects.order_by("-sequence")[0]
    assert datetime.fromisoformat(entry.sent["until"]) == berlin


@pytest.mark.parametrize(
    "typed",
    ["2020-01-01T10:00", "2199-01-01T10:00", "0001-01-01T00:00", "9999-12-31T23:59", "soon"],
)
def test_end_that_is_past_or_far_is_refused(share, administrator, typed):
    before = share.ends_at
    assert posted(admin_client_for(administrator), share, typed).status_code == 422
    share.refresh_from_db()
    assert share.ends_at == before


@pytest.mark.parametrize("typed", ["2031-03-30T02:30", "2031-10-26T02:30"])
def test_hour_that_clocks_skip_or_repeat_is_refused(share, administrator, typed):
    administrator.time_zone = "Europe/Berlin"
    administrator.save()
    answer = posted(admin_client_for(administrator), share, typed)
    assert answer.status_code == 422
    assert "time zone Europe/Berlin" in answer.text


def test_end_is_lifted_and_share_lasts(share, administrator, colleague):
    posted(admin_client_for(administrator), share, "")
    with after(timedelta(days=400)):
        assert not scope_of(colleague, share.connection).is_nothing
    share.refresh_from_db()
    assert (share.ends_at, share.remind_at) == (None, None)


def test_colleague_changes_no_end(share, colleague):
    for send in ("get", "post"):
        answer = getattr(admin_client_for(colleague), send)(page_of("share-end", share))
        assert answer.status_code == 404


def test_ended_share_is_not_extended_but_given_anew(share, administrator, colleague):
    connection, origin = share.connection, Origin(administrator)
    seen = shares.version_of(connection)
    with after(9 * HOUR):
        client = admin_client_for(administrator)
        assert posted(client, share, "").status_code == 404
        with pytest.raises(NotShared):
            shares.change_end(origin, share, None, seen=seen)
        anew = give(connection, colleague, HOUR)
        assert ended_entries().count() == 1
        assert anew.pk != share.pk
        assert not scope_of(colleague, connection).is_nothing


def test_form_sent_twice_after_end_was_changed_changes_nothing(share, administrator):
    origin, seen = Origin(administrator), shares.version_of(share.connection)
    shares.change_end(origin, share, None, seen=seen)
    with pytest.raises(NotShared, match="has changed since"):
        shares.change_end(origin, share, timezone.now() + HOUR, seen=seen)


def test_page_says_that_access_has_ended_swept_or_not(share, colleague, sweep):
    people = reverse("people:list", args=[share.connection.key])
    with after(9 * HOUR):
        client = admin_client_for(colleague)
        for _ in range(2):
            answer = client.get(people)
            assert answer.status_code == 404
            assert "Your access to Faulty ended by itself on" in answer.text
            poll = client.get(people, headers={"HX-Request": "true"})
            assert "Your access to Faulty ended by itself on" in poll.text
            sweep()
    other = admin_client_for(member("other@example.com", Role.VIEWER))
    assert "ended by itself" not in other.get(people).text


def test_share_is_said_in_one_sentence(faulty, operator):
    ends_at = datetime(2035, 3, 5, 18, tzinfo=UTC)
    share = shares.give(
        Origin(faulty.owner),
        faulty,
        operator,
        Role.OPERATOR,
        seen=shares.version_of(faulty),
        limits={"families": ["users", "meetings"], "departments": ["Sales", "IT"]},
        ends_at=ends_at,
    )
    today = share.created_at
    said = (
        "Operator can view and change People and Meetings of Sales and IT as Operator, since "
        f"{today.day} {today:%B %Y}, until 5 March 2035, 18:00 (UTC); shared by Administrator."
    )
    assert said in text_of(admin_client_for(faulty.owner).get(page_of("share", share)).text)
    own = reverse("connections:connection", args=[faulty.key])
    assert said in text_of(admin_client_for(operator).get(own).text)
