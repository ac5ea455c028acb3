"""The list of people: what it shows, how its URL holds its state, what it costs."""

import re
from datetime import timedelta
from urllib.parse import urlencode

import pytest
from django.urls import reverse
from django.utils import timezone

from portal.contract.groups import Group
from portal.directory import groups, users as mirror
from portal.directory.models import GroupKind, MirroredUser
from portal.directory.users import USERS
from portal.mirror.models import MirrorState
from portal.mirror.refresh import refresh
from portal.ui.models import ListColumns
from tests.support.scopes import whole

pytestmark = pytest.mark.django_db


@pytest.fixture
def hundreds(mirrored):
    """A connection whose mirror holds several hundred people."""
    rows = list(MirroredUser.objects.filter(connection=mirrored))
    for copy in range(5):
        for row in rows:
            row.pk, row.user_id = None, f"{row.user_id}-{copy}"
        MirroredUser.objects.bulk_create(rows)
    return mirrored


@pytest.fixture
def mirrored(connection):
    refresh(USERS.request(connection).pk)
    refresh(groups.GROUPS.request(connection).pk)
    return connection


def _url(connection, **state):
    return reverse("people:list", args=[connection.key]) + "?" + urlencode(state)


def _emails(html):
    return re.findall(r'data-email="([^"]*)"', html)


def test_the_list_shows_what_identifies_a_person(client, mirrored):
    person = MirroredUser.objects.exclude(dept="").exclude(last_login_time=None).first()
    assert person
    html = client.get(_url(mirrored, q=person.email)).content.decode()
    for words in (person.email, person.dept):
        assert words in html


def test_a_hundred_rows_take_few_queries(client, hundreds, django_assert_max_num_queries):
    client.get(_url(hundreds))  # counts, departments and groups are looked up once for everybody
    with django_assert_max_num_queries(16):
        html = client.get(_url(hundreds, per_page=100)).content.decode()
    assert html.count("<tr") > 100


@pytest.mark.parametrize("status", ["active", "inactive", "pending"])
def test_a_status_tab_shows_exactly_those_people(client, mirrored, status):
    html = client.get(_url(mirrored, status=status, per_page=300)).content.decode()
    expected = MirroredUser.objects.filter(status=status).count()
    assert f"{expected:,} " in html
    for row in MirroredUser.objects.exclude(status=status)[:5]:
        assert row.user_id not in html


def test_pages_together_show_everybody_once(client, hundreds):
    seen: list[str] = []
    number = 1
    while len(seen) < MirroredUser.objects.count():
        html = client.get(_url(hundreds, page=number, per_page=100)).content.decode()
        on_page = re.findall(r'<tr[^>]+data-key="([^"]+)"', html)
        assert on_page
        seen += on_page
        number += 1
    assert sorted(seen) == sorted(MirroredUser.objects.values_list("user_id", flat=True))


@pytest.mark.parametrize(
    "nonsense",
    [
        {"page": "no number"},
        {"page": 10**9},
        {"per_page": -1},
        {"sort": "password"},
        {"status": "unheard-of"},
        {"type": "many"},
        {"dept": "No such department"},
        {"q": "\x00'\"<script>%_\\"},
    ],
)
def test_an_address_with_nonsense_still_shows_a_list(client, mirrored, nonsense):
    assert client.get(_url(mirrored, **nonsense)).status_code == 200


def test_htmx_request_gets_fragment_and_bookmark_whole_page(client, mirrored):
    whole = client.get(_url(mirrored)).content.decode()
    part = client.get(
        _url(mirrored), headers={"HX-Request": "true", "HX-Target": "results"}
    ).content.decode()
    assert "<html" in whole
    assert "<html" not in part
    assert "<table" in whole
    assert "<table" in part


def test_a_search_without_a_match_says_so_and_offers_to_clear_it(client, mirrored):
    html = client.get(_url(mirrored, q="nobody-is-called-this")).content.decode()
    assert "Clear filters" in html


def test_first_visit_asks_for_list_and_says_it_is_coming(client, connection):
    html = client.get(_url(connection)).content.decode()
    assert mirror.state_of(connection).is_wanted
    assert "Loading people" in html


def test_service_down_leaves_old_list_and_says_how_old_it_is(client, mirrored):
    MirrorState.objects.update(failure="No answer within 10 s.")
    html = client.get(_url(mirrored)).content.decode()
    assert "No answer within 10 s." in html
    assert "last updated" in html
    assert "Try again" in html
    assert "alert-warning" not in html, "it would push the rows down"
    assert 'popovertarget="refresh-trouble"' in html


def test_a_refresh_that_no_worker_takes_up_is_said_to_wait(client, mirrored):
    asked = timezone.now() - timedelta(minutes=1)
    MirrorState.objects.update(requested_at=asked, leased_until=None)
    html = client.get(_url(mirrored)).content.decode()
    assert "Waiting for a Switchboard worker" in html
    assert "<table" in html


def test_a_name_full_of_markup_is_shown_as_text(client, mirrored):
    MirroredUser.objects.filter(
        pk=MirroredUser.objects.values_list("pk", flat=True).first()
    ).update(name="<script>alert(1)</script>", search="markup", dept='"><img src=x>')
    html = client.get(_url(mirrored, q="markup")).content.decode()
    assert "<script>alert(1)" not in html
    assert "<img src=x>" not in html


def test_asking_for_a_refresh_leads_back_to_the_list(client, mirrored):
    answer = client.post(reverse("people:refresh", args=[mirrored.key]))
    assert answer.status_code == 303
    assert mirror.state_of(mirrored).is_wanted


def test_another_admins_list_is_not_found(mirrored, operator, client):
    client.force_login(operator)
    assert client.get(_url(mirrored)).status_code == 404


def test_the_sort_of_a_column_is_a_link_that_turns_round(client, mirrored):
    html = client.get(_url(mirrored, sort="email")).content.decode()
    assert "sort=-email" in html
    shown = re.findall(r'data-key="([^"]+)"', html)
    found = mirror.find(whole(mirrored), mirror.UserFilter(), "email").values_list(
        "user_id", flat=True
    )
    assert len(shown) > 1
    assert shown == list(found[: len(shown)])


def test_the_list_narrows_to_the_people_of_a_group(client, mirrored):
    groups.put(mirrored, GroupKind.GROUP, Group(id="g-physics", name="Physics & co"))
    some = MirroredUser.objects.filter(status="active")[:2]
    groups.join(mirrored, GroupKind.GROUP, "g-physics", [row.user_id for row in some])
    html = client.get(_url(mirrored, group="g-physics")).content.decode()
    assert "Group: Physics &amp; co" in html
    assert "2 people found" in html
    assert all(row.email in html for row in some)
    assert "people found" not in client.get(_url(mirrored, group="no-such")).content.decode()


def test_rarer_filters_narrow_too_and_groups_are_shown_by_name(client, mirrored):
    groups.put(mirrored, GroupKind.IM_GROUP, Group(id="im-chess", name="Chess"))
    one, other = MirroredUser.objects.filter(connection=mirrored)[:2]
    groups.join(mirrored, GroupKind.IM_GROUP, "im-chess", [one.user_id, other.user_id])
    mirror.record_written(mirrored, {one.user_id: {"timezone": "Pacific/Tongatapu"}})
    ListColumns.objects.create(user=mirrored.owner, list_name="people", columns=["groups"])
    state = {"im_group": "im-chess", "timezone": "Pacific/Tongatapu"}
    html = client.get(_url(mirrored, **state)).content.decode()
    assert html.count("data-key=") == 1
    assert f'data-key="{one.user_id}"' in html
    assert re.search(r'<td[^>]*data-label="Groups"[^>]*>[^<]*Chess', html)
    assert "IM group: Chess" in html
    assert '<details class="sb-more-filters" open>' in html
    assert '<details class="sb-more-filters">' in client.get(_url(mirrored)).content.decode()


def test_what_a_viewer_may_not_do_is_not_offered(viewer, connect, client):
    own = connect(viewer)
    refresh(USERS.request(own).pk)
    client.force_login(viewer)
    html = client.get(_url(own)).content.decode()
    assert "Export as CSV" in html
    for action in ("licence", "settings", "remove", "deactivate", "join-group"):
        assert reverse(f"people:chosen-{action}", args=[own.key]) not in html
