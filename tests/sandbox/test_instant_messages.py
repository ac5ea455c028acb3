"""Instant messages by person, and their archive."""

from datetime import timedelta

import httpx
import pytest

from portal.contract.chat import ChatMessagePage, ChatSessionPage
from portal.contract.dashboards import ImUsePage
from tests.sandbox.conftest import everybody, refused
from tests.support.sandbox_state import HALF_A_YEAR, TODAY, days, pages, read

LAST_MONTH = days(TODAY - timedelta(days=30), TODAY - timedelta(days=1))


def conversations(api, **asked):
    params = {**HALF_A_YEAR, "page_size": 300, **asked}
    return read(api, "/im/chat/sessions", **params)["sessions"]


class TestUse:
    def test_is_reported_of_people_of_the_account(self, api: httpx.Client):
        page = read(api, "/metrics/im", **LAST_MONTH, page_size=300)
        ImUsePage.model_validate(page)
        emails = {each["id"]: each["email"] for each in everybody(api)}
        assert len(page["users"]) == page["total_records"] > 20
        for each in page["users"]:
            assert emails[each["user_id"]] == each["email"]

    def test_adds_up(self, api: httpx.Client):
        for each in read(api, "/metrics/im", **LAST_MONTH, page_size=300)["users"]:
            for way in ("send", "receive"):
                kinds = [
                    number
                    for name, number in each.items()
                    if name.endswith(way) and not name.startswith("total")
                ]
                assert len(kinds) == 7
                assert each[f"total_{way}"] >= sum(kinds)

    def test_of_some_days_is_that_of_each_of_them(self, api: httpx.Client):
        def sent(first: int, last: int) -> dict[str, int]:
            asked = days(TODAY - timedelta(days=first), TODAY - timedelta(days=last))
            page = read(api, "/metrics/im", **asked, page_size=300)
            return {each["user_id"]: each["total_send"] for each in page["users"]}

        whole, parts = sent(9, 7), [sent(day, day) for day in (9, 8, 7)]
        assert whole == {name: sum(part[name] for part in parts) for name in whole}
        assert sum(whole.values()) > 0

    def test_of_days_to_come_is_none(self, api: httpx.Client):
        asked = days(TODAY + timedelta(days=2), TODAY + timedelta(days=9))
        page = read(api, "/metrics/im", **asked, page_size=300)
        assert {each["total_send"] for each in page["users"]} == {0}

    def test_comes_page_by_page(self, api: httpx.Client):
        whole = read(api, "/metrics/im", **LAST_MONTH, page_size=300)["users"]
        parts = list(pages(api, "/metrics/im", **LAST_MONTH, page_size=7))
        assert [each for part in parts for each in part["users"]] == whole


class TestConversations:
    def test_keep_to_the_contract(self, api: httpx.Client):
        answer = api.get("/im/chat/sessions", params=HALF_A_YEAR)
        page = ChatSessionPage.model_validate_json(answer.content)
        assert set(answer.json()) == {"from", "to", "page_size", "next_page_token", "sessions"}
        assert {each.type for each in page.sessions} == {"1:1", "Group"}

    def test_are_listed_page_by_page_the_latest_first(self, api: httpx.Client):
        whole = conversations(api)
        parts = list(pages(api, "/im/chat/sessions", **HALF_A_YEAR, page_size=3))
        assert [each for part in parts for each in part["sessions"]] == whole
        assert len({each["session_id"] for each in whole}) == len(whole) > 8
        times = [each["last_message_sent_time"] for each in whole]
        assert times == sorted(times, reverse=True)

    def test_are_those_in_which_somebody_wrote_on_the_days(self, api: httpx.Client):
        everything = {each["session_id"] for each in conversations(api)}
        week = days(TODAY - timedelta(days=60), TODAY - timedelta(days=30))
        found = conversations(api, **week)
        assert 0 < len(found) < len(everything)
        for each in found:
            path = f"/im/chat/sessions/{each['session_id']}"
            messages = read(api, path, **week, page_size=300)["messages"]
            assert messages[-1]["date_time"] == each["last_message_sent_time"]
        for name in everything - {each["session_id"] for each in found}:
            assert read(api, f"/im/chat/sessions/{name}", **week)["messages"] == []

    def test_messages_are_reported_in_order_of_writing(self, api: httpx.Client):
        actions = set()
        for each in conversations(api):
            path = f"/im/chat/sessions/{each['session_id']}"
            whole = read(api, path, **HALF_A_YEAR, page_size=300)
            ChatMessagePage.model_validate(whole)
            parts = list(pages(api, path, **HALF_A_YEAR, page_size=5))
            assert [one for part in parts for one in part["messages"]] == whole["messages"]
            times = [one["date_time"] for one in whole["messages"]]
            assert times == sorted(times)
            assert whole["session_id"] == each["session_id"]
            for one in whole["messages"]:
                actions.add(one.get("action"))
                assert one.get("action_time", "9") > one["date_time"]
        assert actions == {None, "edit", "delete"}

    def test_that_do_not_exist_are_not_found(self, api: httpx.Client):
        refused(api.get("/im/chat/sessions/nothing", params=HALF_A_YEAR), 404)

    def test_give_tokens_that_hold_in_their_own_conversation(self, api: httpx.Client):
        def first(name: str) -> str:
            asked = {**HALF_A_YEAR, "page_size": 1}
            return read(api, f"/im/chat/sessions/{name}", **asked)["next_page_token"]

        names = [each["session_id"] for each in conversations(api)]
        token = next(token for name in names if (token := first(name)))
        own = next(name for name in names if first(name))
        other = next(name for name in names if name != own)
        asked = {**HALF_A_YEAR, "page_size": 1, "next_page_token": token}
        answer = api.get(f"/im/chat/sessions/{other}", params=asked)
        refused(answer, 400, "next_page_token")


@pytest.mark.parametrize("path", ["/metrics/im", "/im/chat/sessions", "/im/chat/sessions/any"])
@pytest.mark.parametrize("missing", ["from", "to"])
def test_the_days_are_required(api, path, missing):
    asked = {name: day for name, day in HALF_A_YEAR.items() if name != missing}
    refused(api.get(path, params=asked), 400, missing)
