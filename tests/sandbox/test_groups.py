"""Groups and IM groups, and who is in them."""

from portal.contract.groups import GroupList, ImGroupPage
from tests.sandbox.conftest import done, everybody


def test_are_listed_by_name(api):
    answer = GroupList.model_validate_json(api.get("/groups").content)

    names = [each.name.lower() for each in answer.groups]
    assert names == sorted(names)
    assert answer.total_records == len(names) > 0


def test_im_groups_are_one_page_and_report_who_can_search(api):
    document = api.get("/im/groups").json()
    answer = ImGroupPage.read(api.get("/im/groups").content)

    assert answer.page_count == answer.total_records == len(answer.groups) > 0
    assert answer.page_number == 1
    for group in document["groups"]:
        assert group["type"] in {"normal", "shared", "restricted"}
        assert isinstance(group["search_by_account"], bool)


def test_count_the_people_who_say_that_they_are_in_them(api):
    people = [
        each for status in ("active", "inactive", "pending") for each in everybody(api, status)
    ]
    for path, field in (("/groups", "group_ids"), ("/im/groups", "im_group_ids")):
        for group in api.get(path).json()["groups"]:
            members = [each for each in people if group["id"] in each[field]]
            assert group["total_members"] == len(members)


def test_are_left_by_those_who_leave_the_account(sandbox_factory):
    api = sandbox_factory("--frozen").client
    people = everybody(api)[1:]
    joined = next(each for each in people if each["group_ids"] and each["im_group_ids"])

    def members():
        groups = api.get("/groups").json()["groups"] + api.get("/im/groups").json()["groups"]
        return sum(each["total_members"] for each in groups)

    before = members()
    done(api.delete(f"/users/{joined['id']}", params={"action": "delete"}))

    assert members() == before - len(joined["group_ids"]) - len(joined["im_group_ids"])
