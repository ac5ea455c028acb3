"""Operations describe calls, and calls are checked before anything is sent."""

import pickle
import re
from typing import Any

import pytest

from portal.contract import FAMILIES, operations
from portal.contract.model import fields
from portal.contract.operation import Call, Effect, PagedOperation, PagingKind
from portal.contract.path import NotAnId
from portal.contract.recordings import Recordings
from portal.contract.users import (
    EmailQuery,
    NewUser,
    NewUserInfo,
    PasswordChange,
    Picture,
    UserQuery,
    UserRemoval,
    Users,
    UserUpdate,
)
from tests.support.cases import for_each

every_operation = for_each("operation", list(operations()), ids=lambda operation: operation.name)
NEW = NewUser(
    action="create", user_info=NewUserInfo(email="a@b.example", type=1, password="12345678")
)


def path_of(user_id):
    return Users.get.call(user_id).path


@pytest.mark.parametrize(
    ("user_id", "path"),
    [
        ("u1", "/users/u1"),
        ("a-b_c.d~e", "/users/a-b_c.d~e"),
        ("ann+x@example.com", "/users/ann%2Bx%40example.com"),
        ("50%", "/users/50%25"),
        ("a b", "/users/a%20b"),
        ("?a=b#c", "/users/%3Fa%3Db%23c"),
        ("..x", "/users/..x"),
        ("\\..\\", "/users/%5C..%5C"),
        ("é", "/users/%C3%A9"),
        ("/sHJK==", "/users/%252FsHJK%253D%253D"),
        ("a//b", "/users/a%252F%252Fb"),
        ("../settings", "/users/..%252Fsettings"),
    ],
)
def test_an_id_is_encoded_and_one_with_a_slash_twice(user_id, path):
    assert path_of(user_id) == path


@pytest.mark.parametrize("user_id", ["", ".", "..", "...", "\ud800"])
def test_what_would_address_something_else_is_no_id(user_id):
    with pytest.raises(NotAnId):
        Users.get.call(user_id)


def test_ids_stand_in_the_order_of_the_path():
    path = "/users/{userId}/tsp/{tspId}"
    operation = next(each for each in operations() if each.path == path)
    assert operation.call("u1", 2).path == "/users/u1/tsp/2"


@pytest.mark.parametrize(
    "parts",
    [
        (),
        ("u1", "u2"),
        ("u1", NEW),
        ("u1", UserQuery()),
        ("u1", None),
        ("u1", {"login_type": "1"}),
        (b"u1",),
    ],
)
def test_call_with_other_parts_than_operation_takes_is_mistake(parts):
    with pytest.raises(TypeError, match=r"users\.get takes"):
        Users.get.call(*parts)


def test_a_body_that_is_missing_or_doubled_is_a_mistake():
    with pytest.raises(TypeError, match="takes a body: NewUser"):
        Users.create.call()
    with pytest.raises(TypeError, match="takes other models"):
        Users.create.call(NEW, NEW)


def test_query_is_optional_without_required_field():
    assert Users.list.call().parameters == {}
    assert Users.email_exists.call(EmailQuery(email="a")).parameters == {"email": "a"}
    with pytest.raises(TypeError, match="takes a query: EmailQuery"):
        Users.email_exists.call()


def test_a_query_travels_as_text_without_what_is_not_set():
    call = Users.delete.call("u1", UserRemoval(transfer_meeting=True, transfer_email=None))
    assert call.parameters == {"transfer_meeting": "true"}
    page = UserQuery(page_size=300, page_number=2)
    assert Users.list.call(page).parameters == {"page_size": "300", "page_number": "2"}


def test_calls_do_not_show_secrets():
    for call in (
        Users.create.call(NEW),
        Users.change_password.call("u1", PasswordChange(password="correct horse")),
    ):
        assert "12345678" not in repr(call)
        assert "correct horse" not in repr(call)


@every_operation
def test_an_operation_is_named_by_its_family(operation):
    family = next(each for each in FAMILIES if each.name == operation.family)
    assert getattr(family, operation.attribute) is operation


@every_operation
def test_the_effect_of_an_operation_fits_its_method(operation):
    # Issuing a token is asked for by a GET, and is no mere read.
    is_read = operation.method == "GET" and operation.name != "users.token"
    assert (operation.effect is Effect.READ) == is_read
    assert operation.effect is not Effect.DESTRUCTIVE or operation.method in {"DELETE", "PUT"}


@every_operation
def test_the_path_parameters_of_an_operation_are_told_apart(operation):
    names = operation.path_parameters
    assert len(set(names)) == len(names) == operation.path.count("{")
    assert re.fullmatch(r"(/[A-Za-z0-9_]+|/\{\w+\})+", operation.path)


@every_operation
def test_what_reads_state_before_write_is_read_of_same_object(operation):
    before = operation.before
    if before is not None:
        assert (before.effect, operation.method != "GET") == (Effect.READ, True)
        assert operation.path.startswith(before.path)
        assert before.ids == operation.ids[: len(before.ids)]
        assert before.call(*("1" for _ in before.ids)).query is None


@every_operation
def test_a_paged_operation_has_what_its_paging_needs(operation):
    paging = operation.pages
    assert (paging is not None) == isinstance(operation, PagedOperation)
    if paging is None or operation.query is None or operation.returns is None:
        assert paging is None
        return
    asked, data = dict(fields(operation.query)), dict(fields(operation.returns))
    assert {"page_size", paging.kind.value} <= set(asked)
    assert paging.records in data or hasattr(operation.returns, paging.records)
    assert paging.kind is PagingKind.BY_NUMBER or "next_page_token" in data
    assert set(paging.key) <= set(paging.item.model_fields)


@every_operation
def test_an_operation_is_equal_to_itself_after_pickling(operation):
    again = pickle.loads(pickle.dumps(operation))  # noqa: S301
    assert (again, again.name) == (operation, operation.name)


def test_no_two_operations_share_a_name_or_a_route():
    every = list(operations())
    assert len({operation.name for operation in every}) == len(every)
    routes = {(each.method, re.sub(r"\{\w+\}", "{}", each.path)) for each in every}
    assert len(routes) == len(every)


def test_a_picture_is_described_by_its_size_and_not_shown():
    picture = Picture(pic_file=b"\xff\xd8\xff" * 1000)
    assert picture.masked() == {"pic_file": "3000 bytes"}
    assert "ff" not in repr(picture)


def test_a_family_calls_through_the_caller_it_was_given():
    calls: list[Call[Any]] = []

    class Noting:
        def __call__(self, call: Call[Any]) -> Any:
            calls.append(call)

        def pages(self, call: Call[Any]) -> Any:
            calls.append(call)
            return iter(())

    Users(Noting()).update("u1", UserUpdate(dept="Ops"))
    assert list(Recordings(Noting()).of_user.all("u1", _january())) == []
    assert [call.operation.name for call in calls] == ["users.update", "recordings.of_user"]


def _january():
    query = Recordings.of_user.query
    assert query is not None
    return query.model_validate({"from": "2026-01-01", "to": "2026-01-31"})
