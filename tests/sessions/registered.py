"""Those who registered for a session, as tests make and find them."""

from typing import Any

from django.test import Client

from portal.access.models import Connection
from tests.support.html import form_with
from tests.support.sandbox import Sandbox
from tests.support.session_made import Made
from tests.support.session_pages import url

QUESTION = "Favourite pie?"


def register(sandbox: Sandbox, session: Made, *names: str, **more: Any) -> list[str]:
    """The ids of those who registered by themselves."""
    ids = []
    for name in names:
        body = {"email": f"{name}@example.com", "first_name": name.title(), "last_name": "Byron"}
        path = f"/{session.spec.family}/{session.id}/registrants"
        made = sandbox.client.post(path, json=body | more)
        assert made.status_code == 201, made.text
        ids.append(made.json()["registrant_id"])
    return ids


def emails(sandbox: Sandbox, session: Made, status: str, **more: Any) -> list[str]:
    path = f"/{session.spec.family}/{session.id}/registrants"
    data = sandbox.client.get(path, params={"status": status, "page_size": 300, **more}).json()
    return [one["email"] for one in data["registrants"]]


def rows(page: Any) -> list[Any]:
    return [row.record for row in page.context["list"].page]


def decide(
    client: Client, connection: Connection, session: Made, action: str, **chosen: Any
) -> Any:
    """Chooses, is asked, and confirms."""
    address = url(connection, session, "registrants-decide", action)
    asked = client.post(address, {"matching": "status=pending", **chosen})
    assert asked.status_code == 200, asked
    return client.post(address, form_with(asked.text, "confirmed").values, follow=True)
