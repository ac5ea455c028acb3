"""All calls of a connection pass one rate limiter, from any caller."""

import os

import pytest
from redis import RedisError

from portal.access.models import Connection
from portal.client import Throttled, connect_to_redis
from portal.connections.api import api_for
from portal.connections.rate_limits import rate_limiter_of
from portal.contract.operation import Weight
from tests.support.fault_server import answer, throttled
from tests.support.portal import admin_client_for
from tests.support.scopes import whole

pytestmark = pytest.mark.django_db

REDIS = os.environ.get("REDIS_URL") or "redis://127.0.0.1:6379/0"


def refused(connection):
    with pytest.raises(Throttled) as caught:
        api_for(whole(connection)).users.get("u1")
    return caught.value


def test_refused_connection_sends_nothing_until_time_named(faulty, fault_server):
    fault_server.then(throttled("100")).always(answer(200, {"id": "u1"}))
    assert refused(faulty).reason == ""
    assert refused(faulty).reason == "own_limit"
    assert len(fault_server.requests) == 1


def test_page_says_that_service_asks_to_wait(faulty, fault_server, administrator):
    fault_server.then(throttled("100")).always(answer(200, {"id": "u1"}))
    refused(faulty)
    page = admin_client_for(administrator).get(f"/c/{faulty.key}/people/u1/")
    assert page.status_code == 503
    assert 90 <= int(page["Retry-After"]) <= 100
    assert "Rate limit reached" in page.content.decode()
    assert len(fault_server.requests) == 1


def test_another_connection_is_not_held_back(faulty, fault_server, connect, administrator):
    fault_server.always(throttled("100"))
    refused(faulty)
    assert api_for(whole(connect(administrator, "Other"))).users.list().users


def test_the_pace_is_in_redis_where_one_is_configured(connection, settings):
    redis = connect_to_redis(REDIS)
    try:
        redis.ping()
    except RedisError as error:
        pytest.skip(f"Redis does not answer: {error}")
    settings.REDIS_URL = REDIS
    pace = f"switchboard:pace:{connection.key}"
    try:
        assert api_for(whole(connection)).users.list().users
        assert redis.exists(pace)
    finally:
        redis.delete(pace)
        redis.close()


def test_a_connection_keeps_its_rate_limiter(connection):
    assert rate_limiter_of(connection) is rate_limiter_of(connection)
    assert rate_limiter_of(connection) is not rate_limiter_of(
        Connection(base_url=connection.base_url)
    )


def test_a_configured_limit_is_kept_from_the_first_call(faulty, fault_server, settings):
    settings.API_RATE_LIMIT = 1
    fault_server.always(answer(200, {"id": "u1"}))
    api_for(whole(faulty)).users.get("u1")
    assert rate_limiter_of(faulty).of(Weight.LIGHT).acquire(0, urgent=False) > 0
