"""Promise 24, and: what is missing or malformed is named at once, and nothing starts."""

from pathlib import Path

import pytest

from tests.operations.programs import production, run

MALFORMED = {
    "SECRET_KEY": ("short", "SECRET_KEY is shorter than 50 characters"),
    "AUDIT_KEY": ("short", "AUDIT_KEY is shorter than 32 characters"),
    "TOKEN_KEYS": ("nonsense", "TOKEN_KEYS: key 1 is not 32 bytes in URL-safe base64"),
    "SITE_URL": ("http://switchboard.example", "SITE_URL does not begin with https://"),
    "REDIS_URL": ("http://cache", "REDIS_URL does not begin with redis:// or rediss://"),
    "CELERY_BROKER_URL": ("ftp://queue", "CELERY_BROKER_URL does not begin with redis://"),
    "DATABASE_URL": ("mysql://db/x", "DATABASE_URL does not begin with postgres:// or"),
    "EMAIL_URL": ("post://office", "EMAIL_URL does not begin with"),
    "DEMO": ("perhaps", "DEMO is malformed"),
    "API_TIMEOUT": ("soon", "API_TIMEOUT is malformed"),
    "API_RATE_LIMIT": ("fast", "API_RATE_LIMIT is malformed"),
    "TRUSTED_PROXY_COUNT": ("one", "TRUSTED_PROXY_COUNT is malformed"),
}


def test_every_missing_value_is_named_in_one_message(tmp_path: Path) -> None:
    answer = run("-c", "import portal.settings", environment={"DATA_DIR": str(tmp_path)})
    assert answer.returncode != 0
    for name in production(tmp_path):
        if name != "DATA_DIR":
            assert f"{name} is not set" in answer.stderr


def test_every_malformed_value_is_named_in_one_message(tmp_path: Path) -> None:
    wrong = {name: value for name, (value, _says) in MALFORMED.items()}
    answer = run("-c", "import portal.settings", environment=production(tmp_path) | wrong)
    assert answer.returncode != 0
    missing = [says for _value, says in MALFORMED.values() if says not in answer.stderr]
    assert missing == []


def test_a_database_address_with_an_impossible_port_is_malformed(tmp_path: Path) -> None:
    wrong = {"DATABASE_URL": "postgres://user:canary-password@db:port/switchboard"}
    answer = run("-c", "import portal.settings", environment=production(tmp_path) | wrong)
    assert "DATABASE_URL is malformed" in answer.stderr
    assert "canary-password" not in answer.stderr


@pytest.mark.parametrize(
    "program",
    [
        ["manage.py", "migrate"],
        ["-m", "granian", "portal.wsgi:application", "--interface", "wsgi", "--port", "0"],
        ["-m", "celery", "-A", "portal", "worker", "--pool", "solo"],
        ["-m", "celery", "-A", "portal", "beat"],
    ],
    ids=["migrate", "web", "worker", "beat"],
)
def test_no_program_starts_without_its_keys(program: list[str], tmp_path: Path) -> None:
    environment = production(tmp_path)
    del environment["TOKEN_KEYS"]
    answer = run(*program, environment=environment)
    assert answer.returncode != 0
    assert "TOKEN_KEYS is not set" in answer.stderr + answer.stdout
    assert list(tmp_path.iterdir()) == []


def test_a_secret_that_is_malformed_is_not_repeated_in_the_message(tmp_path: Path) -> None:
    wrong = {"TOKEN_KEYS": "canary-key", "DATABASE_URL": "canary-url"}
    answer = run("-c", "import portal.settings", environment=production(tmp_path) | wrong)
    assert "TOKEN_KEYS" in answer.stderr
    assert "canary" not in answer.stderr.split("ImproperlyConfigured: Switchboard", 1)[1]


def test_the_demo_needs_nothing_but_what_it_made_itself(tmp_path: Path) -> None:
    made = {name: production(tmp_path)[name] for name in ("SECRET_KEY", "TOKEN_KEYS", "AUDIT_KEY")}
    (tmp_path / "demo.env").write_text("".join(f"{key}={made[key]}\n" for key in made))
    environment = {"DEMO": "true", "DATA_DIR": str(tmp_path)}
    answer = run("manage.py", "migrate", "--verbosity", "0", environment=environment)
    assert answer.returncode == 0, answer.stderr
    assert (tmp_path / "switchboard.sqlite3").exists()


def test_the_deployment_check_finds_nothing(tmp_path: Path) -> None:
    answer = run(
        "manage.py",
        "check",
        "--deploy",
        "--fail-level",
        "WARNING",
        environment=production(tmp_path),
    )
    assert answer.returncode == 0, answer.stderr
    assert "no issues" in answer.stdout
