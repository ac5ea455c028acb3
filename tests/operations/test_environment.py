"""Promises 24 and 41, and: what is missing or malformed is named at once, and nothing starts."""

import io
import os

import pytest
from cryptography.fernet import Fernet

from tests.support.fork_server import loaded, run_forked
from tests.support.programs import production, run

MALFORMED = {
    "SECRET_KEY": ("short", "SECRET_KEY is shorter than 50 characters"),
    "AUDIT_KEY": ("short", "AUDIT_KEY is shorter than 32 characters"),
    "TOKEN_KEYS": ("nonsense", "TOKEN_KEYS: key 1 is not 32 bytes in URL-safe base64"),
    "SITE_URL": ("http://switchboard.example", "SITE_URL does not begin with https://"),
    "METRICS_TOKEN": ("short", "METRICS_TOKEN is shorter than 32 characters"),
    "REDIS_URL": ("http://cache", "REDIS_URL does not begin with redis:// or rediss://"),
    "CELERY_BROKER_URL": ("ftp://queue", "CELERY_BROKER_URL does not begin with redis://"),
    "DATABASE_URL": ("mysql://db/x", "DATABASE_URL does not begin with postgres:// or"),
    "EMAIL_URL": ("post://office", "EMAIL_URL does not begin with"),
    "REQUIRE_SECOND_FACTOR": ("administrator, boss", "REQUIRE_SECOND_FACTOR has boss: write true"),
    "DEMO": ("perhaps", "DEMO is malformed"),
    "API_TIMEOUT": ("soon", "API_TIMEOUT is malformed"),
    "API_RATE_LIMIT": ("fast", "API_RATE_LIMIT is malformed"),
    "TRUSTED_PROXY_COUNT": ("one", "TRUSTED_PROXY_COUNT is malformed"),
    "ALLOWED_HOSTS": ("*", "ALLOWED_HOSTS has *, which allows any host"),
    "LOG_LEVEL": ("LOUD", "LOG_LEVEL is LOUD: write one of DEBUG, INFO"),
    "WEB_WORKERS": ("two", "WEB_WORKERS is malformed"),
    "WEB_THREADS": ("0", "WEB_THREADS is 0: write a number from 1"),
    "WORKER_THREADS": ("many", "WORKER_THREADS is malformed"),
    "PORT": ("80000", "PORT is 80000: write a number from 1 to 65535"),
    "SESSION_HOURS": ("0", "SESSION_HOURS is 0: write a number from 1 to 8760"),
    "SESSION_IDLE_MINUTES": ("-5", "SESSION_IDLE_MINUTES is -5: write a number from 1"),
    "JOB_LEASE": ("-3", "JOB_LEASE is -3: write seconds from 1 on"),
    "JOB_THREADS": ("-1", "JOB_THREADS is -1: write a number from 1"),
    "RECORDINGS_DAYS": ("7", "RECORDINGS_DAYS is 7: write a number from 31"),
    "RECORDINGS_TRASH_DAYS": ("-1", "RECORDINGS_TRASH_DAYS is -1: write a number from 1"),
    "ALLOWED_API_HOSTS": ("meet:8443,http://x/y", "ALLOWED_API_HOSTS has http://x/y: write hosts"),
}
# Whole or positive numbers, that are out of range where others are malformed.
OUT_OF_RANGE = {
    "TRUSTED_PROXY_COUNT": ("-1", "TRUSTED_PROXY_COUNT is -1: write a number from 0"),
    "API_TIMEOUT": ("0", "API_TIMEOUT is 0: write seconds from 0.1 on"),
    "API_RATE_LIMIT": ("-1", "API_RATE_LIMIT is -1: write a number from 0"),
}


def test_every_missing_value_is_named_in_one_message(tmp_path):
    [said] = loaded({"DATA_DIR": str(tmp_path)})
    for name in production(tmp_path):
        if name != "DATA_DIR":
            assert f"{name} is not set" in said


def test_every_malformed_value_is_named_in_one_message(tmp_path):
    wrong = {name: value for name, (value, _says) in MALFORMED.items()}
    [said] = loaded(production(tmp_path) | wrong)
    assert [says for _value, says in MALFORMED.values() if says not in said] == []


def test_every_value_out_of_range_is_named_in_one_message(tmp_path):
    wrong = {name: value for name, (value, _says) in OUT_OF_RANGE.items()}
    [said] = loaded(production(tmp_path) | wrong)
    assert [says for _value, says in OUT_OF_RANGE.values() if says not in said] == []


def test_message_stands_alone_without_a_traceback(tmp_path):
    answer = run(
        *("-m", "portal.config.procfile", "web"),
        environment=production(tmp_path) | {"WEB_WORKERS": "two", "LOG_LEVEL": "LOUD"},
    )
    assert answer.returncode == 1
    assert answer.stdout == ""
    [first, *faults, last] = answer.stderr.splitlines()
    assert first == "Switchboard cannot start with this environment:"
    assert [fault.split()[1] for fault in faults] == ["LOG_LEVEL", "WEB_WORKERS"]
    assert last.startswith("README.md lists every variable.")


def test_secrets_are_given_as_files_as_well(tmp_path):
    environment = production(tmp_path / "data")
    for name in ("SECRET_KEY", "TOKEN_KEYS", "AUDIT_KEY", "DATABASE_URL", "EMAIL_URL"):
        (tmp_path / name).write_text(environment.pop(name) + "\n")
        environment[f"{name}_FILE"] = str(tmp_path / name)
    second = Fernet.generate_key().decode()
    with (tmp_path / "TOKEN_KEYS").open("a") as file:
        file.write(second)
    shown = run_forked(
        *("-c", "from portal.config import settings as s; print(s.TOKEN_KEYS[1], s.SECRET_KEY)"),
        environment=environment,
    )
    assert shown.stdout.split() == [second, (tmp_path / "SECRET_KEY").read_text().strip()]


def test_secret_that_is_given_twice_or_not_to_be_had_is_named(tmp_path):
    environment = production(tmp_path) | {
        "AUDIT_KEY_FILE": str(tmp_path / "key"),
        "SECRET_KEY_FILE": str(tmp_path / "none"),
        "METRICS_TOKEN_FILE": str(tmp_path / "empty"),
    }
    del environment["SECRET_KEY"]
    (tmp_path / "empty").touch()
    [said] = loaded(environment)
    assert "AUDIT_KEY and AUDIT_KEY_FILE are both set: leave one out" in said
    assert f"SECRET_KEY_FILE: {tmp_path}/none cannot be read (No such file" in said
    assert f"METRICS_TOKEN_FILE: {tmp_path}/empty is empty" in said
    assert "SECRET_KEY is not set" not in said


def test_a_database_address_with_an_impossible_port_is_malformed(tmp_path):
    wrong = {"DATABASE_URL": "postgres://user:canary-password@db:port/switchboard"}
    [said] = loaded(production(tmp_path) | wrong)
    assert "DATABASE_URL is malformed" in said
    assert "canary-password" not in said


@pytest.mark.parametrize(
    "program",
    [
        ["manage.py", "migrate"],
        ["-m", "granian", "portal.config.asgi:application", "--interface", "asginl", "--port", "0"],
        ["-m", "celery", "-A", "portal.config", "worker", "--pool", "solo"],
        ["-m", "celery", "-A", "portal.config", "beat"],
    ],
    ids=["migrate", "web", "worker", "beat"],
)
def test_no_program_starts_without_its_keys(program, tmp_path):
    environment = production(tmp_path)
    del environment["TOKEN_KEYS"]
    answer = run(*program, environment=environment)
    assert answer.returncode != 0
    assert "TOKEN_KEYS is not set" in answer.stderr + answer.stdout
    assert list(tmp_path.iterdir()) == []


def test_secret_that_is_malformed_is_not_repeated_in_message(tmp_path):
    wrong = {"TOKEN_KEYS": "canary-key", "DATABASE_URL": "canary-url"}
    [said] = loaded(production(tmp_path) | wrong)
    assert "TOKEN_KEYS" in said
    assert "canary" not in said


def test_the_demo_needs_nothing_but_what_it_made_itself(tmp_path):
    made = {name: production(tmp_path)[name] for name in ("SECRET_KEY", "TOKEN_KEYS", "AUDIT_KEY")}
    (tmp_path / "demo.env").write_text("".join(f"{key}={made[key]}\n" for key in made))
    environment = {"DEMO": "true", "DATA_DIR": str(tmp_path)}
    assert loaded(environment) == [""]


def test_the_deployment_check_finds_nothing(tmp_path):
    answer = run_forked(
        "manage.py",
        "check",
        "--deploy",
        "--fail-level",
        "WARNING",
        environment=production(tmp_path),
    )
    assert answer.returncode == 0, answer.stderr
    assert "no issues" in answer.stdout


def test_allowing_every_host_is_refused(tmp_path):
    hosts = ["*", "*.example", ".", ".com", "..", "good.example,*"]
    said = loaded(*(production(tmp_path) | {"ALLOWED_HOSTS": host} for host in hosts))
    for host, problem in zip(hosts, said, strict=True):
        assert f"ALLOWED_HOSTS has {host.rpartition(',')[2]}, which allows any host" in problem


def test_hosts_by_name_are_allowed(tmp_path):
    hosts = ["switchboard.example", ".switchboard.example", "intranet", "[::1]"]
    assert not any(loaded(*(production(tmp_path) | {"ALLOWED_HOSTS": host} for host in hosts)))


def test_the_demo_listens_on_this_machine_alone(tmp_path):
    environment = production(tmp_path) | {"DEMO": "true"}
    hosts = ["0.0.0.0", "::", "[::]", "192.0.2.7", "portal.example"]  # noqa: S104
    said = loaded(*(environment | {"WEB_HOST": host} for host in hosts))
    for host, problem in zip(hosts, said, strict=True):
        assert f"WEB_HOST={host.strip('[]')} is no address of this machine" in problem


def test_the_demo_takes_an_address_of_this_machine(tmp_path):
    environment = production(tmp_path) | {"DEMO": "true"}
    hosts = ["127.0.0.1", "127.0.0.2", "::1", "[::1]", "localhost", ""]
    assert not any(loaded(*(environment | {"WEB_HOST": host} for host in hosts)))


@pytest.mark.django_db  # the end of a request closes its connection
@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("127.0.0.1", "200 OK"),
        ("::1", "200 OK"),
        ("::ffff:127.0.0.1", "200 OK"),
        ("192.0.2.7", "403 Forbidden"),
        ("::ffff:192.0.2.7", "403 Forbidden"),
        ("2001:db8::7", "403 Forbidden"),
        ("", "403 Forbidden"),
        ("unix", "403 Forbidden"),
    ],
)
def test_the_demo_serves_this_machine_alone(address, status):
    """Whatever address the server was set to listen on."""
    from portal.config.wsgi import application  # noqa: PLC0415 - it loads the whole portal

    said: list[str] = []
    asked = {
        "REQUEST_METHOD": "GET",
        "PATH_INFO": "/healthz",
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "80",
        "REMOTE_ADDR": address,
        "wsgi.input": io.BytesIO(),
        "wsgi.url_scheme": "http",
    }
    content = b"".join(application(asked, lambda status, _headers, *_: said.append(status)))
    assert said == [status]
    assert (b"alive" in content) == (status == "200 OK")


def test_outside_the_demo_others_are_served(tmp_path):
    ask = """
import io
from portal.config.wsgi import application
asked = {"REQUEST_METHOD": "GET", "PATH_INFO": "/healthz", "SERVER_NAME": "x", "SERVER_PORT": "80",
         "REMOTE_ADDR": "192.0.2.7", "wsgi.input": io.BytesIO(), "wsgi.url_scheme": "http"}
application(asked, lambda status, headers, *_: print(status))
"""
    answer = run_forked("-c", ask, environment=production(tmp_path))
    assert answer.stdout.split() == ["200", "OK"], answer.stderr


def test_folders_that_are_missing_are_made_for_their_owner_alone(tmp_path):
    data_dir, database = tmp_path / "not" / "there", tmp_path / "nor" / "this"
    environment = production(data_dir) | {"DATABASE_URL": f"sqlite:///{database}/portal.sqlite3"}
    assert loaded(environment) == [""]
    assert [path.stat().st_mode & 0o777 for path in (data_dir, database)] == [0o700, 0o700]


def test_folders_that_cannot_be_made_are_named_with_what_to_do(tmp_path):
    file = tmp_path / "file"
    file.touch()
    environment = production(file / "data") | {
        "DATABASE_URL": f"sqlite:///{file}/db/portal.sqlite3"
    }
    answer = run_forked("manage.py", "migrate", environment=environment)
    assert answer.returncode != 0
    for name, folder in (("DATA_DIR", file / "data"), ("DATABASE_URL", file / "db")):
        assert f"{name}: the folder {folder} cannot be made (Not a directory): " in answer.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_to_is_named(tmp_path):
    tmp_path.chmod(0o500)
    [said] = loaded(production(tmp_path))
    assert f"DATA_DIR: the folder {tmp_path} cannot be written to" in said


def test_nothing_is_made_while_anything_is_wrong(tmp_path):
    environment = production(tmp_path / "data") | {"AUDIT_KEY": "short"}
    assert loaded(environment) != [""]
    assert list(tmp_path.iterdir()) == []


def test_missing_static_files_are_named_before_first_page(tmp_path):
    environment = production(tmp_path) | {"STATIC_ROOT": str(tmp_path / "static")}
    program = [
        "-m",
        "granian",
        "portal.config.asgi:application",
        "--interface",
        "asginl",
        "--port",
        "0",
    ]
    answer = run(*program, environment=environment)
    assert answer.returncode != 0
    data = answer.stdout + answer.stderr
    assert f"STATIC_ROOT: the static files are not in {tmp_path}/static: collect them" in data
