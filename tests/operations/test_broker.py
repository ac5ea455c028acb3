"""The embedded broker: a message is whole or not there, and reaches one worker.

And Redis as the broker: a connection that was closed is an error that workers expect.
"""

import threading
from collections.abc import Callable
from queue import Empty
from types import SimpleNamespace
from typing import Any

import pytest
from kombu import Connection
from kombu.transport import redis

from portal.config.broker import FileTransport, RedisTransport
from portal.config.celery import app

Open = Callable[[], Any]


@pytest.fixture
def channel(tmp_path):
    """Opens another channel to the same directory, as another process would."""
    connections = []

    def open_channel():
        connection = Connection(
            "filesystem://localhost",
            transport=FileTransport,
            transport_options={
                "data_folder_in": str(tmp_path),
                "data_folder_out": str(tmp_path),
                "control_folder": str(tmp_path),
            },
        )
        connections.append(connection)
        return connection.channel()

    yield open_channel
    for connection in connections:
        connection.release()


def test_messages_arrive_in_order_and_leave_nothing_behind(channel, tmp_path):
    sender, receiver = channel(), channel()
    for number in range(5):
        sender._put("celery", {"number": number})
    assert [receiver._get("celery")["number"] for _ in range(5)] == [0, 1, 2, 3, 4]
    with pytest.raises(Empty):
        receiver._get("celery")
    assert list(tmp_path.iterdir()) == []


def test_a_message_for_another_queue_is_left_alone(channel):
    channel()._put("other", {"for": "other"})
    with pytest.raises(Empty):
        channel()._get("celery")
    assert channel()._get("other") == {"for": "other"}


def test_an_unreadable_message_does_not_end_the_worker(channel, tmp_path):
    (tmp_path / "1_torn.celery.msg").write_bytes(b'{"half":')
    channel()._put("celery", {"whole": True})
    assert channel()._get("celery") == {"whole": True}


def test_every_message_reaches_exactly_one_of_several_readers(channel):
    """Readers that look all the time see no message before it is whole, and none twice."""
    sender, readers = channel(), [channel() for _ in range(3)]
    wanted = 300
    seen: list[int] = []
    failures: list[BaseException] = []

    def read(reader):
        while len(seen) < wanted and not failures:
            try:
                seen.append(reader._get("celery")["number"])
            except Empty:
                continue
            except BaseException as error:
                failures.append(error)

    threads = [threading.Thread(target=read, args=(reader,)) for reader in readers]
    for thread in threads:
        thread.start()
    for number in range(wanted):
        sender._put("celery", {"number": number, "padding": "x" * 5000})
    for thread in threads:
        thread.join(timeout=120)
    assert failures == []
    assert sorted(seen) == list(range(wanted))


def test_binding_twice_keeps_one_entry_of_each_queue(channel):
    for _ in range(2):
        for queue in ("one", "two"):
            channel()._queue_bind("celery", "celery", "", queue)
    assert sorted(entry.queue for entry in channel().get_table("celery")) == ["one", "two"]


@pytest.mark.parametrize("scheme", ["redis", "rediss"])
def test_an_ack_over_a_closed_connection_is_an_expected_error(scheme):
    """Anything else ends the worker, which has jobs to finish and a connection to come."""
    transport = Connection(f"{scheme}://127.0.0.1:1").get_transport_cls()
    assert transport is RedisTransport
    channel = transport.Channel.__new__(transport.Channel)
    channel.connection = SimpleNamespace(client=None)  # as closing leaves it
    channel._delivered = {}
    for settle in (lambda qos: qos.ack("tag"), lambda qos: qos.restore_unacked()):
        with pytest.raises(transport.connection_errors):
            settle(redis.QoS(channel))


def test_a_worker_connects_again_for_as_long_as_it_takes():
    assert app.conf.broker_connection_max_retries is None
    assert app.conf.broker_channel_error_retry
