"""The page about one session."""

from django.test import Client

from portal.access.models import Connection
from portal.sessions.kinds import Kind
from portal.sessions.people import Host
from tests.people.reading import text_of
from tests.sessions.conftest import MakeSession
from tests.sessions.pages import kind_url, url


def test_a_session_says_what_it_is_and_who_hosts_it(
    client: Client,
    connection: Connection,
    kind: Kind,
    host: Host,
    make_session: MakeSession,
):
    made = make_session(kind)
    page = text_of(client.get(url(connection, made)).text)
    assert "Budget review" in page
    assert kind.once.label in page
    assert host.name in page


def test_a_session_that_is_gone_is_said_to_be_unknown(
    client: Client, connection: Connection, kind: Kind
):
    answer = client.get(kind_url(connection, kind, "session", "999999999"))
    assert answer.status_code == 404
    assert "Not found on the service" in text_of(answer.text)
