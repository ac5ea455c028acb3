"""Answers to a load balancer, with services that really fail."""

import json
import socket
from time import monotonic

import pytest

from tests.support.fork_server import run_forked
from tests.support.own_redis import OwnRedis
from tests.support.programs import production

ASK = """
import json, shutil, sys, time
import django; django.setup()
from django.test import Client
import portal.config.celery
if sys.argv[1]: shutil.rmtree(sys.argv[1])
began = time.monotonic()
answer = Client().get("/readyz", headers={"host": "10.1.2.3"})
print(json.dumps([answer.status_code, answer.json(), time.monotonic() - began]))
"""


def ready(environment, *, remove=""):
    """Returns the answer of `/readyz` if the portal is configured like this."""
    answer = run_forked(
        "-c",
        ASK,
        str(remove),
        environment={"DJANGO_SETTINGS_MODULE": "portal.config.settings", **environment},
    )
    assert answer.returncode == 0, answer.stderr
    status, parts, seconds = json.loads(answer.stdout.splitlines()[-1])
    assert seconds < 20
    return status, parts


@pytest.fixture
def closed_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@pytest.fixture
def silent_port():
    """A port that accepts connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield int(server.getsockname()[1])


def test_alive_asks_no_part_and_is_open_to_all(visitor):
    """Database access is refused by pytest-django here: asking it would fail the test."""
    answer = visitor.get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"status": "alive"})
    assert answer["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_health_is_read_only(visitor, path):
    assert visitor.post(path).status_code == 405


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_health_is_answered_by_address_over_plain_http(visitor, settings, path):
    settings.SECURE_SSL_REDIRECT = True
    answer = visitor.get(path, headers={"host": "10.1.2.3:8000"})
    assert answer.status_code == 200
    assert "Set-Cookie" not in answer


def test_ready_names_every_part(migrated):
    parts = {"database": "ok", "broker": "ok", "cache": "ok"}
    assert ready(production(migrated)) == (200, {"status": "ready", **parts})


def test_a_database_out_of_reach_is_named(tmp_path):
    environment = production(tmp_path) | {"DATABASE_URL": f"sqlite:///{tmp_path}/none/none.sqlite3"}
    status, parts = ready(environment, remove=tmp_path / "none")
    assert (status, parts["database"], parts["cache"]) == (503, "failed", "ok")


def test_a_database_without_tables_is_not_ready(tmp_path):
    status, parts = ready(production(tmp_path))
    assert (status, parts["database"]) == (503, "failed")


def test_a_postgresql_that_is_not_there_is_named(tmp_path, closed_port):
    url = f"postgres://nobody@127.0.0.1:{closed_port}/none"
    status, parts = ready(production(tmp_path) | {"DATABASE_URL": url})
    assert (status, parts["database"]) == (503, "failed")


def test_a_broker_that_is_not_there_is_named(migrated, closed_port):
    url = f"redis://127.0.0.1:{closed_port}/0"
    status, parts = ready(production(migrated) | {"CELERY_BROKER_URL": url})
    assert (status, parts) == (
        503,
        {"status": "unavailable", "database": "ok", "broker": "failed", "cache": "ok"},
    )


def test_a_cache_that_is_not_there_is_named(migrated, closed_port):
    environment = production(migrated) | {
        "REDIS_URL": f"redis://127.0.0.1:{closed_port}/0",
        "CELERY_BROKER_URL": "filesystem://localhost",
    }
    status, parts = ready(environment)
    assert (status, parts["broker"], parts["cache"]) == (503, "ok", "failed")


def test_a_redis_that_hangs_is_given_up_soon(migrated, silent_port):
    began = monotonic()
    url = f"redis://127.0.0.1:{silent_port}/0"
    status, parts = ready(production(migrated) | {"REDIS_URL": url})
    assert (status, parts["broker"], parts["cache"]) == (503, "failed", "failed")
    assert monotonic() - began < 20


@pytest.mark.parametrize(
    "flags",
    [("--maxmemory", "100kb"), ("--replicaof", "127.0.0.1", "1"), ("--min-replicas-to-write", "1")],
    ids=["full", "read-only", "without its replicas"],
)
def test_a_redis_that_takes_no_message_is_named(migrated, tmp_path, flags):
    redis = OwnRedis(tmp_path, *flags)
    redis.start()
    try:
        status, parts = ready(production(migrated) | {"CELERY_BROKER_URL": redis.url})
    finally:
        redis.kill()
    assert (status, parts["broker"], parts["cache"]) == (503, "failed", "ok")


def test_a_broker_directory_that_is_gone_is_named(migrated, tmp_path):
    environment = production(migrated) | {"DATA_DIR": str(tmp_path)}
    status, parts = ready(environment, remove=tmp_path / "broker")
    assert (status, parts["broker"], parts["cache"]) == (503, "failed", "ok")
