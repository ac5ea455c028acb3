"""A session of the sample account that was recorded: no call to the service records one."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote

from playwright.sync_api import Page

from portal.contract.meetings import MeetingType
from portal.ui.converters import IdConverter
from tests.browser.service import ask, call
from tests.browser.shared_demonstration import Demo

in_path = IdConverter().to_url


def open_archive(page: Page, home: str) -> None:
    """Gives a reason to read the chat archive."""
    page.goto(f"{home}/chat/")
    page.get_by_label("Reason").fill("Request of the works council, case 2026-115")
    page.get_by_role("button", name="Open chat archive").click()
    page.get_by_role("button", name="Close archive").wait_for()


def recorded_session(demo: Demo) -> str:
    """A meeting that takes place again, of whose last time there are several files, with nothing in
    the trash; its path in the service."""
    return _recorded(demo, _takes_place_again)


def ended_session(demo: Demo) -> str:
    """The same of a meeting that was planned once and is over."""
    return _recorded(demo, lambda planned: planned["type"] == MeetingType.SCHEDULED)


def past_meeting(demo: Demo) -> str:
    """The UUID of a meeting that is over, and whose participants the service reports."""
    query = {**_days(29), "type": "past", "page_size": 30}
    found = call(demo, "GET", "/metrics/meetings", params=query)["meetings"]
    return str(max(found, key=lambda one: int(one["participants"]))["uuid"])


def _recorded(demo: Demo, is_meant: Callable[[dict[str, Any]], bool]) -> str:
    for number in _recorded_numbers(demo):
        path = f"/meetings/{number}"
        planned = ask(demo, "GET", path)
        is_recorded = planned.status_code == 200 and len(files(demo, path)) > 2
        if is_recorded and is_meant(planned.json()) and not _in_trash(demo, path):
            return path
    raise AssertionError("The sample account has no recording of such a session.")


def _takes_place_again(planned: dict[str, Any]) -> bool:
    now = datetime.now(UTC).isoformat()
    coming = [one for one in planned.get("occurrences", []) if one["start_time"] > now]
    return planned["type"] == MeetingType.RECURRING or bool(coming)


def files(demo: Demo, session: str) -> list[dict[str, Any]]:
    """The files of the last time that are not in the trash."""
    data = ask(demo, "GET", f"{session}/recordings")
    return list(data.json()["recording_files"]) if data.status_code == 200 else []


def watching(demo: Demo, session: str) -> dict[str, Any]:
    """Sharing the last time."""
    uuid = call(demo, "GET", f"{session}/recordings")["uuid"]
    return dict(call(demo, "GET", f"/meetings/{quote(quote(uuid, ''), '')}/recordings/settings"))


def _in_trash(demo: Demo, session: str) -> bool:
    data = call(demo, "GET", f"{session}/recordings")
    query = {**_days(360), "trash": "true", "page_size": 300}
    listed = call(demo, "GET", f"/users/{data['host_id']}/recordings", params=query)
    return any(one["id"] == data["id"] for one in listed["meetings"])


def _days(back: int) -> dict[str, str]:
    today = datetime.now(UTC).date()
    return {"from": str(today - timedelta(days=back)), "to": str(today)}


def _recorded_numbers(demo: Demo) -> list[int]:
    query = {**_days(29), "type": "past", "page_size": 300}
    found: list[int] = []
    while True:
        page = call(demo, "GET", "/metrics/meetings", params=query)
        found += [one["id"] for one in page["meetings"] if one["has_recording"]]
        if not page["next_page_token"]:
            return sorted(set(found))
        query["next_page_token"] = page["next_page_token"]
