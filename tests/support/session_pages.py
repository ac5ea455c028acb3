"""Addresses of the pages about sessions."""

from typing import Any

from django.test import Client
from django.urls import reverse

from portal.access.models import Connection
from portal.directory.colleagues import Colleague
from portal.sessions.specs import SessionSpec
from tests.support.html import Form, form_with, text_of
from tests.support.sandbox import Sandbox
from tests.support.session_made import Made


def spec_url(connection: Connection, spec: SessionSpec, name: str, *more: str) -> str:
    return reverse(f"{spec.family}:{name}", args=[connection.key, *more])


def url(connection: Connection, made: Made, name: str = "session", *more: str) -> str:
    return spec_url(connection, made.spec, name, made.id, *more)


class Planner:
    """A user of the portal, the connection they work over, and the service behind it."""

    def __init__(self, client: Client, connection: Connection, sandbox: Sandbox) -> None:
        self.client, self.connection, self.sandbox = client, connection, sandbox

    def url(self, spec: SessionSpec, name: str, *more: str) -> str:
        return spec_url(self.connection, spec, name, *more)

    def filled_in(self, spec: SessionSpec, host: Colleague, **more: Any) -> Form:
        """The form for a new session as a browser would send it; `__` stands for a dot."""
        form = form_with(self.get(self.url(spec, "create"), host=host.id), "topic")
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

    def made_by(self, answer: Any, spec: SessionSpec) -> dict[str, Any]:
        """Returns what the service reports about the session whose page the answer leads to."""
        assert answer.status_code == 303, text_of(answer.text)
        number = answer.headers["Location"].rstrip("/").rpartition("/")[2]
        return self.saved(spec, number)

    def saved(self, spec: SessionSpec, number: str) -> dict[str, Any]:
        return dict(self.sandbox.client.get(f"/{spec.family}/{number}").json())

    def plan(self, spec: SessionSpec, host: Colleague, **more: Any) -> dict[str, Any]:
        """A session that was planned by the form."""
        return self.made_by(self.send(self.filled_in(spec, host, **more)), spec)


def typed(form: Form, **more: Any) -> Form:
    """The form with these values, and something in each tracking field."""
    for name in form.names:
        if name.startswith("tracking_fields.") and name.endswith(".value"):
            form.values[name] = form.values.get(name) or "4711"
    form.values |= {name.replace("__", "."): value for name, value in more.items()}
    return form
