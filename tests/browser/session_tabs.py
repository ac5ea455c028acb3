"""Sessions in the running demo, with people and polls, that no other test touches."""

from typing import Any

from tests.browser.people import create_in_service, new_email
from tests.browser.service import call
from tests.browser.shared_demonstration import Demo


def plan(demo: Demo, host: str, family: str, **given: Any) -> str:
    """Makes a meeting or webinar; returns its path in the service."""
    made = call(demo, "POST", f"/users/{host}/{family}", json=given)
    return f"/{family}/{made['id']}"


def make_session(demo: Demo, family: str) -> str:
    """A meeting or webinar whose registrations wait for approval; its path in the service."""
    host = create_in_service(demo, new_email("host"))
    return plan(demo, host, family, topic="Budget review", settings={"approval_type": 1})


def register(demo: Demo, session: str, *names: str) -> None:
    asked = [{"title": "Favourite pie?", "value": "Apple"}]
    for name in names:
        person = {"email": f"{name.lower()}@example.com", "first_name": name, "last_name": "Byron"}
        body = person | {"custom_questions": asked}
        call(demo, "POST", f"{session}/registrants", json=body)


def registered(demo: Demo, session: str, status: str) -> list[str]:
    data = call(demo, "GET", f"{session}/registrants", params={"status": status})
    return [one["first_name"] for one in data["registrants"]]


def add_poll(demo: Demo, session: str) -> str:
    """The poll's id."""
    question = {"name": "Where?", "type": "single", "answers": ["Inside", "Outside"]}
    body = {"title": "Lunch", "questions": [question]}
    return str(call(demo, "POST", f"{session}/polls", json=body)["id"])
