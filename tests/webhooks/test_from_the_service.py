"""Promise 27, whole: the service itself notifies a running portal of what happened."""

from threading import Event

import pytest
from django.db.models.signals import post_save
from django.utils import timezone

from portal.access.grants import scope_of
from portal.access.http import Origin
from portal.connections.api import api_for
from portal.mirror.models import MirrorState
from portal.sessions.mirror import state_of
from portal.sessions.models import SessionToRead
from portal.webhooks import subscriptions
from portal.webhooks.models import Delivery
from tests.support.sandbox import Sandbox
from tests.support.subscriber import happens


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory):
    """One with no other subscribers, whose unreachable addresses would take their turns first."""
    running = Sandbox(tmp_path_factory.mktemp("hooks"), "--frozen")
    running.start()
    yield running
    running.client.close()
    running.stop()


@pytest.mark.django_db(transaction=True)
def test_the_service_notifies_a_running_portal_of_what_happened(
    connection, sandbox, live_server, settings
):
    state = state_of(connection)
    MirrorState.objects.filter(pk=state.pk).update(viewed_at=timezone.now())
    settings.SITE_URL = live_server.url
    subscriptions.follow(api_for(scope_of(connection.owner, connection)), connection)
    taken = Event()

    def note(**_saved):
        taken.set()

    post_save.connect(note, sender=Delivery)
    try:
        happens(sandbox, ("meeting_started", {"id": "1", "type": 2, "topic": "Stand-up"}))
        assert taken.wait(120)
    finally:
        post_save.disconnect(note, sender=Delivery)
        subscriptions.unfollow(
            api_for(scope_of(connection.owner, connection)), connection, Origin()
        )
    wanted = SessionToRead.objects.filter(connection=connection)
    assert list(wanted.values_list("kind", "session_id")) == [("meetings", "1")]
