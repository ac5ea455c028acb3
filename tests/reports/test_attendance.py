"""Attendance: each person once, with the time that they were there, none of it counted twice."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, strategies as st

from portal.reports.services.attendance import (
    AttendanceStay,
    merged,
    present,
    stay_of,
)
from portal.reports.services.registration import SessionRegistrant, with_registration

START = datetime(2026, 3, 29, 0, 30, tzinfo=UTC)


def stay(begin, end, name="Ann", email="", **more):
    joined = START + timedelta(minutes=begin)
    left = None if end is None else START + timedelta(minutes=end)
    known = {"id": f"{name}{begin}", "user_id": f"{name}{begin}", **more}
    seconds = None if end is None else (end - begin) * 60
    return AttendanceStay(known["id"], known["user_id"], name, email, joined, left, seconds, "")


def test_rejoining_is_one_person_with_the_sum_of_minutes():
    [ann] = merged([stay(0, 10, email="a@b.c"), stay(20, 25, "Ann B", email="A@b.c")])
    assert (ann.minutes, ann.stays, ann.name) == (15, 2, "Ann B")
    assert (ann.first, ann.last) == (START, START + timedelta(minutes=25))


def test_two_devices_at_once_count_once():
    [ann] = merged([stay(0, 30, email="a@b.c"), stay(10, 40, email="a@b.c")])
    assert ann.minutes == 40


def test_people_go_by_id_and_guests_by_name():
    stays = [
        stay(0, 5, "Ann", user_id="u1"),
        stay(6, 9, "Ann at home", user_id="u1"),
        stay(0, 5, "Gail"),
        stay(7, 9, "gail"),
    ]
    assert sorted((one.known_by, one.minutes) for one in merged(stays)) == [
        ("account", 8),
        ("name", 7),
    ]


def _of_ann(begin, shape, who="ann"):
    """A stay of five minutes of a participant called Ann, as a service of the shape reports it."""
    once = str(16778240 + begin)
    of_shape = {
        "id and number": {"id": who, "user_id": once},
        "number and id": {"id": f"stay {begin}", "user_id": who},
        "id alone": {"id": who, "user_id": ""},
        "number of a guest": {"id": "", "user_id": once},
        "id of the stay": {},
        "email": {"id": "", "user_id": "", "email": f"{who}@b.c"},
        "name": {"id": "", "user_id": ""},
    }[shape]
    return stay(begin, begin + 5, **of_shape)


SAME_AT_ONCE = ("id and number", "number and id", "id alone", "email")
BY_NAME = ("number of a guest", "id of the stay", "name")


@pytest.mark.parametrize("shape", [*SAME_AT_ONCE, *BY_NAME])
def test_person_of_any_shape_is_one_who_came_again(shape):
    [ann] = merged([_of_ann(0, shape), _of_ann(20, shape), _of_ann(40, shape)])
    assert (ann.stays, ann.minutes) == (3, 15)


@pytest.mark.parametrize("shape", SAME_AT_ONCE)
def test_person_known_by_more_than_a_name_counts_once(shape):
    same = [_of_ann(0, shape), _of_ann(3, shape)]
    assert [one.minutes for one in merged(same)] == [8]
    others = [*same, _of_ann(10, shape, "other")]
    assert sorted(one.stays for one in merged(others)) == [1, 2]


@pytest.mark.parametrize("shape", BY_NAME)
def test_devices_of_one_name_at_once_stay_apart(shape):
    stays = [_of_ann(0, shape), _of_ann(3, shape)]
    assert [one.minutes for one in merged(stays)] == [5, 5]
    assert present(stays, [START + timedelta(minutes=4)]) == [2]


def test_ids_that_join_over_a_third_stay_are_one_person():
    stays = [
        stay(0, 5, "Ann", id="a", user_id="1"),
        stay(6, 9, "Ann at home", "ann@b.c", id="b", user_id="2"),
        stay(10, 12, "A", "ANN@b.c", id="a", user_id="3"),
    ]
    [ann] = merged(stays)
    assert (ann.known_by, ann.minutes, ann.user_id) == ("email", 10, "a")


def test_somebody_without_email_in_one_stay_is_the_same_person():
    stays = [stay(0, 5, email="a@b.c", user_id="u1"), stay(6, 9, user_id="u1")]
    assert len(merged(stays)) == 1


def test_whoever_left_before_the_end_left_early():
    end = START + timedelta(minutes=60)
    found = merged([stay(0, 60, "Ann"), stay(0, 54, "Ben"), stay(0, 55, "Cid")], end)
    assert {one.name: one.left_early for one in found} == {"Ann": False, "Ben": True, "Cid": False}


def test_registrants_who_did_not_come_are_listed():
    people = merged([stay(0, 5, email="a@b.c"), stay(0, 5, "Ben", email="ben@b.c")])
    registrants = [SessionRegistrant("Ann", "A@B.C"), SessionRegistrant("Cid", "c@b.c")]
    found = with_registration(people, registrants, [("Ben", "ben@b.c")])
    assert {one.email: (one.registered, one.came, one.answered, one.minutes) for one in found} == {
        "a@b.c": (True, True, False, 5),
        "ben@b.c": (False, True, True, 5),
        "c@b.c": (True, False, False, 0),
    }


def test_what_is_not_reported_is_unknown():
    [one] = merged([stay_of({"name": "Ann", "join_time": "soon", "duration": -4})])
    assert (one.first, one.last) == (None, None)
    [other] = merged([stay_of({"name": "Ann", "join_time": "2026-03-29T00:30:00Z"})])
    assert other.minutes == 0


@given(st.lists(st.tuples(st.integers(0, 300), st.integers(0, 120)), min_size=1, max_size=12))
def test_minutes_are_those_in_which_somebody_was_there(times):
    stays = [stay(begin, begin + length, email="a@b.c") for begin, length in times]
    [ann] = merged(stays)
    minutes = {at for begin, length in times for at in range(begin, begin + length)}
    assert ann.minutes == len(minutes)
    moments = [START + timedelta(minutes=at) for at in range(0, 430, 7)]
    expected = [int(at in minutes) for at in range(0, 430, 7)]
    assert present(stays, moments) == expected
