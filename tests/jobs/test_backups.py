"""A backup fits where it is restored, or is refused before anything is replaced."""

import json
import tarfile

import pytest
from django.core.management import CommandError, call_command

from portal.jobs import backups
from portal.jobs.backups import BackupError

pytestmark = pytest.mark.django_db


@pytest.fixture
def backup(tmp_path):
    """Returns a function that writes a backup with a changed manifest."""

    def written(**changes):
        manifest = {
            "made_at": "2026-05-04T12:00:00+00:00",
            "version": "9.9.9",
            "vendor": backups.connection.vendor,
            "migrations": ["jobs.0001_initial"],
            "keys": backups._keys(),
            "last_entry": 7,
        }
        inside = tmp_path / "manifest.json"
        inside.write_text(json.dumps(manifest | changes))
        with tarfile.open(tmp_path / "backup", "w") as tar:
            tar.add(inside, "manifest.json")
        return tmp_path / "backup"

    return written


def refusal(path):
    with pytest.raises(BackupError) as failure, backups.opened(path):
        pass
    assert [one.name for one in path.parent.iterdir() if one.name.startswith(".restore")] == []
    return str(failure.value)


def test_backup_of_newer_release_is_refused(backup):
    said = refusal(backup(migrations=["jobs.9999_later"]))
    assert "release 9.9.9, which is newer than this one" in said
    assert "jobs.9999_later" in said


def test_backup_under_another_key_is_refused_without_telling_it(backup, settings):
    path = backup()
    former, settings.AUDIT_KEY = settings.AUDIT_KEY, "another key " * 4
    said = refusal(path)
    assert said.startswith("AUDIT_KEY is not what it was")
    assert former not in path.read_bytes().decode(errors="replace")


def test_backup_of_another_kind_of_database_is_refused(backup):
    assert "It is of oracle" in refusal(backup(vendor="oracle"))


@pytest.mark.parametrize("content", [b"", b"no archive", None])
def test_what_is_no_backup_is_refused(content, tmp_path):
    if content is not None:
        (tmp_path / "backup").write_bytes(content)
    assert "is no backup" in refusal(tmp_path / "backup")


def test_database_with_accounts_is_replaced_only_when_told_so(backup, administrator):
    with pytest.raises(CommandError, match="has accounts already"):
        call_command("restore", str(backup()))


def test_backup_replaces_no_file(tmp_path):
    (tmp_path / "backup").write_text("mine")
    with pytest.raises(CommandError, match="is there already"):
        call_command("backup", str(tmp_path / "backup"))
    assert (tmp_path / "backup").read_text() == "mine"


def test_missing_program_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BackupError, match="pg_dump is not installed"):
        backups._run("pg_dump", at_end=[])
