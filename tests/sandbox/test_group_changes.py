"""Groups and IM groups are made, changed, filled and deleted."""

from uuid import uuid4

import pytest

from tests.sandbox.conftest import done, refused

KINDS = {"/groups": ("group_ids", 30), "/im/groups": ("im_group_ids", 10)}


@pytest.fixture(params=KINDS)
def path(request):
    return request.param


@pytest.fixture
def group(api, path):
    created = make(api, path)
    yield created
    api.delete(f"{path}/{created['id']}")


def make(api, path, **given):
    answer = api.post(path, json={"name": f"Team {uuid4().hex}", **given})
    assert answer.status_code == 201, answer.text
    assert answer.headers["content-location"] == f"/v2{path}/{answer.json()['id']}"
    return answer.json()


def read(api, path, group):
    answer = api.get(f"{path}/{group['id']}")
    assert answer.status_code == 200
    return answer.json()


def add(api, path, group, *members):
    return api.post(f"{path}/{group['id']}/members", json={"members": list(members)})


def test_a_new_one_is_empty_and_is_listed(api, path, group):
    assert group["total_members"] == 0
    assert read(api, path, group) == group
    assert group["id"] in [each["id"] for each in api.get(path).json()["groups"]]


def test_names_are_unique_without_regard_to_case(api, path, group):
    refused(api.post(path, json={"name": group["name"].upper()}), 409, "name")
    other = make(api, path)
    refused(api.patch(f"{path}/{other['id']}", json={"name": group["name"].upper()}), 409, "name")
    done(api.patch(f"{path}/{group['id']}", json={"name": group["name"].upper()}))
    assert read(api, path, group)["name"] == group["name"].upper()


def test_names_have_their_limits(api):
    for path, most in (("/groups", 127), ("/im/groups", 128)):
        refused(api.post(path, json={"name": "x" * (most + 1)}), 400, "name")
        refused(api.post(path, json={"name": ""}), 400, "name")
        make(api, path, name=uuid4().hex.ljust(most, "x"))


def test_of_instant_messaging_keep_what_a_change_does_not_name(api):
    group = make(api, "/im/groups", type="restricted", search_by_domain=True)
    done(api.patch(f"/im/groups/{group['id']}", json={"search_by_account": True}))

    changed = read(api, "/im/groups", group)
    assert changed == {**group, "search_by_account": True}
    assert (changed["type"], changed["search_by_domain"]) == ("restricted", True)


def test_members_are_named_by_id_or_by_email_id_first(api, path, group, make_person):
    ann, bob, eve = make_person(), make_person(first_name="Bob"), make_person()
    answer = add(
        api,
        path,
        group,
        {"id": ann["id"], "email": eve["email"]},
        {"email": bob["email"].upper()},
        {"id": ann["id"]},
    )
    assert answer.status_code == 201
    assert answer.json()["ids"] == f"{ann['id']},{bob['id']}"
    assert answer.json()["added_at"].endswith("Z")

    page = api.get(f"{path}/{group['id']}/members").json()
    assert {each["id"] for each in page["members"]} == {ann["id"], bob["id"]}
    one = next(each for each in page["members"] if each["id"] == bob["id"])
    assert one == {key: bob[key] for key in ("id", "email", "first_name", "last_name", "type")}
    assert read(api, path, group)["total_members"] == page["total_records"] == 2


def test_nobody_is_added_when_anybody_is_unknown(api, path, group, person):
    answer = add(api, path, group, {"id": person["id"]}, {"id": "nobody"}, {"email": "no@no.no"})
    refused(answer, 400, "members.1.id", "members.2.email")
    assert read(api, path, group)["total_members"] == 0


def test_only_so_many_are_added_at_once(api, path, group):
    most = KINDS[path][1]
    refused(add(api, path, group, *[{"id": "x"}] * (most + 1)), 400, "members")


def test_people_report_the_groups_that_they_are_in(api, path, group, person):
    def groups():
        return api.get(f"/users/{person['id']}").json()[KINDS[path][0]]

    members = f"{path}/{group['id']}/members"
    add(api, path, group, {"id": person["id"]})
    assert groups() == [group["id"]]
    done(api.delete(f"{members}/{person['email']}"))
    assert groups() == []
    refused(api.delete(f"{members}/{person['id']}"), 404)

    add(api, path, group, {"id": person["id"]})
    done(api.delete(f"{path}/{group['id']}"))
    assert groups() == []
    assert api.get(f"/users/{person['id']}").status_code == 200


def test_members_are_listed_page_by_page(api, path, group, make_person):
    people = sorted(make_person()["id"] for _ in range(5))
    add(api, path, group, *({"id": each} for each in people))
    pages = [
        api.get(f"{path}/{group['id']}/members", params={"page_size": 2, "page_number": at}).json()
        for at in (1, 2, 3, 4)
    ]
    assert [page["page_count"] for page in pages] == [2, 2, 1, 0]
    assert sorted(each["id"] for page in pages for each in page["members"]) == people


def test_unknown_ones_are_not_found(api, path):
    for answer in (
        api.get(f"{path}/nothing"),
        api.patch(f"{path}/nothing", json={"name": "x"}),
        api.delete(f"{path}/nothing"),
        api.get(f"{path}/nothing/members"),
        api.post(f"{path}/nothing/members", json={"members": []}),
        api.delete(f"{path}/nothing/members/nobody"),
    ):
        assert "group" in refused(answer, 404)
