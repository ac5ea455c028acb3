"""Which roles need a second factor: chosen on the Team page, over what the configuration says."""

from datetime import timedelta

import pytest
import time_machine
from django.conf import settings as configured
from django.contrib.messages import get_messages
from django.urls import reverse
from django.utils import timezone
from django.utils.timezone import localdate

from portal.access.models import SecondFactorRule, User
from portal.access.roles import Role
from portal.audit.reading import lines
from tests.sign_in.test_second_factor import set_up
from tests.sign_in.test_session_list import signed_in
from tests.support.portal import admin_client_for, member

pytestmark = pytest.mark.django_db
URL = reverse("team:second-factor")
PAGE = "/connections/"


@pytest.fixture
def boss(administrator):
    """A client of the administrator."""
    return admin_client_for(administrator)


def require(boss, *roles, **days):
    return boss.post(URL, dict.fromkeys(roles, "on") | days)


def is_led_to_set_up(user, page=PAGE):
    return admin_client_for(user).get(page).get("Location") == reverse("mfa_index")


def ahead(days):
    return str(localdate() + timedelta(days=days))


def test_roles_of_the_configuration_are_those_of_the_portal():
    assert set(configured.ROLES) == set(Role.values)


def test_who_has_none_is_led_to_set_one_up_at_the_next_request(boss, operator, viewer):
    theirs = admin_client_for(operator)
    assert theirs.get(PAGE).status_code == 200
    assert require(boss, "operator")["Location"] == reverse("team:list")
    for page in (PAGE, "/", reverse("audit:trail"), reverse("sign_in:sign-ins")):
        assert theirs.get(page)["Location"] == reverse("mfa_index")
    assert theirs.get(reverse("mfa_index")).status_code == 200
    assert not is_led_to_set_up(viewer)


def test_setting_one_up_opens_the_rest(boss, operator):
    require(boss, "operator")
    set_up(operator)
    assert not is_led_to_set_up(operator)


def test_another_role_counts_from_the_next_request(boss, viewer):
    require(boss, "operator")
    boss.post(reverse("team:member-role", args=[viewer.pk]), {"role": "operator"})
    assert is_led_to_set_up(viewer)


def test_it_holds_from_day_chosen_and_reminds_until_then(boss, operator):
    with time_machine.travel(timezone.now(), tick=False) as clock:
        require(boss, "operator", operator_from=ahead(3))
        client = signed_in(operator)
        said = [str(each) for each in get_messages(client.get("/nowhere/").wsgi_request)]
        assert any("you need two-factor authentication" in each for each in said)
        assert client.get(PAGE).status_code == 200
        assert b"You need one from" in client.get(reverse("mfa_index")).content
        clock.shift(timedelta(days=3))
        assert is_led_to_set_up(operator)


def test_who_has_one_is_not_reminded(boss, operator):
    set_up(operator)
    require(boss, "operator", operator_from=ahead(3))
    client = admin_client_for(operator)
    assert b"You need one from" not in client.get(reverse("mfa_index")).content


def test_the_page_says_whom_it_is_about(boss, operator):
    for number in range(4):
        member(f"operator{number}@example.com", Role.OPERATOR)
    gone = member("gone@example.com", Role.OPERATOR)
    User.objects.filter(pk=gone.pk).update(is_active=False)
    set_up(operator)
    page = boss.get(URL).content.decode()
    assert "Without a second factor: 4 of 5 (Operator0, Operator1, Operator2 and 1 more)." in page
    assert "Nobody has this role." in page


def test_a_second_factor_that_is_chosen_no_more_is_not_needed(boss, operator):
    require(boss, "operator")
    require(boss)
    assert not is_led_to_set_up(operator)
    assert not SecondFactorRule.objects.exists()


def test_what_stays_as_it_was_keeps_its_day_and_is_not_recorded(boss, operator):
    require(boss, "operator")
    [rule] = SecondFactorRule.objects.all()
    require(boss, "operator", operator_from=str(localdate(rule.since)))
    assert SecondFactorRule.objects.get().since == rule.since
    assert lines().filter(operation="team.second_factor").count() == 1


def test_a_change_is_recorded_with_what_it_was(boss, administrator):
    require(boss, "viewer")
    require(boss)
    entry = lines()[0]
    assert (entry.operation, entry.actor) == ("team.second_factor", administrator)
    assert entry.before == {"viewer": f"Required from {timezone.now().date()}"}
    assert entry.sent == {"viewer": "Not required"}


def test_the_day_that_is_recorded_is_the_one_that_was_chosen(boss):
    boss.cookies["zone"] = "Asia/Tokyo"
    day = ahead(3)
    require(boss, "viewer", viewer_from=day)
    require(boss)
    lifted, required = lines()[:2]
    assert required.sent == lifted.before == {"viewer": f"Required from {day}"}


@pytest.mark.parametrize("day", ["2001-01-01", "someday"])
def test_day_that_is_over_or_none_is_refused_and_stays_in_form(day, boss, operator):
    answer = require(boss, "operator", operator_from=day)
    assert answer.status_code == 422
    assert day in answer.content.decode()
    assert not is_led_to_set_up(operator)


def test_nobody_requires_of_administrators_what_they_have_not(boss, administrator):
    answer = require(boss, "administrator", "viewer")
    assert answer.status_code == 422
    assert "for your own account first" in answer.content.decode()
    assert not SecondFactorRule.objects.exists()
    set_up(administrator)
    assert require(boss, "administrator").status_code == 302
    assert boss.get(PAGE).status_code == 200


def test_the_page_does_not_go_below_the_configuration(boss, operator, viewer, settings):
    settings.REQUIRE_SECOND_FACTOR = ["operator"]
    page = boss.get(URL).content.decode()
    assert "The configuration of Switchboard requires it (REQUIRE_SECOND_FACTOR)." in page
    require(boss, "viewer", operator="")
    assert is_led_to_set_up(operator)
    assert is_led_to_set_up(viewer)
    require(boss)
    assert is_led_to_set_up(operator)
    assert not is_led_to_set_up(viewer)


def test_it_takes_a_proof_of_who_one_is(administrator):
    require(admin_client_for(administrator, recently=False), "viewer")
    assert not SecondFactorRule.objects.exists()


def test_the_team_page_says_what_is_required(boss, settings):
    settings.REQUIRE_SECOND_FACTOR = ["compliance"]
    require(boss, "viewer", "operator", operator_from=ahead(40))
    page = boss.get(reverse("team:list")).content.decode()
    required = page[page.index("Two-factor required for") :]
    assert [word in required for word in ("since ", "from ", "by configuration")] == [True] * 3
    assert "Administrator" not in required
