"""Changes to a profile."""

import pytest

from tests.sandbox.conftest import done, refused


def read(api, person):
    return api.get(f"/users/{person['id']}").json()


CHANGES = {
    "first_name": "Zoë",
    "last_name": "D'Árc",
    "type": 1,
    "dept": "Legal",
    "timezone": "Asia/Kathmandu",
    "language": "ne-NP",
    "use_pmi": True,
    "host_key": "004217",
    "cms_user_id": "cms-1",
}


@pytest.mark.parametrize(("field", "value"), CHANGES.items())
def test_a_field_that_was_sent_changes_and_no_other(api, person, field, value):
    before = read(api, person)

    done(api.patch(f"/users/{person['id']}", json={field: value}))

    assert read(api, person) == {**before, field: value}


def test_nothing_sent_and_nothing_in_a_field_change_nothing(api, person):
    done(api.patch(f"/users/{person['id']}", json=CHANGES))
    before = read(api, person)

    done(api.patch(f"/users/{person['id']}", json={}))
    nothing = {name: None for name in CHANGES if name != "use_pmi"}
    done(api.patch(f"/users/{person['id']}", json=nothing))

    assert read(api, person) == before


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("first_name", "x" * 65),
        ("last_name", "欧阳欧阳欧阳"),
        ("type", 4),
        ("timezone", "Mars/Olympus"),
        ("pmi", "123456789"),
        ("pmi", "12345678901"),
        ("pmi", "12345abcde"),
        ("host_key", "12345"),
        ("host_key", "abcdef"),
        ("host_key", "\uff11\uff12\uff13\uff14\uff15\uff16"),
        ("use_pmi", "perhaps"),
        ("dept", ["Legal"]),
        ("vanity_name", "abcd"),
        ("vanity_name", "7seas.of"),
        ("vanity_name", "room one"),
        ("vanity_name", "x" * 41),
    ],
)
def test_a_value_that_will_not_do_is_refused_and_nothing_changes(api, person, field, value):
    before = read(api, person)
    change = {"cms_user_id": "kept out", field: value}

    refused(api.patch(f"/users/{person['id']}", json=change), 400, field)

    assert read(api, person) == before


def test_a_personal_meeting_id_is_one_persons_alone(api, person, make_person):
    taken = read(api, make_person())["pmi"]
    refused(api.patch(f"/users/{person['id']}", json={"pmi": taken}), 400, "pmi")

    own = read(api, person)["pmi"]
    done(api.patch(f"/users/{person['id']}", json={"pmi": own}))
    free = f"{int(own) ^ 1:010}"
    done(api.patch(f"/users/{person['id']}", json={"pmi": free}))

    after = read(api, person)
    assert after["pmi"] == free
    assert after["personal_meeting_url"].endswith(free)


def test_personal_link_name_is_unique_whatever_its_case(api, person, make_person):
    name = f"Room.{person['id'][:8].replace('_', 'x')}"
    done(api.patch(f"/users/{person['id']}", json={"vanity_name": name}))
    assert read(api, person)["vanity_url"].endswith(f"/{name}")
    done(api.patch(f"/users/{person['id']}", json={"vanity_name": name.lower()}))

    other = make_person()
    answer = api.patch(f"/users/{other['id']}", json={"vanity_name": name.upper()})
    refused(answer, 400, "vanity_name")

    done(api.patch(f"/users/{person['id']}", json={"vanity_name": ""}))
    assert read(api, person)["vanity_url"] == ""
    done(api.patch(f"/users/{other['id']}", json={"vanity_name": name}))


def test_a_personal_link_name_can_be_asked_for(api, person):
    name = f"hall.{person['id'][:8].replace('_', 'x')}"
    done(api.patch(f"/users/{person['id']}", json={"vanity_name": name}))

    asked = [
        api.get("/users/vanity_name", params={"vanity_name": each}).json()["existed"]
        for each in (name, name.upper(), f"{name}2", "")
    ]

    assert asked == [True, True, False, False]


def test_all_that_is_wrong_is_shown_at_once(api, person, make_person):
    taken = read(api, make_person())["pmi"]
    change = {"pmi": taken, "vanity_name": "no"}

    refused(api.patch(f"/users/{person['id']}", json=change), 400, "pmi", "vanity_name")
