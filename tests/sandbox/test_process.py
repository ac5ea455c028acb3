"""The sandbox as a program: how it starts, ends, survives, and is configured."""

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from tests.sandbox.conftest import everybody, new_person
from tests.support import plain_http
from tests.support.fork_server import of_the_sandbox
from tests.support.sandbox import Sandbox, run_within


def run(*flags, **environment):
    return subprocess.run(
        [sys.executable, "manage.py", "sandbox", *flags],
        cwd=Path(__file__).parents[2],
        env={"PATH": os.environ["PATH"], **environment},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


def forked(*flags, **environment):
    return of_the_sandbox().run("manage.py", "sandbox", *flags, environment=environment)


def test_it_needs_nothing_of_the_portals_environment(tmp_path):
    data = run("--help", DJANGO_SETTINGS_MODULE="portal.config.settings")

    assert data.returncode == 0
    assert "--data-dir" in data.stdout


def test_it_does_not_start_without_a_token(tmp_path):
    data = run(f"--data-dir={tmp_path}")

    assert data.returncode == 1
    assert "SANDBOX_TOKEN" in data.stderr


@pytest.mark.parametrize(
    "flag",
    [
        "--bind=127.0.0.1",
        "--bind=127.0.0.1:0",
        "--bind=:8001",
        "--bind=127.0.0.1:99999",
        "--rate-limit=10",
        "--rate-limit=0/s",
        "--latency-ms=-1",
        "--error-rate=1.5",
        "--error-rate=often",
        "--users=many",
    ],
)
def test_malformed_flag_is_refused_with_word_on_how_to_write_it(tmp_path, flag):
    data = forked(f"--data-dir={tmp_path}", "--token=t", flag)

    assert data.returncode == 2
    assert "write a" in data.stderr


def test_a_port_that_another_program_has_is_not_shared(sandbox, tmp_path):
    port = f"--bind=127.0.0.1:{sandbox.port}"
    data = forked(port, f"--data-dir={tmp_path}", "--token=t", "--users=0")

    assert data.returncode == 1
    assert f"Port {sandbox.port} cannot be used" in data.stderr


def test_stops_at_once_though_clients_are_connected(sandbox_factory):
    running = sandbox_factory("--users=5")
    running.client.get("/users")

    assert running.stop() == 0
    with pytest.raises(httpx.TransportError):
        plain_http.get(running.url)


def test_an_interrupt_stops_it_too(sandbox_factory):
    running = sandbox_factory("--users=5")
    os.kill(running.pid, signal.SIGINT)

    assert running.stop() == 0


def test_what_was_answered_survives_a_kill(sandbox_factory):
    running = sandbox_factory("--users=5")
    made = [new_person(running.client)["id"] for _ in range(20)]
    running.kill()
    running.start()

    found = [running.client.get(f"/users/{each}").status_code for each in made]

    assert found == [200] * 20


def test_a_kill_leaves_no_process_on_the_port(sandbox_factory):
    running = sandbox_factory("--users=5")
    running.kill()
    running.start()

    assert running.client.get("/users").status_code == 200


def test_it_starts_where_there_is_nothing(tmp_path):
    running = Sandbox(tmp_path / "new", "--users=5")
    running.start(from_nothing=True)
    found = everybody(running.client)
    running.client.close()

    assert running.stop() == 0
    assert found


def test_a_second_start_keeps_the_account_and_fresh_replaces_it(sandbox_factory):
    running = sandbox_factory("--users=5")
    made = new_person(running.client)
    running.stop()

    running.start()
    assert running.client.get(f"/users/{made['id']}").status_code == 200
    running.stop()

    running.flags = (*running.flags, "--fresh")
    running.start()
    assert running.client.get(f"/users/{made['id']}").status_code == 404
    assert everybody(running.client)


def test_the_same_seed_makes_the_same_people_and_another_others(sandbox_factory):
    def account(seed):
        people = everybody(sandbox_factory("--users=5", f"--seed={seed}").client)
        return {(each["id"], each["email"], each["pmi"]) for each in people}

    assert account(1) == account(1)
    assert account(1) != account(2)


def test_an_account_may_be_empty(sandbox_factory):
    assert everybody(sandbox_factory("--users=0").client) == []


@pytest.mark.deep
def test_workers_are_forked_once_host_names_can_be_encoded(sandbox):
    """A thread that imports the codec at that moment leaves its lock with the worker for ever."""
    code = """
import sys
assert "encodings.idna" not in sys.modules
from portal.sandbox import server
server._import_ahead()
print("encodings.idna" in sys.modules)
"""
    assert run_within(sandbox, code, afresh=True).strip() == "True"


def test_writes_that_come_at_once_all_happen(sandbox_factory):
    running = sandbox_factory("--users=5")
    before = running.client.get("/users", params={"page_size": 1}).json()["total_records"]
    with ThreadPoolExecutor(20) as pool:
        made = list(pool.map(lambda _: new_person(running.client)["id"], range(200)))

    after = running.client.get("/users", params={"page_size": 1}).json()["total_records"]
    assert len(set(made)) == 200
    assert after == before + 200
