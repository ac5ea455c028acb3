"""Promise 27, whole: the service itself notifies a running portal of what happened."""

from collections.abc import Iterator
from threading import Event

import pytest
from django.db.models.signals import post_save
from django.utils import timezone
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from portal.access.api import api_for
from portal.access.grants import scope_of
from portal.access.http import Origin
from portal.access.models import Connection
from portal.mirror import webhooks
from portal.mirror.models import Delivery, MirrorState
from portal.sessions.mirror import state_of
from portal.sessions.models import SessionToRead
from tests.support.sandbox import Sandbox
from tests.support.subscriber import happens


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    """One with no other subscribers, whose unreachable addresses would take their turns first."""
    running = Sandbox(tmp_path_factory.mktemp("hooks"), "--frozen")
    running.start()
    yield running
    running.client.close()
    running.stop()


@pytest.mark.django_db(transaction=True)
def test_the_service_notifies_a_running_portal_of_what_happened(
    connection: Connection,
    sandbox: Sandbox,
    live_server: LiveServer,
    settings: Settings,
) -> None:
    state = state_of(connection)
    MirrorState.objects.filter(pk=state.pk).update(viewed_at=timezone.now())
    settings.SITE_URL = live_server.url
    webhooks.follow(api_for(scope_of(connection.owner, connection)), connection)
    taken = Event()

    def note(**_saved: object) -> None:
        taken.set()

    post_save.connect(note, sender=Delivery)
    try:
        happens(sandbox, ("meeting_started", {"id": "1", "type": 2, "topic": "Stand-up"}))
        assert taken.wait(120)
    finally:
        post_save.disconnect(note, sender=Delivery)
        webhooks.unfollow(api_for(scope_of(connection.owner, connection)), connection, Origin())
    wanted = SessionToRead.objects.filter(connection=connection)
    assert list(wanted.values_list("kind", "session_id")) == [("meetings", "1")]
