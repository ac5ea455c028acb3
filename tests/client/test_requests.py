"""Requests as they leave the portal."""

from datetime import date

import pytest

from portal.contract.recordings import RecordingsQuery
from portal.contract.users import Picture, UserQuery, UserStatus, UserUpdate
from tests.client.conftest import TOKEN
from tests.support.fault_server import answer

USER = answer(200, {"id": "u1"})


def test_the_token_travels_in_the_query_string_and_nowhere_else(api, fault_server):
    fault_server.always(USER)
    api.users.get("u1")
    (seen,) = fault_server.requests
    assert seen.query == {"access_token": TOKEN}
    assert TOKEN not in seen.path + str(seen.headers)
    assert "authorization" not in seen.headers


@pytest.mark.parametrize(
    ("user_id", "segment"),
    [
        ("ann@example.com", "ann%40example.com"),
        ("a b?c#d%e", "a%20b%3Fc%23d%25e"),
        ("/abc==", "%252Fabc%253D%253D"),
        ("a/../b", "a%252F..%252Fb"),
        ("...a", "...a"),
        ("数", "%E6%95%B0"),
    ],
)
def test_ids_arrive_encoded_and_those_with_a_slash_twice(api, fault_server, user_id, segment):
    fault_server.always(answer(200, {"id": user_id, "email": user_id}))
    api.users.get(user_id)
    assert fault_server.requests[0].path == f"/v2/users/{segment}"


def test_query_holds_what_was_set_under_names_of_document(api, fault_server):
    fault_server.always(answer(200, {"meetings": []}))
    query = RecordingsQuery(from_=date(2026, 1, 31), to=date(2026, 2, 1), trash=True)
    api.recordings.of_user("u1", query)
    assert fault_server.requests[0].query == {
        "from": "2026-01-31",
        "to": "2026-02-01",
        "trash": "true",
        "access_token": TOKEN,
    }


def test_what_is_not_set_in_query_is_not_sent_as_empty_value(api, fault_server):
    fault_server.always(answer(200, {"users": []}))
    api.users.list()
    api.users.list(UserQuery(status=UserStatus.PENDING))
    queries = [seen.query for seen in fault_server.requests]
    assert queries == [{"access_token": TOKEN}, {"status": "pending", "access_token": TOKEN}]


def test_a_change_sends_only_the_fields_that_were_set(api, fault_server):
    fault_server.always(answer(204))
    api.users.update("u1", UserUpdate(dept="", timezone=None))
    (seen,) = fault_server.requests
    assert (seen.method, seen.json) == ("PATCH", {"dept": "", "timezone": None})
    assert seen.headers["content-type"] == "application/json"


def test_a_create_sends_its_document(api, fault_server, new_user):
    fault_server.always(answer(201, {"id": "u1"}))
    assert api.users.create(new_user).id == "u1"
    info = {"email": "ann@example.com", "first_name": "Ann", "type": 2}
    assert fault_server.requests[0].json == {"action": "create", "user_info": info}


def test_a_picture_travels_as_a_form_with_a_file(api, fault_server):
    fault_server.always(answer(201))
    content = b"\xff\xd8\xff\xe0 pixels"
    api.users.upload_picture("u1", Picture(pic_file=content))
    (seen,) = fault_server.requests
    assert seen.headers["content-type"].startswith("multipart/form-data; boundary=")
    assert b'name="pic_file"; filename="picture.jpg"' in seen.body
    assert b"Content-Type: image/jpeg\r\n\r\n" + content + b"\r\n" in seen.body


def test_a_base_address_may_end_with_a_slash(make_api, fault_server):
    fault_server.always(USER)
    make_api(url=fault_server.url + "/").users.get("u1")
    assert fault_server.requests[0].path == "/v2/users/u1"


def test_cookies_of_one_call_are_not_carried_into_another(api, fault_server):
    fault_server.always(answer(200, {"id": "u1"}, headers={"Set-Cookie": "account=one; Path=/"}))
    api.users.get("u1")
    api.users.get("u1")
    assert all("cookie" not in seen.headers for seen in fault_server.requests)


def test_proxies_and_netrc_of_the_environment_are_ignored(api, fault_server, monkeypatch, tmp_path):
    netrc = tmp_path / "netrc"
    netrc.write_text("default login ann password canary\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    for name in ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    fault_server.always(USER)
    assert api.users.get("u1").id == "u1"
    assert "authorization" not in fault_server.requests[0].headers
