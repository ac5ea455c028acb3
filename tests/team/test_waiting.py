"""A change that takes an account over, or away, waits: its user is told before, and can stop it."""

import re
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from portal.access.http import Origin
from portal.access.models import User
from portal.access.roles import Role
from portal.audit.models import AuditEntry
from portal.config import clock
from portal.team import accounts, waiting
from portal.team.models import AccountChange, ChangeKind, ChangeState
from portal.team.tasks import change_account
from portal.work import queue
from tests.support.mails import delivered
from tests.support.portal import PASSWORD, admin_client_for, member
from tests.support.shares import share_with

pytestmark = pytest.mark.django_db
ACTS = [("role", {"role": "viewer"}), ("factors", {}), ("deactivate", {})]


@pytest.fixture
def asker(connection):
    """An administrator with all of the connection."""
    user = member("asker@example.com", Role.ADMINISTRATOR)
    share_with(connection, user)
    return user


@pytest.fixture
def third(connection):
    """Another such administrator."""
    user = member("third@example.com", Role.ADMINISTRATOR)
    share_with(connection, user)
    return user


@pytest.fixture
def owner(connection, administrator):
    """A client of the owner of the connection, who has a second factor."""
    administrator.authenticator_set.create(type="totp", data={"secret": "x"})
    return admin_client_for(administrator)


def do(client, what, user, **typed):
    return client.post(reverse(f"team:member-{what}", args=[user.pk]), typed, follow=True).text


def to(what, change):
    return reverse(f"team:change-{what}", args=[change.pk])


def asked(asker, user, what="deactivate", **typed):
    do(admin_client_for(asker), what, user, **typed)
    return AccountChange.objects.latest("pk")


def worked():
    """After an hour, and a turn of the worker."""
    AccountChange.objects.update(due_at=clock.now())
    for change in AccountChange.objects.all():
        change_account(change.pk)


def is_unchanged(user):
    user = User.objects.get(pk=user.pk)
    return user.is_active and user.is_administrator and user.authenticator_set.exists()


def acts_on(user):
    acts = AuditEntry.objects.filter(family="team", object_id=str(user.pk)).order_by("sequence")
    return [entry.operation for entry in acts][1:]  # without the creation


def mails_of(user):
    return [mail for mail in delivered() if mail.to == [user.email]]


@pytest.mark.parametrize(("what", "typed"), ACTS)
def test_change_of_active_owner_waits_however_often_asked(what, typed, owner, administrator, asker):
    client = admin_client_for(asker)
    page = do(client, what, administrator, **typed)
    assert "was told by mail, and can stop it until" in page
    do(client, what, administrator, **typed)
    assert is_unchanged(administrator)
    assert owner.get("/connections/").status_code == 200
    [change] = AccountChange.objects.all()
    assert timedelta(minutes=59) < change.due_at - clock.now() <= timedelta(hours=1)
    [mail] = mails_of(administrator)
    assert to("stop", change) in mail.body
    assert "asker@example.com asked for this" in mail.body
    assert acts_on(administrator) == ["team.ask_change"]


@pytest.mark.parametrize(
    ("what", "typed", "act"),
    [
        (*ACTS[0], "team.role"),
        (*ACTS[1], "team.reset_factors"),
        (*ACTS[2], "team.deactivate"),
    ],
)
def test_change_is_made_once_at_its_time(*, what, typed, act, owner, administrator, asker):
    change = asked(asker, administrator, what, **typed)
    change_account(change.pk)
    assert is_unchanged(administrator)
    worked()
    worked()
    assert not is_unchanged(administrator)
    assert acts_on(administrator) == ["team.ask_change", act]
    assert AuditEntry.objects.get(operation=act).actor == asker
    assert AccountChange.objects.get().state == ChangeState.DONE


def test_worker_that_ends_in_the_middle_does_nothing_twice(
    owner, administrator, asker, monkeypatch
):
    change = asked(asker, administrator)
    with monkeypatch.context() as patch:
        patch.setattr("portal.team.mails.tell_deactivated", lambda *_: 1 / 0)
        worked()
    assert is_unchanged(administrator)
    change.refresh_from_db()
    assert (change.state, change.failure) == (ChangeState.WAITING, queue.FAULT)
    AccountChange.objects.update(leased_until=None)
    worked()
    assert acts_on(administrator) == ["team.ask_change", "team.deactivate"]


def test_user_stops_it_on_home(owner, administrator, asker):
    change = asked(asker, administrator)
    home = owner.get(reverse("home")).text
    assert "Asker asked for this: Deactivate the account of Administrator" in home
    assert "Nothing needs you right now" not in home
    assert to("stop", change) in home
    assert "can ask again" in owner.get(to("stop", change)).text
    assert "Your account stays as it is" in owner.post(to("stop", change), follow=True).text
    assert "no longer waits" in owner.post(to("stop", change), follow=True).text
    worked()
    assert is_unchanged(administrator)
    assert acts_on(administrator) == ["team.ask_change", "team.stop_change"]
    assert "stopped what asker@example.com asked for" in mails_of(asker)[0].body
    assert "stopped what asker@example.com asked for" in mails_of(administrator)[1].body
    assert "Administrator stopped it." in admin_client_for(asker).get(reverse("home")).text


def test_user_without_a_connection_is_told_on_the_first_page(asker):
    newcomer = member("newcomer@example.com", Role.ADMINISTRATOR)
    browser = admin_client_for(newcomer)
    change = asked(asker, newcomer)
    assert to("stop", change) in browser.get(reverse("home")).text


def test_nobody_but_the_user_stops_it(owner, administrator, asker, third):
    change = asked(asker, administrator)
    for person in (asker, third):
        assert admin_client_for(person).post(to("stop", change)).status_code == 404
    with pytest.raises(accounts.AccountChangeRefused):
        waiting.stop(Origin(third), change)
    assert AccountChange.objects.get().state == ChangeState.WAITING


def test_who_asked_withdraws_it_and_may_ask_again(owner, administrator, asker, third):
    change = asked(asker, administrator)
    client = admin_client_for(asker)
    page = client.get(reverse("team:member", args=[administrator.pk])).text
    assert to("withdraw", change) in page
    assert to("now", change) not in page
    other = admin_client_for(third).post(to("withdraw", change), follow=True).text
    assert "who asked for this, can withdraw it" in other
    client.post(to("withdraw", change))
    worked()
    assert is_unchanged(administrator)
    assert acts_on(administrator) == ["team.ask_change", "team.withdraw_change"]
    assert asked(asker, administrator).state == ChangeState.WAITING


def test_another_administrator_has_it_done_at_once(owner, administrator, asker, third):
    change = asked(asker, administrator)
    client = admin_client_for(third)
    page = do(client, "deactivate", administrator)
    assert "Asker has already asked for this" in page
    assert to("now", change) in page
    assert "Asker asked for this" in client.get(to("now", change)).text
    for words in ("Done: Deactivate", "no longer waits"):
        assert words in client.post(to("now", change), follow=True).text
    assert not is_unchanged(administrator)
    entry = AuditEntry.objects.get(operation="team.deactivate")
    assert (entry.actor, entry.approved_by) == (asker, third.email)
    assert acts_on(administrator) == ["team.ask_change", "team.deactivate"]


@pytest.mark.parametrize("who", ["asker", "owner", "invited", "since then", "just reset", "link"])
def test_no_other_than_another_administrator_has_it_done_at_once(
    *, who, owner, administrator, asker, third, connection, mailoutbox
):
    client = admin_client_for(asker)
    browser = {"asker": client, "owner": owner}.get(who)
    if who == "just reset":
        do(client, "factors", third)
        browser = admin_client_for(User.objects.get(pk=third.pk))
    elif who == "link":  # the first hour after a sign-in by a link of the asker
        do(client, "link", third)
        browser = Client()
        link = re.findall(r"http://testserver(\S+/key/\S+)", mailoutbox[0].body)[0]
        form = browser.get(link)["Location"]
        browser.post(form, {"password1": PASSWORD, "password2": PASSWORD})
        browser.post(reverse("account_login"), {"login": third.email, "password": PASSWORD})
    elif who == "invited":
        typed = {"email": "puppet@example.com", "name": "", "role": "administrator"}
        client.post(reverse("team:invite"), typed)
        puppet = User.objects.get(email="puppet@example.com")
        share_with(connection, puppet)
        browser = admin_client_for(puppet)
    change = asked(asker, administrator)
    if who == "since then":
        late = member("late@example.com", Role.ADMINISTRATOR)
        share_with(connection, late)
        browser = admin_client_for(late)
    for send in (browser.get, browser.post):
        page = send(to("now", change), follow=True).text
        assert re.search("Another administrator has to|do not count as another", page)
    assert is_unchanged(administrator)


def test_administrator_who_is_less_has_nothing_done_at_once(
    owner, administrator, asker, third, connection
):
    change = asked(asker, administrator)
    third.shares.update(departments=["Legal"])
    page = admin_client_for(third).post(to("now", change), follow=True).text
    assert "can do more than you on a connection" in page
    assert is_unchanged(administrator)


@pytest.mark.parametrize("by_then", ["deactivated", "demoted", "limited", "other role"])
def test_change_lapses_if_who_asked_may_no_longer_do_it(by_then, owner, administrator, asker):
    change = asked(asker, administrator)
    if by_then == "deactivated":
        accounts.deactivate(Origin(), asker)
    elif by_then == "demoted":
        accounts.change_role(Origin(), asker, Role.OPERATOR)
    elif by_then == "limited":
        asker.shares.update(departments=["Legal"])
    else:
        asker.shares.update(role=Role.OPERATOR)
    worked()
    assert is_unchanged(administrator)
    change.refresh_from_db()
    assert change.state == ChangeState.LAPSED
    assert acts_on(administrator)[-1] == "team.lapse_change"
    for person in (asker, administrator):
        assert "By then Asker could no longer change" in mails_of(person)[-1].body


@pytest.mark.parametrize(
    ("what", "typed", "act"),
    [
        ("role", {"role": "viewer"}, "team.role"),
        ("factors", {}, "team.reset_factors"),
        ("deactivate", {}, "team.deactivate"),
    ],
)
def test_machine_does_at_once_what_waits(*, what, typed, act, owner, administrator, asker):
    asked(asker, administrator, what, **typed)
    command = "reset-factors" if what == "factors" else what
    call_command("manage_account", command, email=administrator.email, **typed)
    assert not is_unchanged(administrator)
    assert AccountChange.objects.get().state == ChangeState.LAPSED
    assert "Whoever runs Switchboard did it." in mails_of(asker)[-1].body
    worked()
    acts = ["team.ask_change", "team.lapse_change", act]
    assert acts_on(administrator) == acts
    with pytest.raises(CommandError, match="--role"):
        call_command("manage_account", "deactivate", email=administrator.email, role="viewer")


@pytest.mark.parametrize(
    "case",
    ["a viewer", "away", "no hours", "never here", "a greater role", "a share that is over"],
)
def test_change_is_made_at_once_where_nobody_has_to_be_asked(
    *, case, connection, asker, viewer, operator, settings
):
    user, what, typed = viewer, "deactivate", {}
    if case == "a viewer":
        share_with(connection, user, Role.VIEWER)
        admin_client_for(user)
    elif case == "a share that is over":
        user = operator
        share = share_with(connection, user, Role.OPERATOR)
        type(share).objects.filter(pk=share.pk).update(ends_at=clock.now() - timedelta(hours=1))
        admin_client_for(user)
    elif case == "a greater role":
        user, what, typed = operator, "role", {"role": "administrator"}
        share_with(connection, user, Role.OPERATOR)
        admin_client_for(user)
    else:
        user = member("user@example.com", Role.ADMINISTRATOR)
    if case == "no hours":
        settings.ACCOUNT_ACT_HOURS = 0
        admin_client_for(user)
    elif case == "away":
        User.objects.filter(pk=user.pk).update(last_login=clock.now() - timedelta(days=15))
    do(admin_client_for(asker), what, user, **typed)
    assert not AccountChange.objects.exists()
    user.refresh_from_db()
    assert (user.role == "administrator") if typed else not user.is_active
    assert mails_of(user)


@pytest.mark.parametrize("has", ["role", "connection", "whole share", "sign-in of last week"])
def test_change_waits_for_who_has_something_to_lose(has, connect, connection, asker, operator):
    user = operator
    if has in ("role", "sign-in of last week"):
        user = member("user@example.com", Role.ADMINISTRATOR)
    elif has == "connection":
        connect(user)
    else:
        share_with(connection, user, Role.OPERATOR)
    if has == "sign-in of last week":
        User.objects.filter(pk=user.pk).update(last_login=clock.now() - timedelta(days=7))
    else:
        admin_client_for(user)
    kind = ChangeKind.DEACTIVATION
    assert waiting.ask(Origin(asker), user, kind) is not None
    assert waiting.ask(Origin(), user, kind="factors") is None  # the machine's


@pytest.mark.parametrize("what", ["factors", "deactivate"])
def test_page_of_a_refused_act_leads_back_with_the_reason(what, administrator, asker):
    asker.shares.update(departments=["Legal"])
    client = admin_client_for(asker)
    path = reverse(f"team:member-{what}", args=[administrator.pk])
    answer = client.get(path, follow=True)
    assert answer.redirect_chain == [(reverse("team:member", args=[administrator.pk]), 302)]
    assert "can do more than you on a connection" in answer.text
    own = client.get(reverse("team:member-deactivate", args=[asker.pk]), follow=True).text
    assert "You cannot change your own role" in own


def test_sessions_of_who_is_more_are_not_ended(owner, administrator, asker):
    asker.shares.update(departments=["Legal"])
    client = admin_client_for(asker)
    page = client.get(reverse("team:member-sessions", args=[administrator.pk])).text
    assert "/end/" not in page
    assert "can do more than you" in page
    handle = administrator.sessions.get().handle
    one = reverse("team:member-session-end", args=[administrator.pk, handle])
    every = reverse("team:member-sessions", args=[administrator.pk])
    for path in (one, every):
        assert "can do more than you" in client.post(path, follow=True).text
    assert owner.get("/connections/").status_code == 200
