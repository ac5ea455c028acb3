"""Addresses of the pages about sessions."""

from typing import Any

from django.test import Client
from django.urls import reverse

from portal.access.models import Connection
from portal.sessions.people import Host
from portal.sessions.specs import SessionSpec
from tests.people.reading import Form, form_with, text_of
from tests.plugins.sandbox import Sandbox
from tests.sessions.made import Made


def kind_url(connection: Connection, kind: SessionSpec, name: str, *more: str) -> str:
    return reverse(f"{kind.family}:{name}", args=[connection.key, *more])


def url(connection: Connection, made: Made, name: str = "session", *more: str) -> str:
    return kind_url(connection, made.kind, name, made.id, *more)


class Planner:
    """Somebody at the portal, the connection they work over, and the service behind it."""

    def __init__(self, client: Client, connection: Connection, sandbox: Sandbox) -> None:
        self.client, self.connection, self.sandbox = client, connection, sandbox

    def url(self, kind: SessionSpec, name: str, *more: str) -> str:
        return kind_url(self.connection, kind, name, *more)

    def filled_in(self, kind: SessionSpec, host: Host, **more: Any) -> Form:
        """The form for a new session as a browser would send it; `__` stands for a dot."""
        form = form_with(self.get(self.url(kind, "create"), host=host.id), "topic")
        form.values |= {
            "topic": "Budget review",
            "start_time": "2038-03-01T09:00",
            "timezone": "Europe/Berlin",
        }
        return typed(form, **more)

    def get(self, address: str, **query: str) -> str:
        return self.client.get(address, query).text

    def send(self, form: Form, **more: Any) -> Any:
        """The answer to the form with these values."""
        values = {name.replace("__", "."): value for name, value in more.items()}
        return self.client.post(form.action, form.values | values)

    def made_by(self, answer: Any, kind: SessionSpec) -> dict[str, Any]:
        """What the service tells of the session whose page the answer leads to."""
        assert answer.status_code == 303, text_of(answer.text)
        number = answer.headers["Location"].rstrip("/").rpartition("/")[2]
        return self.told(kind, number)

    def told(self, kind: SessionSpec, number: str) -> dict[str, Any]:
        return dict(self.sandbox.client.get(f"/{kind.family}/{number}").json())

    def plan(self, kind: SessionSpec, host: Host, **more: Any) -> dict[str, Any]:
        """A session that was planned by the form."""
        return self.made_by(self.send(self.filled_in(kind, host, **more)), kind)


def typed(form: Form, **more: Any) -> Form:
    """The form with these values, and something in each tracking field."""
    for name in form.names:
        if name.startswith("tracking_fields.") and name.endswith(".value"):
            form.values[name] = form.values.get(name) or "4711"
    form.values |= {name.replace("__", "."): value for name, value in more.items()}
    return form
