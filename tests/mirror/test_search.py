"""The search over everything: what it finds, for whom, and that it needs no service."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from portal.contract.groups import Group, ImGroup
from portal.contract.users import User as Person, UserStatus
from portal.directory import groups, users
from portal.directory.models import GroupKind
from portal.mirror.models import MirrorState
from tests.support.html import text_of
from tests.support.portal import admin_client_for

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true", "HX-Target": "search-hits"}


@pytest.fixture
def known(faulty):
    """A connection with people and groups in its mirror, and a service that refuses calls."""
    for at in range(9):
        person = Person(
            id=f"u{at}", email=f"keller{at}@example.com", first_name="Ann", last_name=f"Keller {at}"
        )
        users.put(faulty, person, UserStatus.ACTIVE)
    ada = Person(
        id="ada",
        email="ada@example.org",
        first_name="Ada",
        last_name="Lovelace",
        dept="Mathematics",
        pmi="5551234567",
    )
    users.put(faulty, ada, UserStatus.INACTIVE)
    groups.put(faulty, GroupKind.GROUP, Group(id="g1", name="Engines"))
    groups.put(faulty, GroupKind.IM_GROUP, ImGroup(id="i1", name="Engine friends"))
    return faulty


def _search(connection, text, *, user=None):
    client = admin_client_for(user or connection.owner)
    url = reverse("mirror:search", args=[connection.key])
    answer = client.get(url, {"q": text}, headers=HTMX)
    assert answer.status_code == 200
    return str(answer.content.decode())


@pytest.mark.parametrize(
    "text", ["ada", "LOVELACE ada", "ada@example.org", "mathem", "555123", "  ada  "]
)
def test_a_person_is_found_by_name_address_department_and_number(known, text):
    html = _search(known, text)
    assert reverse("people:person", args=[known.key, "ada"]) in html
    assert "keller" not in html


def test_groups_of_either_kind_pages_and_beginnings_are_found(known, fault_server):
    html = _search(known, "engine")
    assert reverse("groups:group", args=[known.key, "g1"]) in html
    assert reverse("im-groups:group", args=[known.key, "i1"]) in html
    assert reverse("audit:trail") in _search(known, "audit")
    assert reverse("people:create", args=[known.key]) in _search(known, "add user")
    own = {"two-factor": "mfa_index", "sessions": "sign_in:sessions", "language": "ui:locale"}
    assert all(reverse(name) in _search(known, word) for word, name in own.items())
    assert fault_server.requests == []


def test_a_few_of_many_are_shown_with_the_way_to_all(known):
    html = _search(known, "keller ann")
    assert html.count("sb-hit-detail") == 6
    assert f"{reverse('people:list', args=[known.key])}?q=keller+ann" in html


def test_what_was_never_read_is_said_to_be_missing(known):
    html = text_of(_search(known, "nobody"))
    assert (
        "Not loaded from the service yet: People, Groups, Meetings, Webinars, Recordings." in html
    )
    MirrorState.objects.filter(connection=known).update(refreshed_at=timezone.now())
    assert "Not loaded" not in _search(known, "nobody")
    assert "Not loaded" not in _search(known, "")


def test_search_without_or_with_strange_words_explains_itself(known):
    html = _search(known, "")
    assert reverse("people:list", args=[known.key]) in html
    assert reverse("people:create", args=[known.key]) in html
    assert "keller" not in html
    for text in ("no such thing", "%", "_", "\\", "\x00zzz", "<b>", "x" * 200):
        html = _search(known, text)
        assert "No results for" in html
        assert 'role="option"' not in html
        assert "<b>" not in html


def test_search_offers_only_what_role_and_connection_allow(connect, viewer, administrator):
    for connection in (connect(viewer), connect(administrator, "Kept", read_only=True)):
        html = _search(connection, "create")
        assert "No results for" in html
    assert "Team" not in _search(connect(viewer, "Second"), "team")
    assert "Team" in _search(connect(administrator, "Second"), "team")


def test_hostile_names_stay_text_and_every_id_leads_to_a_page(known):
    users.put(
        known, Person(id="x1", email="m@example.com", last_name="<img src=x>"), UserStatus.ACTIVE
    )
    users.put(known, Person(id="a/b", email="slash@example.com"), UserStatus.ACTIVE)
    assert "<img src=x>" not in _search(known, "img")
    assert reverse("people:person", args=[known.key, "a/b"]) in _search(known, "slash")


@pytest.mark.whole_pages
def test_it_is_a_page_with_a_form_for_those_without_scripts(known):
    client = Client()
    client.force_login(known.owner)
    html = client.get(reverse("mirror:search", args=[known.key]), {"q": "ada"}).content.decode()
    assert '<h1 class="page-title">Search</h1>' in html
    assert 'value="ada"' in html
    assert "Ada Lovelace" in html
    assert (
        reverse("mirror:search", args=[known.key])
        in client.get(reverse("audit:trail")).content.decode()
    )
