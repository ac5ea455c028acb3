"""Lists are read side by side and checked, and only new data is written."""

import threading
from dataclasses import replace
from itertools import chain
from typing import Any

import pytest

from portal.contract.users import User, UserStatus
from portal.directory import users as mirror
from portal.directory.models import MirroredUser
from portal.directory.users import USERS, UserFilter
from portal.mirror import rows
from portal.mirror.models import MirrorState
from portal.mirror.refresh import refresh
from tests.support.fault_server import answer, depending
from tests.support.mirror_services import ACTIVE, page_of, people_list, person
from tests.support.portal import admin_client_for
from tests.support.scopes import whole

pytestmark = pytest.mark.django_db
PEOPLE = [person(number) for number in range(1000)]


def _ids(connection):
    return set(mirror.find(whole(connection), UserFilter()).values_list("user_id", flat=True))


def _ids_in(people):
    return {one["id"] for one in people}


def _read(connection):
    state = USERS.request(connection)
    assert refresh(state.pk)
    state.refresh_from_db()
    return state


def test_pages_are_fetched_side_by_side(faulty, fault_server):
    met = threading.Barrier(3)

    def choose(seen):
        if seen.query["status"] == ACTIVE and seen.query["page_number"] in {"2", "3", "4"}:
            met.wait(20)  # each of them answers only when all three were asked for
        return answer(200, page_of(PEOPLE, seen))

    fault_server.always(depending(choose))
    assert not _read(faulty).failure
    assert _ids(faulty) == _ids_in(PEOPLE)


def test_a_service_that_keeps_pages_smaller_is_read_whole(faulty, fault_server):
    fault_server.always(people_list(PEOPLE[:100], size=30))
    assert not _read(faulty).failure
    assert _ids(faulty) == _ids_in(PEOPLE[:100])


def test_a_list_without_a_total_is_walked_to_its_end(faulty, fault_server):
    def choose(seen):
        page = page_of(PEOPLE[:700], seen)
        del page["total_records"]
        return answer(200, page)

    fault_server.always(depending(choose))
    assert not _read(faulty).failure
    assert _ids(faulty) == _ids_in(PEOPLE[:700])


def _changing(fault_server, changes):
    """Somebody leaves each time before page 3 is read, so often; those who are left at the end."""
    left = list(PEOPLE)
    lock = threading.Lock()

    def choose(seen):
        nonlocal changes
        with lock:
            if seen.query["status"] == ACTIVE and seen.query["page_number"] == "3" and changes:
                changes -= 1
                left.pop(0)
            return answer(200, page_of(left, seen))

    fault_server.always(depending(choose))
    return left


def test_a_list_that_changes_while_it_is_read_is_read_again(faulty, fault_server):
    left = _changing(fault_server, changes=1)
    assert not _read(faulty).failure
    assert len(left) == len(PEOPLE) - 1
    assert _ids(faulty) == _ids_in(left)


def test_list_that_never_holds_still_keeps_old_copy_and_says_so(faulty, fault_server):
    fault_server.always(people_list(PEOPLE))
    as_of = _read(faulty).refreshed_at
    _changing(fault_server, changes=100)
    state = _read(faulty)
    assert "kept changing" in state.failure
    assert state.refreshed_at == as_of
    assert _ids(faulty) == _ids_in(PEOPLE)


def test_the_same_person_on_two_pages_is_noticed(faulty, fault_server):
    fault_server.always(people_list([*PEOPLE[:400], PEOPLE[0]]))
    assert "kept changing" in _read(faulty).failure


def _of_statuses(lists):
    def choose(seen):
        return answer(200, page_of(lists.get(seen.query["status"], []), as_active(seen)))

    return depending(choose)


def as_active(seen):
    """Returns the same for active people, which the fake service lists."""
    status = seen.query["status"]
    return replace(seen, target=seen.target.replace(f"status={status}", f"status={ACTIVE}"))


def test_people_without_id_cost_no_list_and_are_named_or_counted(faulty, fault_server):
    pending = [{"email": "new@example.com", "type": 1}, {"first_name": "Nobody"}]
    fault_server.always(_of_statuses({ACTIVE: PEOPLE[:3], "pending": pending}))
    state = _read(faulty)
    assert not state.failure
    assert _ids(faulty) == {*_ids_in(PEOPLE[:3]), "new@example.com"}
    assert state.notes_in_words == (
        "People: 1 unreadable, so missing from lists, selections and files. The service reports "
        "no id."
    )
    page = admin_client_for(faulty.owner).get(f"/c/{faulty.key}/people/")
    assert state.notes in page.text


def test_records_of_another_kind_leave_the_copy_as_it_was(faulty, fault_server):
    fault_server.always(people_list(PEOPLE[:3]))
    _read(faulty)
    fault_server.always(people_list([{"name": "a"}, {"name": "b"}]))
    assert _read(faulty).failure
    assert _ids(faulty) == _ids_in(PEOPLE[:3])


def test_who_had_no_id_goes_by_the_own_one_once_it_is_known(faulty, fault_server):
    fault_server.always(_of_statuses({"pending": [{"email": "new@example.com"}]}))
    _read(faulty)
    mirror.put(faulty, User(id="u7", email="new@example.com"))
    found = mirror.find(whole(faulty), UserFilter()).values_list("user_id", "status")
    assert list(found) == [("u7", "pending")]


def test_people_under_several_statuses_are_kept_by_the_first(faulty, fault_server):
    fault_server.always(_of_statuses(dict.fromkeys(UserStatus, PEOPLE[:3])))
    state = _read(faulty)
    assert not state.failure
    assert mirror.counts_by_status(whole(faulty)) == {ACTIVE: 3}
    assert state.notes_in_words.startswith("3 people are listed under several statuses")


@pytest.mark.parametrize("number", [None, 1])
def test_a_list_by_tokens_is_walked_by_token_whatever_its_number(faulty, fault_server, number):
    def choose(seen):
        start = int(seen.query.get("next_page_token") or 0)
        data: list[Any] = PEOPLE[:700] if seen.query["status"] == ACTIVE else []
        token = str(start + 300) if start + 300 < len(data) else ""
        here = [*data[start : start + 299], 7] if token else data[start:]
        own = {} if number is None else {"page_number": number}
        page = {"users": here, "total_records": len(data), "next_page_token": token}
        return answer(200, page | own)

    fault_server.always(depending(choose))
    state = _read(faulty)
    assert not state.failure
    assert state.notes.startswith("People: 2 unreadable")
    assert _ids(faulty) == _ids_in(PEOPLE[:700]) - {"u299", "u599"}
    asked = [seen.query for seen in fault_server.requests if "next_page_token" in seen.query]
    assert [each["next_page_token"] for each in asked] == ["300", "600"]
    assert not any("page_number" in each for each in asked)


def test_only_what_changed_is_written_and_in_small_transactions(faulty, fault_server, monkeypatch):
    written: list[list[str]] = []
    write = rows._write
    monkeypatch.setattr(
        rows,
        "_write",
        lambda news: (written.append([row.user_id for row in news]), write(news)),
    )
    people = [dict(one) for one in PEOPLE]
    fault_server.always(people_list(people))
    _read(faulty)
    assert sum(map(len, written)) == 1000
    assert max(map(len, written)) <= 300
    keys = dict(MirroredUser.objects.values_list("user_id", "pk"))

    written.clear()
    _read(faulty)
    assert written == []

    people[500]["dept"] = "Physics"
    people[7]["group_ids"] = ["g1"]
    _read(faulty)
    assert sorted(chain.from_iterable(written)) == ["u500", "u7"]
    assert dict(MirroredUser.objects.values_list("user_id", "pk")) == keys
    assert set(mirror.find(whole(faulty), UserFilter(groups=["g1"])).values_list("user_id")) == {
        ("u7",)
    }


def test_a_refresh_that_was_taken_over_writes_nothing_more(faulty, fault_server):
    fault_server.always(people_list(PEOPLE))
    store = rows.store

    def store_and_lose(state, *arguments):
        count = store(state, *arguments)
        MirrorState.objects.update(lease="00000000-0000-0000-0000-000000000001")
        return count

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rows, "store", store_and_lose)
        assert not refresh(USERS.request(faulty).pk)
    assert _ids(faulty) == _ids_in(PEOPLE[:300])
