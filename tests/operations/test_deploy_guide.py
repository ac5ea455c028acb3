"""Promise 44: a deployment without containers goes as docs/deploy.md says, command by command."""

import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from uuid import uuid4

import httpx
import psycopg
import pytest
from kombu import Connection as Broker

from tests.operations.guide import GUIDE, commands, section
from tests.operations.test_demo import free_ports, processes_of
from tests.support import plain_http
from tests.support.deployment import at_database
from tests.support.programs import ROOT, surroundings
from tests.support.rabbitmq import AT, answers_amqp

RABBITMQ = f"{AT}/"
PASSWORD = "correct horse battery"
TIMEOUT = 300.0  # a busy machine takes its time
MARK = "SWITCHBOARD_DRILL"
# `make test` has just done the first; docker-compose.yml has tests of its own.
NOT_HERE = re.compile(
    r"make setup|docker compose |(COMPOSE_PROFILES|SANDBOX_TOKEN|ALLOWED_API_HOSTS)="
)
IMPORT = """
import sys, time
import django; django.setup()
from portal.access.models import Connection, User
from portal.access.http import Origin
from portal.connections.services import connections
from portal.jobs.models import Job
from tests.people.importing import drafted
from tests.support.jobs import approve
owner = User.objects.get()
connection = Connection(owner=owner, name="Head office", base_url=sys.argv[1])
connections.save(Origin(owner), connection, sys.argv[2])
job = drafted(connection, *({"email": email} for email in sys.argv[3:]))
def until(state):
    deadline = time.monotonic() + 200
    while Job.objects.get(pk=job.pk).state != state:
        assert time.monotonic() < deadline, Job.objects.get(pk=job.pk).state
        time.sleep(0.1)
until("planned")
approve(Job.objects.get(pk=job.pk))
until("done")
"""


class TlsProxy(httpx.BaseTransport):
    """The proxy that the guide expects in front: it ends TLS and says from where one came."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._inner = httpx.HTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        assert request.url.scheme == "https"
        data = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"}
        passed_on = httpx.Request(
            request.method,
            request.url.copy_with(scheme="http", host="127.0.0.1", port=self._port),
            headers={**request.headers, **data},
            stream=request.stream,
            extensions=request.extensions,
        )
        return self._inner.handle_request(passed_on)


class Clone:
    """The project as it was just cloned and set up, without data, and a terminal in it."""

    def __init__(self, place: Path, values: dict[str, str]) -> None:
        self.place, self._values = place, values
        self.ran: set[str] = set()
        self.port = free_ports()[0]
        for folder in ("portal", "templates", "static"):
            shutil.copytree(ROOT / folder, place / folder)
        for file in ("manage.py", "Procfile", "pyproject.toml"):
            shutil.copy(ROOT / file, place)
        (place / "staticfiles").symlink_to(ROOT / "staticfiles")
        (place / ".venv").symlink_to(sys.prefix)

    @property
    def data_dir(self) -> Path:
        return self.place / ".data"

    def type(self, *typed: str, arguments: tuple[str, ...] = ()) -> str:
        """Commands of the guide in one shell that has read `.env`, with this run's addresses."""
        self.ran |= set(typed)
        done = subprocess.run(
            [
                "bash",
                "-ec",
                "\n".join([*self._prepared(), *map(self.here, typed)]),
                "-",
                *arguments,
            ],
            cwd=self.place,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            check=False,
        )
        assert done.returncode == 0, (typed, done.stdout[-2000:], done.stderr[-3000:])
        return done.stdout

    def _prepared(self) -> list[str]:
        return ["set -a; [ ! -e .env ] || . ./.env; set +a", "PATH=$PWD/.venv/bin:$PATH"]

    @property
    def environment(self) -> dict[str, str]:
        return {**surroundings(), MARK: str(self.place), "PYTHONPATH": str(ROOT)}

    def here(self, typed: str) -> str:
        for name, value in self._values.items():
            typed = re.sub(rf"(?m)^{name}=.*$", f"{name}={value}", typed)
        return typed.replace("PORT=8000", f"PORT={self.port}")

    def start(self, typed: str) -> "subprocess.Popen[bytes]":
        self.ran.add(typed)
        script = "\n".join(
            ["set -a; . ./.env; set +a", self.here(typed).replace("python -m", "exec python -m")]
        )
        with (self.place / "log").open("wb") as log:
            return subprocess.Popen(
                ["bash", "-ec", script],
                cwd=self.place,
                env=self.environment,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    @property
    def log(self) -> str:
        return (self.place / "log").read_text()


@pytest.fixture
def broker(services):
    """The one that the tests were given, else RabbitMQ where one answers, else files."""
    if services.CELERY_BROKER_URL or not answers_amqp():
        yield services.CELERY_BROKER_URL
        return
    yield RABBITMQ
    with Broker(RABBITMQ) as known:
        known.default_channel.queue_purge("celery")


@pytest.fixture
def clone(tmp_path, services, broker, sandbox):
    if not shutil.which("openssl"):
        pytest.skip("openssl, which makes the keys, is not installed")
    place = tmp_path / "switchboard"
    place.mkdir()
    database = f"switchboard_drill_{uuid4().hex[:8]}"
    values = {
        "DATABASE_URL": f"sqlite:///{place}/.data/switchboard.sqlite3",
        "REDIS_URL": services.REDIS_URL,
        "EMAIL_URL": "consolemail://",
        "CELERY_BROKER_URL": f"{broker}\nALLOWED_API_HOSTS=127.0.0.1:{sandbox.port}",
    }
    if services.on_postgresql:
        values["DATABASE_URL"] = at_database(services.DATABASE_URL, database)
        with psycopg.connect(services.DATABASE_URL, autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{database}"')
    yield Clone(place, values)
    if services.on_postgresql:
        with psycopg.connect(services.DATABASE_URL, autocommit=True) as connection:
            connection.execute(f'DROP DATABASE IF EXISTS "{database}" WITH (FORCE)')


def until(holds, clone):
    deadline = time.monotonic() + TIMEOUT
    while not holds():
        assert time.monotonic() < deadline, clone.log[-3000:]
        time.sleep(0.1)


@pytest.mark.timeout(900)  # some ten programs are started, one after the other
def test_the_guide_is_followed_line_by_line(clone, sandbox, services):
    setup, *before, start = commands(section("Without containers"))
    assert setup == "make setup"
    assert not clone.data_dir.exists()
    said = clone.type(*before)
    [link] = re.findall(r"https://switchboard\.example(/\S+)", said)
    with clone.start(start) as running:
        try:
            until(lambda: plain_http.is_up(f"http://127.0.0.1:{clone.port}/readyz"), clone)
            the_watcher_is_answered(clone, services)
            the_administrator_gets_in(clone, link)
            a_job_ends(clone, sandbox)
            a_backup_is_taken(clone)
        finally:
            running.send_signal(signal.SIGTERM)
        running.wait(TIMEOUT)
    assert processes_of(clone.place, MARK) == []
    assert "Traceback" not in clone.log
    for name in ("rotate_token_keys", "verify_audit"):
        assert f"`python manage.py {name}`" in section("Keys")
    clone.type("python manage.py rotate_token_keys", "python manage.py verify_audit")
    clone.type(*(each for each in commands(section("Backup and restore")) if each not in clone.ran))
    left = {each for each in commands(GUIDE) if not NOT_HERE.match(each)} - clone.ran
    in_compose = commands(section("With docker-compose"))
    assert left <= set(in_compose)


def the_watcher_is_answered(clone, services):
    """By address and over plain HTTP, and in lines of JSON."""
    data = section("Watching it")
    paths = re.findall(r"(?m)^- `(/\w+)`", data)
    assert paths == ["/healthz", "/readyz"]
    for path in paths:
        assert plain_http.get(f"http://127.0.0.1:{clone.port}{path}").status_code == 200
    parts = plain_http.get(f"http://127.0.0.1:{clone.port}/readyz").json()
    assert parts == {"status": "ready", "database": "ok", "broker": "ok", "cache": "ok"}


def the_administrator_gets_in(clone, link):
    """Sets the password by the printed link, and is then asked for a second factor."""
    site = "https://switchboard.example"
    with plain_http.Client(
        base_url=site, transport=TlsProxy(clone.port), follow_redirects=True, timeout=30
    ) as browser:
        page = browser.get(link)
        assert page.status_code == 200
        token = {"csrfmiddlewaretoken": browser.cookies["csrftoken"]}
        headers = {"Referer": f"{site}{link}"}
        both = {"password1": PASSWORD, "password2": PASSWORD}
        assert browser.post(page.url, data=token | both, headers=headers).status_code == 200
        page = browser.get("/account/login/")
        token = {"csrfmiddlewaretoken": browser.cookies["csrftoken"]}
        who = {"login": "you@example.com", "password": PASSWORD}
        page = browser.post("/account/login/", data=token | who, headers=headers)
        assert page.status_code == 200
        page = browser.get("/connections/")
        assert "/2fa/" in page.url.path
        [style] = re.findall(r'href="(/static/[^"]+\.css)"', page.text)[:1]
        assert browser.get(style).status_code == 200


def a_job_ends(clone, sandbox):
    """The worker does it; the process here only asks for it and looks on."""
    emails = [f"drill-{uuid4().hex}@example.com" for _ in range(5)]
    script = clone.place / "import_five.py"
    script.write_text(IMPORT)
    clone.type(
        'DJANGO_SETTINGS_MODULE=portal.config.settings python -c "$(cat import_five.py)" "$@"',
        arguments=(sandbox.url, sandbox.token, *emails),
    )
    assert [sandbox.client.get(f"/users/{each}").status_code for each in emails] == [200] * 5


def a_backup_is_taken(clone):
    """Beside the processes; it is restored once they have ended."""
    line = commands(section("Backup and restore"))[0]
    clone.type(line)
    assert (clone.place / "switchboard.backup").stat().st_size > 0
