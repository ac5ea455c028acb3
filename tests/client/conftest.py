"""The client, pointed at a service that misbehaves, with time that passes only when it waits."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from uuid import uuid4

import pytest
from redis import Redis, RedisError

from portal.client import (
    AddressPolicy,
    Api,
    HttpCaller,
    RetryPolicy,
    Secret,
    Target,
    connect_to_redis,
)
from portal.contract.users import CreateAction, LicenceType, NewUser, NewUserInfo
from tests.support.fault_server import FaultServer

LOOPBACK = AddressPolicy(frozenset({"127.0.0.1"}))
URL = os.environ.get("REDIS_URL") or "redis://127.0.0.1:6379/0"
TOKEN = "canary/7+aZ =%&!"


@dataclass
class Clock:
    """Stands still but for the waits it is asked for."""

    now: float = 0.0
    waits: list[float] = field(default_factory=list)

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds

    def __call__(self) -> float:
        return self.now


MakeApi = Callable[..., Api]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def retry_policy(clock: Clock) -> RetryPolicy:
    return RetryPolicy(sleep=clock.sleep, clock=clock)


@pytest.fixture
def make_api(fault_server: FaultServer, retry_policy: RetryPolicy) -> MakeApi:
    def make(*, timeout: float = 5.0, url: str = "", policy: AddressPolicy = LOOPBACK) -> Api:
        target = Target(url or fault_server.url, Secret(TOKEN), policy, timeout)
        return Api(HttpCaller(lambda: target, retry_policy))

    return make


@pytest.fixture
def other_server() -> Iterator[FaultServer]:
    """Another service, to which nothing may go."""
    server = FaultServer()
    yield server
    server.stop()


@pytest.fixture
def api(make_api: MakeApi) -> Api:
    return make_api()


@pytest.fixture
def new_user() -> NewUser:
    info = NewUserInfo(email="ann@example.com", first_name="Ann", type=LicenceType.PRO)
    return NewUser(action=CreateAction.CREATE, user_info=info)


@pytest.fixture
def redis() -> Iterator[Redis]:
    client = connect_to_redis(URL)
    try:
        client.ping()
    except RedisError as error:
        pytest.skip(f"Redis does not answer: {error}")
    yield client
    client.close()


@pytest.fixture
def key(redis: Redis) -> Iterator[str]:
    name = f"switchboard-tests:{uuid4()}"
    yield name
    redis.delete(name, f"{name}:calls")
