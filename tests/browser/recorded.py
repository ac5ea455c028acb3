"""A session of the sample account that was recorded: no call to the service records one."""

from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote

from tests.browser.conftest import Demo
from tests.browser.session_parts import ask, call


def recorded_session(demo: Demo) -> str:
    """A meeting that takes place again, of whose last time there are several files, with nothing in
    the trash; its path in the service."""
    for number in _recorded_numbers(demo):
        path = f"/meetings/{number}"
        is_planned = ask(demo, "GET", path).status_code == 200
        if is_planned and len(files(demo, path)) > 2 and not _in_trash(demo, path):
            return path
    raise AssertionError("The sample account has no recording of a session that is planned.")


def files(demo: Demo, session: str) -> list[dict[str, Any]]:
    """The files of the last time that are not in the trash."""
    told = ask(demo, "GET", f"{session}/recordings")
    return list(told.json()["recording_files"]) if told.status_code == 200 else []


def watching(demo: Demo, session: str) -> dict[str, Any]:
    """Who may watch the last time."""
    uuid = call(demo, "GET", f"{session}/recordings")["uuid"]
    return dict(call(demo, "GET", f"/meetings/{quote(quote(uuid, ''), '')}/recordings/settings"))


def _in_trash(demo: Demo, session: str) -> bool:
    told = call(demo, "GET", f"{session}/recordings")
    query = {**_days(360), "trash": "true", "page_size": 300}
    listed = call(demo, "GET", f"/users/{told['host_id']}/recordings", params=query)
    return any(one["id"] == told["id"] for one in listed["meetings"])


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
