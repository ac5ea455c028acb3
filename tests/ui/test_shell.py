"""The shell: where one is, which account is worked on, and what one may open."""

import re

import pytest
from django.db import connection as database
from django.test.utils import CaptureQueriesContext

from portal.contract.users import LicenceType, User as Person, UserStatus
from portal.directory import users
from portal.mirror.models import MirrorState
from portal.ui.templatetags.ui import initials
from tests.support.html import text_of
from tests.support.portal import admin_client_for
from tests.ui.home_causes import live

pytestmark = pytest.mark.whole_pages


def navigation(client, url="/audit/"):
    return client.get(url).content.decode().partition('id="navigation"')[2].partition("</nav>")[0]


def switcher(client, url):
    """Returns the menu of accounts, as it is filled on the page of this address."""
    return client.get(
        "/accounts/switch/",
        headers={"HX-Request": "true", "HX-Current-URL": f"http://testserver{url}"},
    ).text


def test_without_a_connection_there_are_no_pages_of_one(administrator):
    entries = navigation(admin_client_for(administrator))
    assert "People" not in entries
    assert "Audit trail" in entries


def test_with_a_connection_its_pages_are_there(administrator, connection):
    assert f'href="/c/{connection.key}/people/"' in navigation(admin_client_for(administrator))


def test_the_page_that_is_open_is_marked(administrator):
    entries = navigation(admin_client_for(administrator))
    assert entries.count('aria-current="page"') == 1
    assert 'href="/audit/" aria-current="page"' in entries


def test_only_administrators_see_the_team(administrator, operator):
    assert 'href="/team/"' in navigation(admin_client_for(administrator), "/settings/")
    assert 'href="/team/"' not in navigation(admin_client_for(operator), "/settings/")


def test_navigation_has_nineteen_pages_and_settings_apart(administrator, connection):
    client = admin_client_for(administrator)
    daily = navigation(client, "/")
    assert daily.count("<a ") == 19
    assert daily.index("/jobs/") > daily.index("/audit/")
    assert 'id="jobs-news" role="status"></span></a>' in daily
    assert 'href="/settings/"' in daily
    assert "/account/" not in daily
    rare = navigation(client, f"/c/{connection.key}/account/webhooks/")
    assert rare.count('aria-current="page"') == 1
    assert f'href="/c/{connection.key}/account/webhooks/" aria-current="page"' in rare
    assert 'href="/"' in rare, "the way back"
    assert "/people/" not in rare


def test_settings_overview_lists_what_its_navigation_lists(administrator, operator, connection):
    for user in (administrator, operator):
        client = admin_client_for(user)
        page = client.get("/settings/").content.decode()
        main = page.partition("<main")[2].partition("</main>")[0]
        listed = re.findall('<a class="row-link[^>]*href="([^"]+)"', main)
        own = re.findall('<a class="nav-link[^>]*href="([^"]+)"', navigation(client, "/settings/"))
        assert own == ["/", "/settings/", *listed]
        assert connection.key in page if user == administrator else "/team/" not in listed


def test_page_within_another_marks_that_one(administrator, connection):
    client = admin_client_for(administrator)
    for path in ("recordings/retention/", "recordings/"):
        entries = navigation(client, f"/c/{connection.key}/{path}")
        assert f'href="/c/{connection.key}/recordings/" aria-current="page"' in entries
        assert "retention" not in entries


def test_navigation_counts_what_waits_and_what_is_live(administrator, connection):
    person = Person(id="ada", email="ada@example.com", type=LicenceType.PRO)
    users.put(connection, person, UserStatus.INACTIVE)
    live(connection)
    entries = text_of(navigation(admin_client_for(administrator)))
    assert "Licences 1 waiting for you" in entries
    assert "Live 1 live" in entries


def test_switching_stays_at_the_same_kind_of_page(administrator, connect):
    here, there = connect(administrator, "Here"), connect(administrator, "There")
    client = admin_client_for(administrator)
    assert f'href="/c/{there.key}/people/create/"' in (
        switcher(client, f"/c/{here.key}/people/create/")
    )


def test_switching_from_one_person_leads_to_the_list(administrator, connect):
    here, there = connect(administrator, "Here"), connect(administrator, "There")
    entries = switcher(admin_client_for(administrator), f"/c/{here.key}/people/nobody/")
    assert f'href="/c/{there.key}/people/"' in entries


def test_the_switcher_lists_ones_own_connections_alone(administrator, operator, connect):
    connect(administrator, "Of the administrator")
    own = connect(operator, "Of the operator")
    entries = switcher(admin_client_for(operator), f"/c/{own.key}/people/")
    assert "Of the operator" in entries
    assert "Of the administrator" not in entries


def test_name_colour_and_health_of_account_stand_on_every_page(administrator, connection):
    client = admin_client_for(administrator)
    for url in (f"/c/{connection.key}/people/", "/audit/", "/connections/"):
        bar = client.get(url).content.decode().partition("<header")[2].partition("</header>")[0]
        assert f"sb-colour-{connection.colour}" in bar
        assert connection.name in bar
        assert "sb-health" in bar


def test_signing_out_is_a_post(administrator):
    page = admin_client_for(administrator).get("/audit/").content.decode()
    form = page.partition('action="/account/logout/"')
    assert form[0].endswith('method="post" ')
    assert 'href="/account/logout/"' not in page


@pytest.mark.parametrize("url", ["/audit/", "/connections/", "/no-such-page/"])
def test_page_loads_one_style_one_script_and_none_inline(settings, administrator, url):
    html = admin_client_for(administrator).get(url).content.decode()
    assert html.count('rel="stylesheet"') == 1
    assert html.count("<script src=") == html.count("<script") == 1
    assert "<style" not in html


@pytest.mark.parametrize(
    ("name", "letters"),
    [("Ada Lovelace", "AL"), ("Nadia Okafor (sample)", "NO"), ("ada.byron@example.com", "AB")],
)
def test_initials_are_letters_of_the_name(name, letters):
    assert initials(name) == letters


def test_badges_read_states_of_lists_by_one_query(administrator, connection):
    client, url = admin_client_for(administrator), f"/c/{connection.key}/jobs/"
    client.get(url)  # fills caches
    with CaptureQueriesContext(database) as queries:
        client.get(url)
    read = [one["sql"] for one in queries if MirrorState._meta.db_table in one["sql"]]
    assert len(read) == 1, read
