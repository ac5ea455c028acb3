"""`make run`: real processes, in a data directory of their own."""

import contextlib
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from portal.config.demo import Demo, environment
from tests.support import plain_http
from tests.support.programs import ROOT, heard_until, surroundings

READY = "Switchboard is ready."
TIMEOUT = 120.0
MOMENT = "2027-02-28T23:40"


@dataclass
class Run:
    """One start of the demo."""

    data_dir: Path
    port: int
    sandbox_port: int
    more: dict[str, str] = field(default_factory=dict)
    process: "subprocess.Popen[str]" = field(init=False)
    said: str = ""

    def __post_init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "portal.config.demo"],
            cwd=ROOT,
            env=surroundings()
            | {
                "DATA_DIR": str(self.data_dir),
                "PORT": str(self.port),
                "SANDBOX_PORT": str(self.sandbox_port),
                "SAMPLE": "off",
            }
            | self.more,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def until_ready(self) -> "Run":
        self.said = "".join(heard_until(self.process, "Ctrl-C stops everything"))
        assert READY in self.said, self.said
        return self

    def until_ended(self) -> int:
        rest, _ = self.process.communicate(timeout=TIMEOUT)
        self.said += rest
        return self.process.returncode

    def stop(self, how: signal.Signals = signal.SIGINT) -> int:
        self.process.send_signal(how)
        return self.until_ended()

    def end(self) -> None:
        """Stops it unless it has ended."""
        if self.process.poll() is None:
            self.stop()

    @property
    def known(self) -> dict[str, str]:
        return dict(json.loads((self.data_dir / "demo-credentials.json").read_text()))


@contextmanager
def ending(run):
    try:
        yield run
    finally:
        run.end()


def free_ports():
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
    web, sandbox = (server.getsockname()[1] for server in held)
    for server in held:
        server.close()
    return web, sandbox


def status(url, headers=None):
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.netloc, timeout=10)
    try:
        connection.request("GET", parts.path, headers=headers or {})
        return connection.getresponse().status
    finally:
        connection.close()


def live_meetings(run):
    days = {"from": "2027-02-28", "to": "2027-03-01", "type": "live"}
    token = {"Authorization": f"Bearer {run.known['sandbox_token']}"}
    answer = plain_http.get(
        f"{run.known['sandbox_url']}/metrics/meetings", params=days, headers=token
    )
    return list(answer.json()["meetings"])


def processes_of(data_dir, variable="DATA_DIR"):
    """Every living process that was started for this data directory."""
    found = []
    mark = f"{variable}={data_dir}".encode()
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (entry / "environ").read_bytes().split(b"\0"):
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def programs_of(run, word):
    """The processes of a run that have this word in their commands."""
    return [
        process
        for process in processes_of(run.data_dir)
        if f"\0{word}\0".encode() in (Path("/proc") / str(process) / "cmdline").read_bytes()
    ]


def mode(path):
    return path.stat().st_mode & 0o777


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """The first start, on a machine that has no data yet."""
    data_dir, more = tmp_path_factory.mktemp("demo") / "made by the demo", {"SANDBOX_NOW": MOMENT}
    with ending(Run(data_dir, *free_ports(), more)) as run:
        yield run.until_ready()


def test_the_first_start_prints_the_address_and_the_sign_in(first):
    words = first.said.split()
    assert first.known["url"] == f"http://127.0.0.1:{first.port}"
    assert first.known["sandbox_url"] == f"http://127.0.0.1:{first.sandbox_port}/v2"
    assert [fact for fact in ("url", "email", "password") if first.known[fact] not in words] == []


def test_what_it_made_is_readable_by_its_owner_only(first):
    assert mode(first.data_dir) == 0o700
    for name in ("demo-credentials.json", "demo.env", "switchboard.sqlite3"):
        assert mode(first.data_dir / name) == 0o600


def test_the_portal_and_the_sandbox_answer(first):
    assert status(f"{first.known['url']}/account/login/") == 200
    assert status(f"{first.known['url']}/readyz") == 200
    token = {"Authorization": f"Bearer {first.known['sandbox_token']}"}
    assert status(f"{first.known['sandbox_url']}/users", token) == 200
    assert status(f"{first.known['sandbox_url']}/users") == 401


def test_the_account_lives_at_the_moment_that_was_asked_for(first):
    """Meetings run there that began within the hour before."""
    begun = [each["start_time"] for each in live_meetings(first)]
    assert begun
    assert all("2027-02-28T22:" < each < "2027-03-01T00:" for each in begun)


@pytest.mark.parametrize("which", ["port", "sandbox_port"])
def test_it_is_reached_from_this_machine_alone(first, which):
    """127.0.0.2 is another address of this machine: who listens on all would answer there."""
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.2", getattr(first, which)), timeout=5)


def test_200_slow_bodies_keep_nobody_from_a_page(first):
    """None of them has an account; there are 16 threads."""
    begun = (
        b"POST /account/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n"
        b"Content-Type: application/x-www-form-urlencoded\r\n"
        b"Cookie: csrftoken=" + b"a" * 32 + b"\r\n\r\nlo"
    )
    with contextlib.ExitStack() as slow:
        for _ in range(200):
            sender = slow.enter_context(socket.create_connection(("127.0.0.1", first.port)))
            sender.sendall(begun)
        for path in ("/healthz", "/readyz", "/account/login/"):
            assert status(f"{first.known['url']}{path}") == 200


def test_a_second_start_on_the_same_data_is_refused(first):
    second = Run(first.data_dir, *free_ports())
    assert second.until_ended() == 1
    assert f"Switchboard already runs on {first.data_dir}" in second.said
    assert first.process.poll() is None


def test_a_taken_port_is_named_and_nothing_is_made(first, tmp_path):
    for ports in [(first.port, free_ports()[0]), (free_ports()[0], first.port)]:
        other = Run(tmp_path / "data", *ports)
        assert other.until_ended() == 1
        assert f"Port {first.port} cannot be used" in other.said
        assert not (tmp_path / "data" / "demo.env").exists()


def test_hosts_that_the_environment_allows_are_added_to_its_own(tmp_path, monkeypatch):
    demo = Demo(tmp_path, 8000, 8001)
    monkeypatch.delenv("ALLOWED_API_HOSTS", raising=False)
    assert environment(demo, {})["ALLOWED_API_HOSTS"] == "127.0.0.1"
    monkeypatch.setenv("ALLOWED_API_HOSTS", "intranet.example,10.0.0.7:8443")
    allowed = environment(demo, {})["ALLOWED_API_HOSTS"]
    assert allowed == "127.0.0.1,intranet.example,10.0.0.7:8443"


def test_ports_that_are_none_are_named(tmp_path):
    run = Run(tmp_path, 70000, 8001)
    assert run.until_ended() == 1
    assert "PORT=70000 is not a port" in run.said
    assert "Traceback" not in run.said


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [("SANDBOX_NOW", "tomorrow", "not a moment"), ("SANDBOX_PROFILE", "old", "not a profile")],
)
def test_moment_or_profile_that_is_none_is_named(tmp_path, name, value, words):
    run = Run(tmp_path, *free_ports(), {name: value})
    assert run.until_ended() == 1
    assert f"{name}={value} is {words}" in run.said
    assert "Traceback" not in run.said


def test_an_address_for_others_is_refused_by_name(tmp_path, monkeypatch):
    monkeypatch.setenv("WEB_HOST", "0.0.0.0")  # noqa: S104
    run = Run(tmp_path / "data", *free_ports())
    assert run.until_ended() == 1
    assert "WEB_HOST=0.0.0.0 would let others in" in run.said
    assert not (tmp_path / "data").exists()


def test_no_secret_is_shown_to_other_users_by_the_process_list(first):
    secrets = [line.partition("=")[2] for line in (first.data_dir / "demo.env").open()]
    data = b"".join(
        (Path("/proc") / str(process) / "cmdline").read_bytes()
        for process in processes_of(first.data_dir)
    ).decode()
    assert "granian" in data
    assert [secret for secret in secrets if secret.strip() in data] == []


def test_ctrl_c_leaves_no_process_behind(first):
    assert len(processes_of(first.data_dir)) > 4
    assert first.stop(signal.SIGINT) == 0
    assert processes_of(first.data_dir) == []
    assert "Traceback" not in first.said


@pytest.fixture(scope="module")
def made(first):
    """The keys and the credentials of the first start."""
    return (first.data_dir / "demo.env").read_text(), first.known


@pytest.fixture(scope="module")
def later(made, first):
    """The next start on the same data, on other ports."""
    first.end()
    with ending(Run(first.data_dir, *free_ports())) as run:
        yield run.until_ready()


@pytest.fixture(scope="module")
def restarted(later):
    """On the ports of one that was killed."""
    later.stop(signal.SIGKILL)
    with ending(Run(later.data_dir, later.port, later.sandbox_port)) as run:
        yield run.until_ready()


@pytest.mark.deep
def test_a_later_start_has_the_same_data_on_other_ports(made, later):
    keys, known = made
    assert (later.data_dir / "demo.env").read_text() == keys
    assert later.known == known | {
        "url": f"http://127.0.0.1:{later.port}",
        "sandbox_url": f"http://127.0.0.1:{later.sandbox_port}/v2",
    }


@pytest.mark.deep
def test_after_a_kill_the_next_start_works_on_the_same_ports(restarted):
    assert status(f"{restarted.known['url']}/readyz") == 200


@pytest.mark.deep
def test_process_that_dies_is_started_again_and_takes_none_along(restarted):
    [worker] = programs_of(restarted, "worker")
    others = {
        pid for name in ("granian", "beat", "sandbox") for pid in programs_of(restarted, name)
    }
    os.kill(worker, signal.SIGKILL)
    heard = heard_until(restarted.process, "worker started")
    assert "ended by itself (status -9), is started again in 1 s" in "".join(heard)
    assert others == {
        pid for name in ("granian", "beat", "sandbox") for pid in programs_of(restarted, name)
    }
    assert restarted.stop(signal.SIGTERM) == 0
    assert processes_of(restarted.data_dir) == []
