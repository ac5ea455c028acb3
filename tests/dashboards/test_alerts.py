"""Rules alert to what is live, once each, also without a viewer."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone, translation

from portal.access.models import Share, User
from portal.access.roles import Role
from portal.audit.acts import Act
from portal.audit.models import AuditEntry
from portal.config import cache
from portal.dashboards.models import Alert, AlertKind, AlertRule, LiveSnapshot
from portal.dashboards.services.live.alerts import notify
from portal.dashboards.services.live.picture import stored_picture
from portal.dashboards.tasks import sample
from portal.directory.models import MirroredUser
from tests.dashboards.services import listing, session
from tests.dashboards.test_now import shown
from tests.dashboards.test_reader import read
from tests.support.fault_server import answer, no_answer
from tests.support.html import text_of
from tests.support.mails import delivered
from tests.support.portal import admin_client_for, member
from tests.support.scopes import whole
from tests.support.shares import share_with

pytestmark = pytest.mark.django_db


def rule(connection, kind, threshold, **given):
    return AlertRule.objects.create(connection=connection, kind=kind, threshold=threshold, **given)


def test_session_over_threshold_is_alerted_until_it_shrinks(client, faulty, fault_server):
    rule(faulty, AlertKind.PARTICIPANTS, 10)
    fault_server.always(listing([session(1, participants=10), session(2, participants=None)]))
    read(faulty)
    assert stored_picture(whole(faulty)).picture.alerts == ()
    fault_server.always(listing([session(1, participants=11)]))
    read(faulty)
    read(faulty)
    [alert] = Alert.objects.all()
    assert "“Session 1” has over 10 participants, since" in shown(client, faulty)
    fault_server.always(no_answer())
    read(faulty)
    assert len(stored_picture(whole(faulty)).picture.alerts) == 1, "what is not known ends nothing"
    fault_server.always(listing([session(1, participants=3)]))
    read(faulty)
    alert.refresh_from_db()
    assert alert.ended_at is not None
    assert stored_picture(whole(faulty)).picture.alerts == ()
    history = text_of(client.get(reverse("dashboards:alerts", args=[faulty.key])).text)
    assert "“Session 1” has over 10 participants" in history


def test_an_alert_is_mailed_once_also_when_it_comes_back_at_once(faulty, fault_server):
    rule(faulty, AlertKind.PARTICIPANTS, 1)
    busy, quiet = listing([session(1)]), listing([session(1, participants=1)])
    for behaviour in (busy, quiet, busy):
        fault_server.always(behaviour)
        read(faulty)
    [alert] = Alert.objects.all()
    assert alert.ended_at is None
    [sent] = delivered()
    assert sent.to == [faulty.owner.email]
    assert "“Session 1” has over 1 participants" in sent.subject
    assert f"{reverse('dashboards:now', args=[faulty.key])}?open=" in sent.body
    [(html, kind)] = sent.alternatives
    assert kind == "text/html"
    assert f"?open={alert.subject}" in html
    assert "Open in Switchboard" in html


def test_alerts_of_one_rule_are_one_mail_with_a_link_to_each(faulty, fault_server):
    rule(faulty, AlertKind.PARTICIPANTS, 1)
    rule(faulty, AlertKind.PEOPLE, 90, mails=False)
    fault_server.always(listing([session(1), session(2), session(3)]))
    read(faulty)
    alerts = list(Alert.objects.all())
    [sent] = delivered()
    assert "3 alerts. A session has more participants than 1" in sent.subject
    for one in alerts:
        assert str(one) in sent.body
        assert f"?open={one.subject}" in sent.body


def test_alert_is_mailed_to_chosen_who_see_all_of_it(faulty, client):
    chosen, limited = (member(f"{name}@example.com", Role.ADMINISTRATOR) for name in "cl")
    share_with(faulty, chosen, Role.VIEWER)
    share_with(faulty, limited, Role.ADMINISTRATOR, departments=["Sales"])
    alert = raised(faulty)
    url = reverse("dashboards:alert-rule-edit", args=[faulty.key, alert.rule.pk])
    page = client.get(url).text
    assert chosen.email in page
    assert limited.email not in page
    client.post(
        url, {"kind": "participants", "threshold": 9, "mails": "on", "recipients": chosen.pk}
    )
    alert.rule.recipients.add(limited)
    notify(alert.rule)
    assert [sent.to for sent in delivered()] == [[chosen.email]]
    Alert.objects.update(notified_at=None)
    notify(alert.rule)
    Share.objects.filter(user=chosen).update(departments=["Sales"])
    delivered()  # it waited while the share was narrowed, and is dropped
    [_first, second] = delivered()
    assert second.to == [faulty.owner.email]
    assert "No one chosen as a recipient has access any more" in second.body
    rules = text_of(client.get(reverse("dashboards:alerts", args=[faulty.key])).text)
    assert f"mail goes to {faulty.owner}. Choose others in place of {chosen}, {limited}." in rules


def test_alert_whose_recipients_lost_access_is_mailed_once_more(faulty):
    one, two = (member(f"{name}@example.com", Role.ADMINISTRATOR) for name in ("one", "two"))
    for person in (one, two):
        share_with(faulty, person, Role.ADMINISTRATOR)
    alert = raised(faulty)
    alert.rule.recipients.set([one, two])
    notify(alert.rule)
    Share.objects.filter(user=one).delete()
    Share.objects.filter(user=two).delete()
    delivered()  # both are dropped, and the last one is followed by the owner's
    assert [sent.to for sent in delivered()] == [[faulty.owner.email]]


def test_alert_of_two_is_mailed_to_the_one_who_still_sees_it(faulty):
    one, two = (member(f"{name}@example.com", Role.ADMINISTRATOR) for name in ("one", "two"))
    for person in (one, two):
        share_with(faulty, person, Role.ADMINISTRATOR)
    alert = raised(faulty)
    alert.rule.recipients.set([one, two])
    notify(alert.rule)
    Share.objects.filter(user=one).delete()
    Share.objects.filter(user=two).update(role=Role.VIEWER)
    delivered()  # that of another role is written anew
    assert [sent.to for sent in delivered()] == [[two.email]]


def raised(connection):
    return Alert.objects.create(
        rule=rule(connection, AlertKind.PARTICIPANTS, 9),
        subject="1",
        began_at=timezone.now(),
        raised_at=timezone.now(),
    )


def test_alert_whose_reader_is_killed_is_mailed_by_the_next(faulty, fault_server, monkeypatch):
    rule(faulty, AlertKind.PARTICIPANTS, 1)
    fault_server.always(listing([session(1)]))
    with monkeypatch.context() as killed:
        killed.setattr("portal.dashboards.services.live.alerts.post", lambda *_, **__: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            read(faulty)
    LiveSnapshot.objects.update(asked_at=None)
    read(faulty)
    assert len(delivered()) == 1


def test_alert_of_deactivated_owner_is_shown_on_home_not_mailed(faulty, connect):
    other, operator = (
        member(f"other-{role}@example.com", role) for role in (Role.ADMINISTRATOR, Role.OPERATOR)
    )
    for person in (other, operator):
        connect(person, f"Of {person}")
    User.objects.filter(pk=faulty.owner_id).update(is_active=False)
    alert = raised(faulty)
    notify(AlertRule.objects.get(pk=alert.rule_id))
    assert delivered() == []
    words = f"Alerts of “{faulty}” are mailed to nobody"
    page = admin_client_for(other).get("/").text
    assert words in text_of(page)
    assert reverse("team:member", args=[faulty.owner_id]) in page
    assert words not in text_of(admin_client_for(operator).get("/").text)
    AlertRule.objects.update(mails=False)
    assert words not in text_of(admin_client_for(other).get("/").text)


def test_alert_is_shown_and_mailed_in_language_of_reader(client, faulty, fault_server):
    rule(faulty, AlertKind.PARTICIPANTS, 1_000)
    fault_server.always(listing([session(1, participants=1_200)]))
    User.objects.filter(pk=faulty.owner.pk).update(language="de")
    with translation.override("de"):
        read(faulty)
    User.objects.filter(pk=faulty.owner.pk).update(language="")
    german = "„Session 1“ hat über 1.000 Teilnehmende"
    pages = [reverse(f"dashboards:{name}", args=[faulty.key]) for name in ("now", "alerts")]
    for page in [*pages, "/"]:
        assert german in text_of(client.get(page, headers={"Accept-Language": "de"}).text)
        assert "“Session 1” has over 1,000 participants" in text_of(client.get(page).text)
    [sent] = delivered()
    assert sent.subject.endswith(german)
    assert "Regel: Eine Sitzung hat mehr als 1.000 Teilnehmende" in sent.body


def test_alert_without_stored_facts_keeps_its_own_words(client, faulty):
    Alert.objects.create(
        rule=rule(faulty, AlertKind.PARTICIPANTS, 9),
        subject="x",
        words="“Town hall” is full",
        began_at=timezone.now(),
        raised_at=timezone.now(),
    )
    page = client.get(reverse("dashboards:alerts", args=[faulty.key]))
    assert "“Town hall” is full" in text_of(page.text)


def test_several_alerts_are_counted_on_first_page_and_live(client, faulty, fault_server):
    rule(faulty, AlertKind.PARTICIPANTS, 1)
    fault_server.always(listing([session(n, participants=2) for n in (1, 2)]))
    read(faulty)
    text = text_of(client.get("/").text)
    assert "2 alerts are active" in text
    assert "One of them: “Session 1” has over 1 participants" in text
    live = client.get(reverse("dashboards:now", args=[faulty.key])).text
    assert live.count('popovertarget="live-alerts"') == 1, "one button, which opens them"
    assert "2 alerts are active" in text_of(live)
    assert "“Session 2” has over 1 participants, since" in text_of(live)


def test_the_share_of_licensed_people_is_alerted_to(faulty, fault_server):
    for number, (licence, status) in enumerate(
        [(2, "active")] * 7 + [(3, "active")] * 3 + [(1, "active"), (2, "inactive")] * 20
    ):
        MirroredUser.objects.create(
            connection=faulty, user_id=str(number), type=licence, status=status
        )
    rule(faulty, AlertKind.PEOPLE, 50, mails=False)
    fault_server.always(listing([session(1, participants=3)], [session(2, participants=2)]))
    read(faulty)
    assert stored_picture(whole(faulty)).picture.alerts == ()
    fault_server.always(listing([session(1, participants=4)], [session(2, participants=2)]))
    read(faulty)
    [alert] = stored_picture(whole(faulty)).picture.alerts
    assert alert.words == "Participants are over 50 % of licensed people: 6 of 10"


def test_the_share_of_people_nobody_knows_is_not_alerted_to(faulty, fault_server):
    rule(faulty, AlertKind.PEOPLE, 1)
    fault_server.always(listing([session(1, participants=300)]))
    read(faulty)
    assert stored_picture(whole(faulty)).picture.alerts == ()


def test_room_is_alerted_after_long_enough_offline(faulty, fault_server):
    rule(faulty, AlertKind.ROOM, 10)
    live = listing([])
    status = "Offline"

    def service(seen):
        paging = {"page_count": 1, "page_number": 1, "page_size": 300, "total_records": 1}
        rooms = [{"id": "r1", "room_name": "Berlin", "status": status}]
        return answer(200, {**paging, "conf_rooms": rooms})

    def behave(exchange):
        request = exchange.read()
        exchange.read = lambda: request
        act = service(request) if request.path.endswith("confrooms") else live
        act(exchange)

    fault_server.always(behave)
    read(faulty)
    assert stored_picture(whole(faulty)).picture.alerts == ()
    Alert.objects.update(began_at=timezone.now() - timedelta(minutes=11))
    read(faulty)
    [alert] = stored_picture(whole(faulty)).picture.alerts
    assert alert.words == "Room “Berlin” is offline for over 10 minutes"
    status = "Available"
    cache.delete(f"live-rooms:{faulty.key}")
    read(faulty)
    assert stored_picture(whole(faulty)).picture.alerts == ()


def test_rules_are_evaluated_also_while_nobody_watches(faulty, monkeypatch):
    woken: list[int] = []
    monkeypatch.setattr(
        "portal.dashboards.tasks.enqueue", lambda _task, key, **_: woken.append(key)
    )
    sample()
    assert woken == []
    rule(faulty, AlertKind.PARTICIPANTS, 1)
    sample()
    assert woken == [faulty.pk]


def test_rules_are_added_and_deleted(client, faulty, administrator):
    new = reverse("dashboards:alert-rule-new", args=[faulty.key])
    page = client.get(new).text
    assert administrator.email in page
    assert 'data-shown-with="kind=loss,latency,jitter,quality"' in page, "minutes go with these"
    assert "This field is required." in client.post(new, {"kind": "people"}).text
    too_much = {"kind": "people", "threshold": 101}
    assert "Enter 100 at most" in client.post(new, too_much).text
    for _ in range(2):
        client.post(new, {"kind": "people", "threshold": 90, "mails": "on"})
    [made] = AlertRule.objects.filter(connection=faulty)
    page = reverse("dashboards:alerts", args=[faulty.key])
    assert str(made) in text_of(client.get(page).text)
    client.post(reverse("dashboards:alert-rule-delete", args=[faulty.key, made.pk]))
    assert "No alert rules" in client.get(page).text
    entries = AuditEntry.objects.filter(family="connection", object_label=str(made))
    acts = list(entries.order_by("sequence").values_list("operation", flat=True))
    assert acts == [Act.ALERT_RULE_SET, Act.ALERT_RULE_SET, Act.ALERT_RULE_REMOVED]


def test_rule_is_edited_to_what_no_other_rule_says(client, faulty):
    one, other = (rule(faulty, AlertKind.PARTICIPANTS, number) for number in (1, 2))
    url = reverse("dashboards:alert-rule-edit", args=[faulty.key, one.pk])
    page = client.get(reverse("dashboards:alerts", args=[faulty.key])).text
    assert url in page
    same = {"kind": "participants", "threshold": other.threshold, "mails": "on"}
    assert "There is a rule like this already." in client.post(url, same).text
    client.post(url, {**same, "threshold": 7})
    one.refresh_from_db()
    assert (one.threshold, one.mails) == (7, True)
    entry = AuditEntry.objects.get(operation=Act.ALERT_RULE_SET)
    assert entry.before["rule"] == "A session has more participants than 1"
    assert entry.sent["rule"] == str(one)
    assert 'value="7"' in client.get(url).text


def test_rules_of_others_are_not_found(client, faulty, connection):
    made = rule(faulty, AlertKind.PARTICIPANTS, 1)
    assert (
        client.get(
            reverse("dashboards:alert-rule-delete", args=[connection.key, made.pk])
        ).status_code
        == 404
    )


SHARED = {"departments": ["Sales"]}


@pytest.fixture
def part(faulty):
    """A colleague limited to a department, whose person hosts the first session."""
    colleague = member("dean@example.com", Role.ADMINISTRATOR)
    share_with(faulty, colleague, **SHARED)
    MirroredUser.objects.create(
        connection=faulty, user_id="u1", email="host1@brightwater.example", dept="Sales"
    )
    return colleague


def test_rule_of_limited_colleague_alerts_to_their_hosts_alone(faulty, fault_server, part):
    theirs = admin_client_for(part)
    url = reverse("dashboards:alert-rule-new", args=[faulty.key])
    offered = dict(theirs.get(url).context["form"].fields["kind"].choices)
    assert {AlertKind.ROOM, AlertKind.PEOPLE} & offered.keys() == set()
    typed = {"kind": "participants", "threshold": 10, "mails": "on"}
    assert theirs.post(url, typed | {"kind": "room"}).status_code == 422
    for _ in range(2):
        theirs.post(url, typed | {"recipients": faulty.owner.pk})
    assert AlertRule.objects.get().owner == part
    sessions = [
        session(1, participants=11, email="host1@brightwater.example"),
        session(2, participants=12, email="other@brightwater.example"),
    ]
    fault_server.always(listing(sessions))
    read(faulty)
    assert [one.facts["name"] for one in Alert.objects.all()] == ["Session 1"]
    assert [sent.to for sent in delivered()] == [[part.email]]
    page = reverse("dashboards:alerts", args=[faulty.key])
    for shown_page in (page, reverse("home")):
        assert "“Session 1” has over 10" in text_of(theirs.get(shown_page).text)
    assert stored_picture(whole(faulty)).picture.alerts == ()
    assert "Session 1" not in admin_client_for(faulty.owner).get(page).text
    Share.objects.update(departments=["Legal"])
    assert "Session 1" not in theirs.get(page).text
    assert "Session 1" not in theirs.get(reverse("home")).text
    read(faulty)
    assert not Alert.objects.filter(ended_at=None).exists()


def test_rule_of_colleague_whose_share_ended_is_silent(faulty, fault_server, part):
    rule(faulty, AlertKind.PARTICIPANTS, 1, owner=part)
    Share.objects.all().delete()
    fault_server.always(listing([session(1, email="host1@brightwater.example")]))
    read(faulty)
    assert not Alert.objects.exists()


def test_rules_of_all_are_not_there_for_limited_colleague(faulty, part):
    of_all = rule(faulty, AlertKind.PARTICIPANTS, 7)
    theirs = admin_client_for(part)
    assert "than 7" not in theirs.get(reverse("dashboards:alerts", args=[faulty.key])).text
    for name in ("edit", "delete"):
        url = reverse(f"dashboards:alert-rule-{name}", args=[faulty.key, of_all.pk])
        assert theirs.get(url).status_code == theirs.post(url).status_code == 404
