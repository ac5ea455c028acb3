"""Connections are kept and reused by one thread, and by no other."""

import gc
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from portal.client import NotFound, OutcomeUnknown
from tests.support.fault_server import answer, depending

USER = depending(lambda seen: answer(200, {"id": seen.path.rpartition("/")[2]}))


def test_calls_of_one_thread_share_a_connection(api, fault_server):
    fault_server.always(USER)
    for _ in range(20):
        api.users.get("u1")
    assert (len(fault_server.requests), fault_server.connections) == (20, 1)


def test_errors_leave_the_connection_usable(api, fault_server):
    fault_server.then(answer(404, {"message": "No such user."})).always(USER)
    with pytest.raises(NotFound):
        api.users.get("u1")
    api.users.get("u1")
    assert fault_server.connections == 1


def test_callers_of_one_thread_share_its_connections(make_api, fault_server):
    fault_server.always(USER)
    make_api().users.get("u1")
    make_api().users.get("u2")
    assert fault_server.connections == 1


def test_threads_do_not_share_connections(api, fault_server):
    fault_server.always(USER)
    together = threading.Barrier(4, timeout=60)

    def call():
        together.wait()
        api.users.get("u1")
        api.users.get("u1")
        together.wait()

    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(call) for _ in range(4)]:
            done.result()
    by_connection = [seen.connection for seen in fault_server.requests]
    assert sorted(by_connection) == [1, 1, 2, 2, 3, 3, 4, 4]


def test_a_thread_that_ends_closes_its_connections(api, fault_server):
    fault_server.always(USER)
    gc.disable()
    try:
        thread = threading.Thread(target=api.users.get, args=("u1",))
        thread.start()
        thread.join()
        assert len(fault_server.requests) == 1
        assert fault_server.wait_until_closed()
    finally:
        gc.enable()


def test_a_forked_process_opens_connections_of_its_own(api, fault_server):
    fault_server.always(USER)
    api.users.get("u1")
    child = os.fork()
    if not child:
        try:
            api.users.get("u2")
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    api.users.get("u3")
    by_path = {seen.path: seen.connection for seen in fault_server.requests}
    assert by_path == {"/v2/users/u1": 1, "/v2/users/u2": 2, "/v2/users/u3": 1}


def test_a_post_after_the_service_hung_up_takes_a_new_connection(api, fault_server, new_user):
    fault_server.then(answer(200, {"id": "u1"}, hang_up=True), answer(201, {"id": "u2"}))
    api.users.get("u1")
    assert fault_server.wait_until_closed()
    assert api.users.create(new_user).id == "u2"
    assert fault_server.connections == 2


def test_post_on_connection_being_closed_is_not_sent_again(api, fault_server, new_user):
    """It may or may not have been read, so the caller has to look."""
    fault_server.then(answer(200, {"id": "u1"}), _close_unread).always(answer(201, {"id": "u2"}))
    api.users.get("u1")
    with pytest.raises(OutcomeUnknown):
        api.users.create(new_user)
    assert (len(fault_server.requests), fault_server.connections) == (1, 1)


def _close_unread(exchange):
    exchange.stays_open = False


def test_idle_connections_are_given_up_before_servers_hang_up(api, fault_server, monkeypatch):
    fault_server.always(USER)
    now = time.monotonic()
    for at, connections in ((0, 1), (3, 1), (7.5, 2)):
        monkeypatch.setattr(time, "monotonic", lambda at=at: now + at)
        api.users.get("u1")
        assert fault_server.connections == connections
