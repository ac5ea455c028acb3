"""The same service on PostgreSQL, tried where `DATABASE_URL` names one."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from urllib.parse import urlsplit
from uuid import uuid4

import psycopg
import pytest

from tests.sandbox.conftest import done, everybody, fresh_email, new_person, refused
from tests.support.sandbox import Sandbox
from tests.support.sandbox_state import TODAY, days, pages, read


@pytest.fixture(scope="module")
def on_postgresql(tmp_path_factory, services):
    if not services.on_postgresql:
        pytest.skip("DATABASE_URL names no PostgreSQL")
    name = f"sandbox_{uuid4().hex}"
    with psycopg.connect(services.DATABASE_URL, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}")
        url = urlsplit(services.DATABASE_URL)._replace(path=f"/{name}").geturl()
        running = Sandbox(tmp_path_factory.mktemp("postgresql"), database_url=url)
        try:
            running.start()
            yield running
            running.client.close()
            running.stop()
        finally:
            server.execute(f"DROP DATABASE {name} WITH (FORCE)")


def test_of_many_who_want_one_email_one_gets_it(on_postgresql):
    api = on_postgresql.client
    body = {"action": "create", "user_info": {"email": fresh_email(), "type": 1}}
    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda _: api.post("/users", json=body), range(32)))

    assert Counter(each.status_code for each in answers) == {201: 1, 409: 31}


def test_what_its_columns_cannot_hold_is_refused(on_postgresql):
    api = on_postgresql.client
    person = new_person(api)
    path = f"/users/{person['id']}"
    refused(api.patch(path, json={"dept": "\0"}), 400, "dept")
    refused(api.get("/users/%00"), 404)
    done(api.patch(path, json={"dept": "x" * 100_000, "timezone": "Europe/Berlin"}))

    assert len(api.get(path).json()["dept"]) == 100_000


def test_what_was_answered_survives_a_kill(on_postgresql):
    made = [new_person(on_postgresql.client)["id"] for _ in range(10)]
    on_postgresql.kill()
    on_postgresql.start()

    assert set(made) <= {each["id"] for each in everybody(on_postgresql.client)}
    assert "Not foreseen" not in on_postgresql.log


def test_dashboards_and_reports_agree(on_postgresql):
    api = on_postgresql.client
    month = days(TODAY - timedelta(days=28), TODAY - timedelta(days=1))
    numbers = []
    for kind in ("meetings", "webinars"):
        asked = {**month, "type": "past", "page_size": 7}
        found = [each for page in pages(api, f"/metrics/{kind}", **asked) for each in page[kind]]
        assert len({each["uuid"] for each in found}) == len(found)
        numbers.append(len(found))
    assert read(api, "/report/users", **month)["total_meetings"] == sum(numbers) > 0
    for path in ("/report/telephone", "/metrics/crc", "/metrics/im", "/im/chat/sessions"):
        read(api, path, **month)
    read(api, "/report/cloud_recording", **month)
    read(api, "/report/daily")
