"""Acts on an account ask what the actor is beside the one who is hit, wherever that one is more."""

import re

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from portal.access.models import User
from portal.access.roles import Role
from portal.audit.acts import Act
from portal.audit.models import AuditEntry
from portal.sign_in.sessions import active
from tests.support.mails import delivered
from tests.support.portal import PASSWORD, admin_client_for, member
from tests.support.shares import share_with

pytestmark = pytest.mark.django_db
LINK = r"http://testserver(/account/password/reset/key/[^<\s\"]+)"


@pytest.fixture
def colleague(db):
    return member("colleague@example.com", Role.ADMINISTRATOR)


@pytest.fixture
def limited(connection, colleague):
    """A client of an administrator whose share of the connection is limited."""
    share_with(connection, colleague, departments=["Legal"])
    return admin_client_for(colleague)


def do(client, what, user, **typed):
    return client.post(reverse(f"team:member-{what}", args=[user.pk]), typed, follow=True)


def set_password(link):
    browser = Client()
    form = browser.get(link)["Location"]
    browser.post(form, {"password1": PASSWORD, "password2": PASSWORD})
    return browser


ACTS = [("link", {}), ("factors", {}), ("role", {"role": "viewer"}), ("deactivate", {})]


@pytest.mark.parametrize(("what", "typed"), ACTS)
def test_owner_is_not_changed_by_limited_administrator(
    what, typed, limited, administrator, mailoutbox
):
    member("whole@example.com", Role.ADMINISTRATOR)
    administrator.authenticator_set.create(type="totp", data={"secret": "x"})
    page = do(limited, what, administrator, **typed)
    assert "can do more than you on a connection" in page.text
    assert not re.search(LINK, page.text)
    administrator.refresh_from_db()
    assert administrator.is_active
    assert administrator.is_administrator
    assert administrator.authenticator_set.exists()
    assert not mailoutbox


@pytest.mark.parametrize(("what", "typed"), ACTS)
def test_owner_is_changed_by_unlimited_administrator(
    what, typed, connection, administrator, colleague
):
    share_with(connection, colleague)
    page = do(admin_client_for(colleague), what, administrator, **typed)
    assert "can do more than you" not in page.text
    assert administrator.email in [to for mail in delivered() for to in mail.to]


def test_refusal_names_who_can_change_the_account(limited, connection, administrator):
    share_with(connection, member("whole@example.com", Role.ADMINISTRATOR))
    assert "change this account: Whole." in do(limited, "deactivate", administrator).text


def test_page_offers_no_act_that_would_be_refused(limited, administrator, viewer):
    page = limited.get(reverse("team:member", args=[administrator.pk])).text
    assert "can do more than you on a connection" in page
    urls = [reverse(f"team:member-{what}", args=[administrator.pk]) for what, _typed in ACTS]
    assert not [url for url in urls if url in page]
    theirs = limited.get(reverse("team:member", args=[viewer.pk])).text
    assert reverse("team:member-deactivate", args=[viewer.pk]) in theirs


def test_former_limit_still_refuses(limited, connection, administrator, colleague, operator):
    share_with(connection, operator, Role.OPERATOR)
    colleague.shares.get().delete()
    assert "more than you" in do(limited, "deactivate", operator).text


def test_limited_administrator_makes_no_administrator(limited, viewer):
    typed = {"email": "puppet@example.com", "name": "", "role": "administrator"}
    answer = limited.post(reverse("team:invite"), typed)
    assert answer.status_code == 422
    assert "cannot make anybody an administrator" in answer.text
    assert not User.objects.filter(email="puppet@example.com").exists()
    do(limited, "role", viewer, role="administrator")
    viewer.refresh_from_db()
    assert viewer.role == "viewer"


def test_limited_administrator_is_offered_roles_they_can_give(limited, client, viewer):
    pages = (reverse("team:invite"), reverse("team:member", args=[viewer.pk]))
    for url in pages:
        assert 'value="operator"' in limited.get(url).text
        assert 'value="administrator"' not in limited.get(url).text
        assert 'value="administrator"' in client.get(url).text


def test_link_of_used_account_goes_to_its_person_alone(client, viewer, mailoutbox):
    page = do(client, "link", viewer).text
    assert not re.search(LINK, page)
    assert "No other user sees it" in page
    [mail] = mailoutbox
    assert mail.to == [viewer.email]
    assert re.search(LINK, mail.body)


@pytest.mark.parametrize(
    ("what", "typed", "words"),
    [
        ("role", {"role": "operator"}, "You are now Operator"),
        ("factors", {}, "removed the two-factor authentication"),
        ("deactivate", {}, "deactivated your account"),
    ],
)
def test_user_is_told_by_mail_who_changed_their_account(what, typed, words, client, viewer):
    do(client, what, viewer, **typed)
    [mail] = delivered()
    assert mail.to == [viewer.email]
    assert "administrator@example.com" in mail.body
    assert words in " ".join(mail.body.split())


def test_sign_in_by_link_of_another_is_marked(client, viewer, mailoutbox):
    do(client, "link", viewer)
    browser = set_password(re.findall(LINK, mailoutbox[0].body)[0])
    typed = {"login": viewer.email, "password": PASSWORD}
    for _ in range(2):
        browser.post(reverse("account_login"), typed)
        browser.post(reverse("account_logout"))
    second, first = AuditEntry.objects.filter(operation=Act.SIGN_IN)[:2]
    assert first.sent["link_made_by"] == "administrator@example.com"
    assert "link_made_by" not in second.sent
    page = client.get(reverse("team:member-sign-ins", args=[viewer.pk])).text
    assert page.count("By a link that administrator@example.com sent") == 1


def test_command_changes_account_of_anyone(administrator):
    admin_client_for(administrator)
    member("second@example.com", Role.ADMINISTRATOR)
    call_command("manage_account", "vouch", email=administrator.email)
    call_command("manage_account", "deactivate", email=administrator.email)
    assert not active(administrator)
    acts = AuditEntry.objects.filter(object_id=str(administrator.pk), actor=None)
    assert {"team.vouch", "team.deactivate"} <= {entry.operation for entry in acts}
