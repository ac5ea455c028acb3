"""Groups side by side: the settings of their members, counted."""

import pytest
from django.urls import reverse

from portal.account.services import compared
from portal.contract.groups import Group
from portal.directory import groups
from portal.directory.models import MirroredUser
from portal.people.services.groups import GROUPS
from tests.account.matrix_pages import page, rows, subjects
from tests.support.dashboard_pages import words_of
from tests.support.fault_server import answer
from tests.support.people import make_group, make_person

__all__ = ["make_group", "make_person"]

pytestmark = pytest.mark.django_db

CHAT = "in_meeting.chat"


def test_settings_of_groups_are_counted_over_their_members(
    client, connection, make_person, make_group
):
    chats = {"Sales": (True, True, False), "Interns": (False, False)}
    ids = {}
    for name, chat_of in chats.items():
        group = make_group(GROUPS)
        members = [make_person(first_name=name) for _chat in chat_of]
        for person, chat in zip(members, chat_of, strict=True):
            person.set(in_meeting={"chat": chat, "polling": True})
        group.put(*members)
        groups.join(connection, GROUPS.mirrored, group.id, [one.id for one in members])
        ids[name] = group.id
    key = connection.key
    answered = client.post(reverse("groups:compare", args=[key]), {"chosen": list(ids.values())})
    assert set(subjects(answered["Location"])) == set(ids.values())
    url = reverse("account:compare-groups", args=[key], query={"subject": list(ids.values())})
    html = page(client, url)
    assert list(rows(html)) == [CHAT]
    assert rows(html)[CHAT].endswith("On: 2 · Off: 1 Off")
    said = words_of(html.encode())
    assert "3 members" in said
    assert "Settings are those of people: a column counts those of the group's members" in said
    assert "Copy settings" not in said
    assert reverse("groups:group", args=[key, ids["Sales"]]) in html


def test_large_groups_are_read_in_part_and_say_so(client, faulty, fault_server, monkeypatch):
    fault_server.always(answer(200, {"in_meeting": {"chat": True}}))
    monkeypatch.setattr(compared, "MOST_READ", 6)
    for group, count in (("small", 2), ("large", 9)):
        groups.put(faulty, GROUPS.mirrored, Group(id=group, name=group))
        MirroredUser.objects.bulk_create(
            MirroredUser(connection=faulty, user_id=f"{group}{number}", status="active")
            for number in range(count)
        )
        members = [f"{group}{number}" for number in range(count)]
        groups.join(faulty, GROUPS.mirrored, group, members)
    query = {"subject": ["small", "large", "gone"], "show": "all"}
    html = page(client, reverse("account:compare-groups", args=[faulty.key], query=query))
    said = words_of(html.encode())
    assert "2 members" in said
    assert "4 of 9 members" in said
    assert "There is no such group any more." in said
    assert "On On Not loaded" in rows(html)[CHAT]


def test_another_group_is_found_by_name_and_added(client, connection, make_group):
    first, second = make_group(GROUPS), make_group(GROUPS)
    url = reverse("account:compare-groups-add", args=[connection.key], query={"subject": first.id})
    found = client.get(url, {"field": "picked", "search:picked": second.name}).content.decode()
    assert f'value="{second.id}"' in found
    assert subjects(client.post(url, {"picked": second.id})["Location"]) == [first.id, second.id]
