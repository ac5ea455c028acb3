"""Promise 42 and 43: docker-compose.yml gives each only what it needs, which each starts with."""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from redis import Redis
from redis.exceptions import AuthenticationError, RedisError

from tests.operations.guide import (
    COMPOSE,
    bases,
    commands,
    filled_in,
    image_environment,
    section,
    written_env,
)
from tests.operations.test_readme import read_by_the_program
from tests.support import plain_http
from tests.support.deployment import at_database
from tests.support.programs import ROOT
from tests.support.ready_made import lay_out, portal_database
from tests.support.services import Services

SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name for name, service in SERVICES.items() if service["image"] == "switchboard"}
PORTAL = OURS - {"sandbox"}
SECRET = re.compile(r"KEY|PASSWORD|SECRET|TOKEN|_URL$")
TIMEOUT = 300.0


@pytest.fixture(scope="module")
def variables(tmp_path_factory):
    """`.env` as the guide has it made, every optional secret set too."""
    if not shutil.which("openssl"):
        pytest.skip("openssl, which makes the keys, is not installed")
    directory = tmp_path_factory.mktemp("compose")
    [make] = [each for each in commands(section("With docker-compose")) if ".env <<" in each]
    subprocess.run(["bash", "-ec", make], cwd=directory, check=True)
    return written_env(directory) | {
        "SANDBOX_TOKEN": "token-of-the-sandbox",
        "OIDC_CLIENT_SECRET": "secret-of-the-provider",
        "METRICS_TOKEN": "token-of-prometheus-" * 2,
    }


def given(name, variables):
    found: dict[str, str] = filled_in(SERVICES[name].get("environment", {}), variables)
    return found


def test_the_guide_sets_everything_that_is_needed(variables):
    for name in SERVICES:
        given(name, variables)
    for missing in ("SECRET_KEY", "POSTGRES_PASSWORD", "REDIS_PASSWORD"):
        with pytest.raises(LookupError, match=missing):
            given("web", variables | {missing: ""})


def test_no_service_is_given_a_whole_file():
    assert [name for name, service in SERVICES.items() if "env_file" in service] == []


@pytest.mark.parametrize("name", sorted(OURS))
def test_a_service_is_given_only_what_the_program_reads(name):
    assert set(SERVICES[name]["environment"]) - read_by_the_program() == set()


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_secrets_reach_only_those_who_need_them(name, variables):
    """By value, so that no other name carries one."""
    whole = "\n".join(filled_in(str(SERVICES[name]), variables).splitlines())
    expected = {
        "postgres": {"POSTGRES_PASSWORD"},
        "redis": {"REDIS_PASSWORD"},
        "sandbox": {"SANDBOX_TOKEN"},
    }.get(
        name,
        {
            "SECRET_KEY",
            "TOKEN_KEYS",
            "AUDIT_KEY",
            "EMAIL_URL",
            "SITE_URL",
            "POSTGRES_PASSWORD",
            "REDIS_PASSWORD",
        },
    )
    expected |= {"OIDC_CLIENT_SECRET"} if name == "web" else set()
    expected |= {"METRICS_TOKEN"} if name in {"web", "worker"} else set()
    secrets = {each for each in variables if SECRET.search(each)}
    assert {each for each in secrets if variables[each] in whole} == expected


def test_the_sandbox_knows_nothing_of_the_portal():
    own = {"SANDBOX_TOKEN", "SANDBOX_NOW", "SANDBOX_PROFILE", "SANDBOX_HOOK_SECRET"}
    assert set(SERVICES["sandbox"]["environment"]) == own
    assert "data" not in SERVICES["sandbox"]["networks"]
    assert COMPOSE["networks"]["data"] == {"internal": True}
    assert SERVICES["postgres"]["networks"] == SERVICES["redis"]["networks"] == ["data"]


def test_the_program_learns_everything_documented_for_it():
    """A variable of the README that no service passes on could not be set with docker-compose."""
    image = set(image_environment()) | {"STATIC_ROOT", "DEMO", "SAMPLE"}
    own_places = {"SANDBOX_DATABASE_URL"}
    passed = {variable for name in OURS for variable in SERVICES[name]["environment"]}
    assert read_by_the_program() - passed - image - own_places == set()


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_memory_is_limited(name):
    assert re.fullmatch(r"[1-9][0-9]*[mg]", filled_in(SERVICES[name]["mem_limit"], {}))


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_log_of_a_container_is_cut_off(name):
    assert SERVICES[name]["logging"]["options"] == {"max-size": "20m", "max-file": "5"}


def test_database_has_time_to_stop_and_memory_to_share():
    postgres = SERVICES["postgres"]
    assert (postgres["stop_grace_period"], postgres["shm_size"]) == ("1m", "256m")
    assert postgres["user"] == "postgres"
    assert any(each.startswith("/run/postgresql:") for each in postgres["tmpfs"])


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_a_container_can_change_nothing_but_its_data(name):
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]


def test_images_from_elsewhere_are_named_by_digest():
    found = [*bases(), *(SERVICES[name]["image"] for name in set(SERVICES) - OURS)]
    assert len(found) == 4
    named = re.compile(r"[a-z]+:[0-9]+(\.[0-9]+)?-\w+@sha256:[0-9a-f]{64}")
    assert [each for each in found if not named.fullmatch(each)] == []


@pytest.fixture
def redis(variables):
    """The port of a Redis that is started as the file has it."""
    if not shutil.which("redis-server"):
        pytest.skip("redis-server is not installed")
    port = free_port()
    command = filled_in(SERVICES["redis"]["command"], variables)
    command[-1] = command[-1].replace("redis-server -", f"redis-server - --port {port}", 1)
    environment = {"PATH": os.environ["PATH"], **given("redis", variables)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as server:
        yield port
        server.terminate()


def test_redis_wants_its_password(redis, variables):
    password = given("redis", variables)["REDIS_PASSWORD"]
    known = Redis(port=redis, password=password)
    until(lambda: answered(known))
    with pytest.raises(AuthenticationError):
        Redis(port=redis).ping()
    with pytest.raises(AuthenticationError):
        Redis(port=redis, password="").get("any")
    assert f"redis://:{password}@redis:6379/" in given("web", variables)["REDIS_URL"]
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
    assert password not in listed.stdout


def answered(redis):
    try:
        return bool(redis.ping())
    except RedisError:
        return False


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def until(holds, process=None):
    deadline = time.monotonic() + TIMEOUT
    while not holds():
        assert process is None or process.poll() is None, "it ended by itself"
        assert time.monotonic() < deadline
        time.sleep(0.2)


class Containers:
    """The processes of the file on this machine: other hosts, ports and folders, nothing else."""

    def __init__(self, variables: dict[str, str], services: Services, place: Path) -> None:
        self._variables, self._services, self._place = variables, services, place
        self.ports = {"PORT": str(free_port()), "SANDBOX_PORT": str(free_port())}
        self.database = ""
        if services.on_postgresql:
            self.database = f"switchboard_compose_{uuid4().hex[:8]}"
            with psycopg.connect(services.DATABASE_URL, autocommit=True) as connection:
                connection.execute(f'CREATE DATABASE "{self.database}"')

    def close(self) -> None:
        if self.database:
            with psycopg.connect(self._services.DATABASE_URL, autocommit=True) as connection:
                connection.execute(f'DROP DATABASE IF EXISTS "{self.database}" WITH (FORCE)')

    def environment(self, name: str) -> dict[str, str]:
        image = image_environment() | self.ports
        image["PATH"] = f"{Path(sys.executable).parent}:/usr/bin:/bin"
        image["WEB_HOST"] = "127.0.0.1"
        image["DATA_DIR"] = str(self._place / name)
        image["SANDBOX_DATA_DIR"] = str(self._place / name / "sandbox")
        made = image | {"HOSTNAME": socket.gethostname()} | given(name, self._variables)
        if "DATABASE_URL" in made:
            made["DATABASE_URL"] = (
                at_database(self._services.DATABASE_URL, self.database)
                if self.database
                else f"sqlite:///{self._place}/switchboard.sqlite3"
            )
            made["REDIS_URL"] = self._services.REDIS_URL
            made["CELERY_BROKER_URL"] = self._services.CELERY_BROKER_URL
        return made

    def command(self, name: str) -> list[str]:
        found: list[str] = SERVICES[name].get(
            "command", ["python", "-m", "portal.config.procfile", "web"]
        )
        return found

    def start(self, name: str) -> "subprocess.Popen[str]":
        log = (self._place / f"{name}.log").open("w")
        with log:
            return subprocess.Popen(
                self.command(name),
                cwd=ROOT,
                env=self.environment(name),
                stdout=log,
                stderr=subprocess.STDOUT,
                text=True,
            )

    def log(self, name: str) -> str:
        return (self._place / f"{name}.log").read_text()

    def is_healthy(self, name: str) -> bool:
        """Returns the result of the container's own health check."""
        how, *check = filled_in(SERVICES[name]["healthcheck"]["test"], self._variables)
        command = ["sh", "-c", *check] if how == "CMD-SHELL" else check
        command = [part.replace("8001", self.ports["SANDBOX_PORT"]) for part in command]
        environment = self.environment(name)
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False)
        return done.returncode == 0


@pytest.fixture(scope="module")
def containers(variables, services, tmp_path_factory):
    """With the tables made, by the service that makes them; on SQLite they are there already."""
    bare = variables | {"OIDC_CLIENT_SECRET": ""}
    place = tmp_path_factory.mktemp("containers")
    lay_out(portal_database(), place / "switchboard.sqlite3")
    made = Containers(bare, services, place)
    with made.start("migrate") as migrate:
        assert migrate.wait(TIMEOUT) == 0, made.log("migrate")
    yield made
    made.close()


@pytest.mark.parametrize(
    "name",
    [
        "web",
        *(pytest.param(each, marks=pytest.mark.deep) for each in ("worker", "beat", "sandbox")),
    ],
)
def test_a_process_runs_with_exactly_what_it_is_given(containers, services, name):
    with containers.start(name) as process:
        try:
            if name == "web":
                asked = f"http://127.0.0.1:{containers.ports['PORT']}/readyz"
                until(lambda: plain_http.is_up(asked), process)
            elif name == "sandbox" or services.CELERY_BROKER_URL.startswith("redis"):
                until(lambda: containers.is_healthy(name), process)
            else:  # no health check is done over files: it has begun to work, and goes on
                sign = "celery-beat-schedule" if name == "beat" else "broker/messages"
                place = Path(containers.environment(name)["DATA_DIR"])
                until(lambda: list(place.glob(f"{sign}*")), process)
                assert process.poll() is None, containers.log(name)
        finally:
            process.terminate()
        assert process.wait(TIMEOUT) in {0, -15}, containers.log(name)
    assert "Traceback" not in containers.log(name)
