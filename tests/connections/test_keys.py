"""Promise 2: whatever is stored encrypted is under the newest key after `rotate_token_keys`."""

import json
import re
import threading
from collections.abc import Callable, Sequence

import pytest
from allauth.mfa.models import Authenticator
from cryptography.fernet import Fernet, InvalidToken
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import models

from portal.access import tokens
from portal.access.http import Origin
from portal.access.models import Connection, ServiceToken
from portal.access.models.connection import SealedText, sealed_fields
from portal.approvals.models import ApprovalRequest, RequestKind
from portal.audit.reading import lines
from portal.client import Api
from portal.connections.services import keys
from portal.imports.models import StoredTable
from portal.imports.sheets import storage
from portal.jobs import job_types, services
from portal.jobs.job_types import Done
from portal.jobs.models import ItemState, Job, JobFile, JobItem, JobState
from portal.jobs.planning import NewItem, Planning
from portal.webhooks.models import Subscription
from tests.support.fault_server import answer
from tests.support.job_types import CreatePeople
from tests.support.jobs import approve

pytestmark = pytest.mark.django_db
CREATED = answer(201, {"id": "u1", "email": "x@example.com", "type": 1})
REFUSED = answer(400, {"code": 300, "message": "No."})


class WithPassword(CreatePeople):
    """Its items have a secret, and it needs it."""

    name = "tests.keys"

    def plan(self, planning: Planning) -> None:
        for number, line in enumerate(planning.file().decode().split(), start=2):
            email, password = line.split(",")
            planning.add(NewItem(number, email, "create", secret={"password": password}))

    def carry_out(self, api: Api, item: JobItem) -> Done:
        assert item.secret["password"]
        return super().carry_out(api, item)


class RotatesInBetween(WithPassword):
    """The keys change when its first row is done, while all others are under way."""

    name = "tests.keys_between"
    rotated = threading.Event()

    def carry_out(self, api: Api, item: JobItem) -> Done:
        if item.number > 2:
            assert self.rotated.wait(20)
        return super().carry_out(api, item)

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:  # noqa: ARG002
        keys.rotate()
        self.rotated.set()


@pytest.fixture(autouse=True)
def known_kinds():
    for kind in (WithPassword(), RotatesInBetween()):
        job_types.register(kind)
    yield
    for name in (WithPassword.name, RotatesInBetween.name):
        job_types._JOB_TYPES.pop(name)


def draft(connection, kind, rows):
    file = "\n".join(f"{number}@example.com,pass-{number}" for number in range(rows)).encode()
    origin = Origin(connection.owner)
    return services.draft(origin, connection, kind.name, "A job", file=file, file_name="p.csv")


def planned(connection, kind, work, rows):
    job = work(draft(connection, kind, rows))
    approve(job)
    return job


def new_key(settings):
    settings.TOKEN_KEYS = [Fernet.generate_key().decode(), *settings.TOKEN_KEYS]


def encrypted_texts():
    """Every text in the database that looks encrypted under TOKEN_KEYS, and where it stands."""
    for model in apps.get_models():
        if model._meta.label == "sessions.Session":  # these are under SECRET_KEY
            continue
        for row in model._base_manager.values():
            for name, value in row.items():
                text = value if isinstance(value, str) else json.dumps(value, default=str)
                for found in re.findall(r"gAAAA[\w=-]{60,}", text):
                    yield f"{model._meta.label}.{name}", found


@pytest.fixture
def one_of_each(connection):
    """A row of every model that keeps something encrypted."""
    job = draft(connection, WithPassword, 1)
    item = {"job": job, "number": 2, "label": "a", "sealed": tokens.seal('{"password": "p"}')}
    call = {"kind": RequestKind.CALL, "title": "Delete a group", "sealed": tokens.seal("{}")}
    make: dict[type[models.Model], Callable[[], object]] = {
        Connection: lambda: connection,
        ApprovalRequest: lambda: ApprovalRequest.objects.create(
            connection=connection, requester=connection.owner, **call
        ),
        JobFile: lambda: JobFile.objects.get(job=job),
        JobItem: lambda: JobItem.objects.create(**item),
        StoredTable: lambda: storage.store(
            connection.owner, connection, "people", "email\na@example.com"
        ),
        ServiceToken: lambda: ServiceToken.objects.create(
            connection=connection, sealed=tokens.seal("issued")
        ),
        Subscription: lambda: Subscription.objects.create(
            connection=connection, path="p", sealed_secrets=tokens.seal("[]")
        ),
    }
    assert make.keys() == sealed_fields().keys(), "a row of each such model belongs here"
    for example in make.values():
        example()
    for kind, name in (("totp", "secret"), ("recovery_codes", "seed")):
        data = {name: tokens.seal("x")}
        Authenticator.objects.create(user=connection.owner, type=kind, data=data)


def test_what_is_called_sealed_is_found_by_a_change_of_keys():
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            if field.name.startswith("sealed"):
                assert isinstance(field, SealedText), field


def test_such_a_field_takes_no_text_that_nobody_encrypted(connection):
    connection.sealed_token = "as it is"
    with pytest.raises(ValueError, match="encrypted texts alone"):
        connection.save()


@pytest.mark.usefixtures("one_of_each")
def test_after_a_rotation_nothing_needs_the_old_key(settings, capsys):
    before = list(encrypted_texts())
    assert len({where for where, _ in before}) == 9
    new_key(settings)
    call_command("rotate_token_keys")
    said = capsys.readouterr().out
    assert said.startswith(f"{len(before)} secrets")
    assert "can be taken out" in said
    newest = Fernet(settings.TOKEN_KEYS[0])
    after = list(encrypted_texts())
    assert len(after) == len(before)
    for where, text in after:
        try:
            newest.decrypt(text)
        except InvalidToken:
            pytest.fail(f"{where} is under the old key")


@pytest.mark.usefixtures("one_of_each")
def test_rotation_continues_in_batches_where_it_broke_off(connection, settings, monkeypatch):
    job = Job.objects.get()
    rows = [
        JobItem(job=job, number=number, label="a", sealed=tokens.seal("{}")) for number in range(7)
    ]
    JobItem.objects.bulk_create(rows)
    new_key(settings)
    monkeypatch.setattr(keys, "_BATCH", 3)
    seen = 0
    reseal = tokens.reseal

    def killed(sealed):
        nonlocal seen
        seen += 1
        if seen == 8:
            raise KeyboardInterrupt
        return reseal(sealed)

    monkeypatch.setattr(keys, "reseal", killed)
    with pytest.raises(KeyboardInterrupt):
        keys.rotate()
    monkeypatch.setattr(keys, "reseal", reseal)
    kept = dict(JobItem.objects.values_list("pk", "sealed"))
    rotation = keys.rotate()
    assert rotation.rotated == len(list(encrypted_texts()))
    assert kept.items() & dict(JobItem.objects.values_list("pk", "sealed")).items()
    settings.TOKEN_KEYS = settings.TOKEN_KEYS[:1]
    assert all(tokens.unseal(text).value for _, text in encrypted_texts())


@pytest.mark.usefixtures("one_of_each")
def test_a_rotation_names_every_row_that_no_key_opens(connection, settings):
    settings.TOKEN_KEYS = [Fernet.generate_key().decode()]
    with pytest.raises(CommandError) as said:
        call_command("rotate_token_keys")
    for whose in (
        f"connection {connection.key}",
        f"job item {JobItem.objects.get().pk}",
        f"job file {JobFile.objects.get().pk}",
        f"stored table {StoredTable.objects.get().key}",
        f"second factor of user {connection.owner.pk}",
    ):
        assert whose in str(said.value)
    assert "can be taken out" not in str(said.value)


def test_rotation_in_middle_of_job_holds_for_its_rows_too(faulty, fault_server, work, settings):
    job = planned(faulty, RotatesInBetween, work, rows=5)
    new_key(settings)
    fault_server.then(CREATED).always(REFUSED)
    RotatesInBetween.rotated.clear()
    job = work(job)
    assert RotatesInBetween.rotated.is_set()
    assert job.items.get(state=ItemState.DONE).sealed == ""
    settings.TOKEN_KEYS = settings.TOKEN_KEYS[:1]
    failed = job.items.filter(state=ItemState.FAILED)
    assert [item.secret["password"] for item in failed] == [f"pass-{n}" for n in range(1, 5)]
    fault_server.always(CREATED)
    services.retry_failed(job, Origin(faulty.owner))
    assert {item.state for item in work(job).items.all()} == {ItemState.DONE}


def test_row_with_unreadable_secret_fails_with_words_alone(faulty, fault_server, work, settings):
    job = planned(faulty, WithPassword, work, rows=3)
    lost = job.items.get(number=3)
    under_another = Fernet(Fernet.generate_key()).encrypt(b'{"password": "p"}').decode()
    job.items.filter(pk=lost.pk).update(sealed=under_another)
    fault_server.always(CREATED)
    job = work(job)
    assert job.state == JobState.DONE
    assert {item.number: item.state for item in job.items.all()} == {
        2: ItemState.DONE,
        3: ItemState.FAILED,
        4: ItemState.DONE,
    }
    lost.refresh_from_db()
    assert "TOKEN_KEYS" in lost.message
    assert lost.sealed == under_another
    job.items.filter(pk=lost.pk).update(sealed=tokens.seal('{"password": "p"}'))
    services.retry_failed(job, Origin(faulty.owner))
    assert work(job).items.get(pk=lost.pk).state == ItemState.DONE


def test_row_with_unreadable_secret_is_settled_by_asking(faulty, fault_server, work):
    job = planned(faulty, WithPassword, work, rows=1)
    under_another = Fernet(Fernet.generate_key()).encrypt(b"{}").decode()
    job.items.update(state=ItemState.SENDING, attempts=1, sealed=under_another)
    fault_server.always(answer(200, {"id": "u1", "email": "0@example.com", "type": 1}))
    job = work(job)
    assert (job.state, job.items.get().state) == (JobState.DONE, ItemState.DONE)
    assert job.items.get().sealed == ""


def test_a_file_that_cannot_be_read_is_said_by_the_job(connection, work):
    job = draft(connection, WithPassword, 1)
    other = Fernet(Fernet.generate_key()).encrypt(b"x").decode()
    JobFile.objects.update(sealed=other)
    job = work(job)
    assert job.state == JobState.UNPLANNABLE
    assert "TOKEN_KEYS" in job.reason


def test_an_upload_that_cannot_be_read_is_no_longer_there(connection, settings):
    kept = storage.store(connection.owner, connection, "people", "email\na@example.com")
    settings.TOKEN_KEYS = [Fernet.generate_key().decode()]
    assert storage.find(connection.owner, connection, "people", kept.key) is None


def test_a_rotation_is_recorded_with_how_many_secrets_it_was():
    keys.rotate()
    [line] = lines().filter(operation="connection.rotate_keys")
    assert line.answer.message == "0 secrets are under the first key."
