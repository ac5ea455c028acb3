"""Lists are walked to their end, each record once, whatever changes while they are read."""

from collections.abc import Callable
from datetime import date
from itertools import count

import pytest

from portal.client import Invalid, NotFound, ServerFault, Unexpected, page_at
from portal.contract.meetings import MeetingsQuery
from portal.contract.recordings import RecordingsQuery
from portal.contract.users import UserQuery, UserStatus
from tests.support.fault_server import Behaviour, Seen, answer, depending

Change = Callable[[list[str]], None]
JANUARY = RecordingsQuery(from_=date(2026, 1, 1), to=date(2026, 1, 31), page_size=2)


def numbered(ids, total, size=2):
    users = [{"id": each} for each in ids]
    return answer(200, {"users": users, "page_size": size, "total_records": total})


class People:
    """A list by number that changes before some of its pages are read."""

    def __init__(self, ids: str, changes: dict[int, Change] | None = None) -> None:
        self.ids = list(ids)
        self.changes = changes or {}
        self.read = 0

    def __call__(self, seen: Seen) -> Behaviour:
        self.read += 1
        if self.read in self.changes:
            self.changes[self.read](self.ids)
        size, number = int(seen.query["page_size"]), int(seen.query.get("page_number", 1))
        return numbered(self.ids[(number - 1) * size : number * size], len(self.ids), size)


def _walk(api):
    return [user.id for user in api.users.list.all(UserQuery(page_size=2))]


@pytest.mark.parametrize("ids", ["", "a", "ab", "abc", "abcd", "abcde"])
def test_every_record_of_a_list_comes_once(api, fault_server, ids):
    fault_server.always(depending(People(ids)))
    assert _walk(api) == list(ids)
    assert len(fault_server.requests) == max(1, (len(ids) + 1) // 2)


def test_pages_come_in_the_largest_size_unless_one_is_named(api, fault_server):
    fault_server.always(depending(People("abc")))
    query = UserQuery(status=UserStatus.PENDING)
    assert [user.id for user in api.users.list.all(query)] == ["a", "b", "c"]
    assert list(api.users.list.all()) == list(api.users.list.all(query))
    first = fault_server.requests[0].query
    assert (first["page_size"], first["status"]) == ("300", "pending")
    assert "page_size" not in query.model_fields_set


def test_a_walk_may_begin_in_the_middle(api, fault_server):
    fault_server.always(depending(People("abcdefg")))
    query = UserQuery(page_size=2, page_number=3)
    assert [user.id for user in api.users.list.all(query)] == ["e", "f", "g"]


def test_a_short_page_in_the_middle_is_not_the_end(api, fault_server):
    fault_server.then(
        numbered(["a", "b"], 5), numbered(["c"], 5), numbered(["d", "e"], 5), numbered([], 5)
    )
    assert _walk(api) == ["a", "b", "c", "d", "e"]


def test_smaller_pages_than_asked_for_are_read_to_end(api, fault_server):
    fault_server.then(numbered(["a"], 3, 1), numbered(["b"], 3, 1), numbered(["c"], 3, 1))
    assert _walk(api) == ["a", "b", "c"]


@pytest.mark.parametrize("total", [None, 0, -1, "many", True])
def test_without_true_total_walk_ends_at_first_empty_page(api, fault_server, total):
    pages = [["a", "b"], ["c", "d"], []]
    fault_server.then(*[numbered(ids, total) for ids in pages])
    assert _walk(api) == ["a", "b", "c", "d"]


@pytest.mark.parametrize("status", [400, 404])
def test_a_refused_page_beyond_the_end_is_the_end(api, fault_server, status):
    fault_server.then(numbered(["a", "b"], 1), answer(status, {"message": "No such page."}))
    assert _walk(api) == ["a", "b"]


@pytest.mark.parametrize(("status", "error"), [(400, Invalid), (404, NotFound), (500, ServerFault)])
def test_a_refused_page_before_the_end_is_an_error(api, fault_server, status, error):
    fault_server.then(numbered(["a", "b"], 4), answer(status, {"message": "No."}))
    walked = api.users.list.all(UserQuery(page_size=2))
    assert [next(walked).id, next(walked).id] == ["a", "b"]
    with pytest.raises(error):
        next(walked)


def test_a_list_that_shrinks_loses_no_record_of_those_that_stay(api, fault_server):
    """With `a` removed, `c` moves to the first page, which was read already."""
    people = People("abcdefg", {2: lambda ids: ids.remove("a")})
    fault_server.always(depending(people))
    found = _walk(api)
    assert sorted(found) == list("abcdefg")


def test_a_list_that_shrinks_to_the_page_that_was_read_ends(api, fault_server):
    def leave_two(ids):
        del ids[2:]

    fault_server.always(depending(People("abcd", {2: leave_two})))
    assert _walk(api) == ["a", "b"]


def test_a_list_that_grows_in_front_repeats_no_record(api, fault_server):
    people = People("abcde", {2: lambda ids: ids.insert(0, "new")})
    fault_server.always(depending(people))
    found = _walk(api)
    assert found == list("abcde")


def test_a_list_that_grows_at_its_end_is_read_to_the_new_end(api, fault_server):
    fault_server.always(depending(People("abcd", {2: lambda ids: ids.append("e")})))
    assert _walk(api) == list("abcde")


def test_a_list_that_never_holds_still_is_not_walked_for_ever(api, fault_server):
    shrinking = {read: (lambda ids: ids.pop(0)) for read in range(2, 100)}
    fault_server.always(depending(People("abcdefghijkl", shrinking)))
    found = _walk(api)
    assert len(found) == len(set(found))
    assert len(fault_server.requests) < 20


def test_a_service_that_sends_one_page_for_ever_is_left(api, fault_server):
    fault_server.always(numbered(["a", "b"], 1000))
    walked = api.users.list.all(UserQuery(page_size=2))
    assert [next(walked).id, next(walked).id] == ["a", "b"]
    with pytest.raises(Unexpected, match="repeats its pages without end"):
        next(walked)
    assert len(fault_server.requests) < 10


def test_meetings_that_recur_under_one_number_are_told_apart(api, fault_server):
    at = [{"id": 7, "uuid": "", "start_time": f"2026-01-0{day}T09:00:00Z"} for day in (1, 2)]
    fault_server.then(answer(200, {"meetings": at, "total_records": 2}))
    assert len(list(api.meetings.of_user.all("u1", MeetingsQuery()))) == 2


def recorded(uuids, token=""):
    meetings = [{"uuid": each, "id": 7} for each in uuids]
    return answer(200, {"meetings": meetings, "next_page_token": token})


EXPIRED = answer(400, {"errors": [{"field": "next_page_token", "message": "It has expired."}]})


def _walk_recordings(api, query=JANUARY):
    return [meeting.uuid for meeting in api.recordings.of_user.all("u1", query)]


def _tokens(fault_server):
    return [seen.query.get("next_page_token") for seen in fault_server.requests]


def test_every_record_of_a_list_by_token_comes_once(api, fault_server):
    fault_server.then(recorded("ab", "t1"), recorded("cd", "t2"), recorded("e"))
    assert _walk_recordings(api) == list("abcde")
    assert _tokens(fault_server) == [None, "t1", "t2"]
    assert all(seen.query["from"] == "2026-01-01" for seen in fault_server.requests)


def test_short_and_empty_pages_with_a_token_are_not_the_end(api, fault_server):
    fault_server.then(recorded("a", "t1"), recorded("", "t2"), recorded("", "t3"), recorded("bc"))
    assert _walk_recordings(api) == ["a", "b", "c"]


def test_expired_token_restarts_list_without_repeats(api, fault_server):
    fault_server.then(recorded("ab", "t1"), recorded("cd", "t2"), EXPIRED)
    fault_server.then(recorded("ab", "t3"), recorded("cd", "t4"), recorded("ef", "t5"), EXPIRED)
    fault_server.then(*[recorded("ab", "t6"), recorded("cd", "t7"), recorded("ef", "t8")])
    fault_server.then(recorded("g"))
    assert _walk_recordings(api) == list("abcdefg")
    assert _tokens(fault_server) == [
        None,
        "t1",
        "t2",
        None,
        "t3",
        "t4",
        "t5",
        None,
        "t6",
        "t7",
        "t8",
    ]


def test_records_that_come_first_after_a_new_start_are_not_lost(api, fault_server):
    fault_server.then(recorded("ab", "t1"), EXPIRED, recorded("xa", "t2"), recorded("bc"))
    assert _walk_recordings(api) == ["a", "b", "x", "c"]


def test_a_list_whose_token_is_always_refused_is_given_up(api, fault_server):
    fault_server.then(recorded("ab", "t1"), EXPIRED, recorded("ab", "t2"), EXPIRED)
    with pytest.raises(Invalid):
        _walk_recordings(api)
    assert len(fault_server.requests) == 4


def test_a_refusal_of_the_first_page_is_an_error(api, fault_server):
    fault_server.then(answer(400, {"message": "The range is too long."}))
    with pytest.raises(Invalid):
        _walk_recordings(api)
    assert len(fault_server.requests) == 1


@pytest.mark.parametrize("tokens", [["t1", "t1"], ["t1", "t2", "t1"]])
def test_a_token_that_comes_again_is_no_end_but_an_error(api, fault_server, tokens):
    fault_server.then(*[recorded("abc"[at], token) for at, token in enumerate(tokens)])
    with pytest.raises(Unexpected, match="without end"):
        _walk_recordings(api)


def test_new_tokens_for_old_records_without_end_are_left(api, fault_server):
    tokens = (f"t{number}" for number in count())
    fault_server.always(depending(lambda _: recorded("ab", next(tokens))))
    with pytest.raises(Unexpected, match="without end"):
        _walk_recordings(api)
    assert len(fault_server.requests) < 10


def test_records_without_a_name_are_told_apart_by_their_whole(api, fault_server):
    """Two that are the same in all are two, and after a new start still two."""
    same, other = {"topic": "Standup"}, {"topic": "Review"}
    fault_server.then(
        answer(200, {"meetings": [same, same], "next_page_token": "t1"}),
        EXPIRED,
        answer(200, {"meetings": [same, same], "next_page_token": "t2"}),
        answer(200, {"meetings": [other, same]}),
    )
    topics = [meeting.topic for meeting in api.recordings.of_user.all("u1", JANUARY)]
    assert topics == ["Standup", "Standup", "Review", "Standup"]


def test_an_operation_without_pages_cannot_be_walked(api):
    call = type(api.users).get.call("u1")
    with pytest.raises(TypeError, match=r"users\.get is not paged"):
        api.caller.pages(call)


def as_today(ids, *, number):
    """A list whose pages go by tokens, whatever number is asked for."""

    def choose(seen):
        size, start = int(seen.query["page_size"]), int(seen.query.get("next_page_token") or 0)
        here, end = ids[start : start + size], start + size
        page = {"users": [{"id": each} for each in here], "total_records": len(ids)}
        own = {} if number is None else {"page_number": number}
        return answer(200, {**page, **own, "next_page_token": str(end) if end < len(ids) else ""})

    return depending(choose)


@pytest.mark.parametrize("number", [None, 1])
@pytest.mark.parametrize("ids", ["a", "ab", "abc", "abcde"])
def test_a_service_that_ignores_page_numbers_is_read_by_token(api, fault_server, ids, number):
    fault_server.always(as_today(ids, number=number))
    assert _walk(api) == list(ids)
    first_again = len(ids) > 2 and number is not None
    assert len(fault_server.requests) == -(-len(ids) // 2) + first_again


@pytest.mark.parametrize("number", [None, 1])
def test_one_page_of_a_list_by_token_is_that_page(api, fault_server, number):
    fault_server.always(as_today("abcde", number=number))
    for asked, ids in ((1, "ab"), (2, "cd"), (3, "e"), (4, "e")):
        query = UserQuery(page_size=2, page_number=asked)
        page = page_at(api.caller, api.users.list.operation.call(query))
        assert "".join(user.id for user in page.users) == ids
