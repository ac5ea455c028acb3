"""From a path to an operation, and from an id in it to a person."""

import httpx
import pytest

from tests.sandbox.conftest import MakePerson, fresh_email, refused
from tests.support import plain_http
from tests.support.sandbox import Sandbox


class TestPath:
    @pytest.mark.parametrize(
        "path",
        [
            "",
            "/",
            "/user",
            "/users//settings",
            "/users/a/b",
            "/users/a/tsp/1/2",
            "/../v2",
        ],
    )
    def test_that_leads_nowhere_is_not_found(self, api: httpx.Client, path: str):
        refused(api.get(path), 404)

    @pytest.mark.parametrize("path", ["/users/", "//users", "//users//"])
    def test_with_doubled_slashes_or_one_at_its_end_is_understood(
        self, sandbox: Sandbox, path: str
    ):
        token = {"access_token": sandbox.token}
        assert plain_http.get(f"{sandbox.url}{path}", params=token).status_code == 200

    def test_with_a_slash_at_its_end_deletes_nothing(self, api: httpx.Client):
        for path in ("/users/u1/assistants/", "/users//assistants"):
            assert refused(api.delete(path), 404) == "There is no such operation."

    def test_with_doubled_slashes_before_it_deletes(self, sandbox: Sandbox):
        address = f"{sandbox.url}//users/nobody"
        token = {"access_token": sandbox.token}
        answer = plain_http.delete(address, params=token)
        assert refused(answer, 404) == "There is no such user."

    def test_outside_the_base_path_is_not_found(self, sandbox: Sandbox):
        refused(plain_http.get(sandbox.site), 404)
        refused(plain_http.get(f"{sandbox.site}/v1/users"), 404)

    @pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "BREW"])
    def test_with_another_method_names_those_that_it_has(self, api: httpx.Client, method: str):
        answer = api.request(method, "/users")

        assert answer.status_code == 405
        assert answer.headers["allow"] == "GET, POST"

    def test_written_out_wins_over_an_id(self, api: httpx.Client):
        refused(api.get("/users/email"), 400, "email")
        refused(api.patch("/users/email", json={}), 404)
        answer = api.put("/users/email")
        assert answer.headers["allow"] == "DELETE, GET, PATCH"

    @pytest.mark.parametrize(
        "name",
        [
            "%00",
            "%FF%FE",
            "%ED%A0%80",
            "a%252Fb",
            "%252e%252e",
            "%2525",
            "x" * 3000,
            "%F0%9F%92%A9",
        ],
    )
    def test_may_hold_any_id(self, api: httpx.Client, name: str):
        refused(api.get(f"/users/{name}"), 404)
        refused(api.get(f"/users/{name}/settings"), 404)

    def test_finds_a_person_by_id_and_by_email_whatever_its_case(
        self, api: httpx.Client, make_person: MakePerson
    ):
        person = make_person(email=f"O'Hara+Ops.{fresh_email()}")
        encoded = person["email"].upper().replace("+", "%2B").replace("'", "%27")

        found = [api.get(f"/users/{name}").json()["id"] for name in (person["id"], encoded)]

        assert found == [person["id"], person["id"]]

    def test_holds_an_id_with_a_slash_encoded_twice(
        self, api: httpx.Client, make_person: MakePerson
    ):
        person = make_person(email=f"dept/head.{fresh_email()}")

        found = api.get(f"/users/dept%252Fhead.{person['email'].partition('head.')[2]}")

        assert found.json()["id"] == person["id"]
