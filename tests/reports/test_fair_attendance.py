"""Attendance is fair: nobody stands twice, nobody stands for two, who only waited did not come."""

from datetime import UTC, datetime, timedelta
from itertools import count

import pytest
from django.conf import settings

from portal.reports.services.attendance import merged, only_waited, present, stay_of
from portal.reports.services.registration import SessionRegistrant, with_registration
from tests.reports.pages import address, table_of, words_of
from tests.support.fault_server import answer, depending

START = datetime(2026, 11, 20, 9, tzinfo=UTC)
WAITS = {"status": "in_waiting_room"}
_numbers = count(16_778_240, 1024)


def row(name, begin, end, email="", **more):
    """A participant as a service of today reports one, from minute to minute."""
    left = {} if end is None else {"leave_time": f"{START + timedelta(minutes=end):%FT%TZ}"}
    return {
        "id": "",
        "user_id": str(next(_numbers)),
        "name": name,
        "user_email": email,
        "join_time": f"{START + timedelta(minutes=begin):%FT%TZ}",
        "leave_time": "",
        "duration": int(((end or begin) - begin) * 60),
        "status": "in_meeting",
        **left,
        **more,
    }


def minutes_of(*rows):
    return sorted((one.name, one.minutes) for one in merged(map(stay_of, rows)))


def test_time_in_the_waiting_room_is_no_attendance():
    rows = [
        row("Bob", 0, 10, **WAITS),
        row("Bob", 10, 39),
        row("Never", 5, 35, **WAITS),
        row("iPhone", 5, 35, **WAITS),
    ]
    stays = [stay_of(one) for one in rows]
    [bob] = merged(stays, START + timedelta(minutes=39))
    assert (bob.name, bob.minutes, bob.stays, bob.left_early) == ("Bob", 29, 1, False)
    assert bob.first == START + timedelta(minutes=10)
    assert only_waited(stays) == 2
    assert present(stays, [START + timedelta(minutes=at) for at in (5, 20)]) == [0, 1]


def test_who_waits_again_attends_for_the_time_admitted():
    by_email = "bob@client.example"
    for email in ("", by_email):
        rows = [
            row("Bob", 0, 5, email, **WAITS),
            row("Bob", 5, 15, email),
            row("Bob", 15, 20, email, status="In Waiting Room"),
            row("Bob", 20, 40, email),
            row("Bob", 30, None, email, **WAITS),
        ]
        stays = [stay_of(one) for one in rows]
        [bob] = merged(stays)
        assert (bob.minutes, bob.stays, only_waited(stays)) == (30, 2, 0)


@pytest.mark.parametrize("more", [{}, {"registrant_id": "r1"}, {"id": "r1"}])
def test_two_people_on_one_link_stay_two(more):
    link = "family@client.example"
    rows = [row("Anna Shared", 0, 20, link, **more), row("Ben Shared", 0, 20, link, **more)]
    assert minutes_of(*rows) == [("Anna Shared", 20), ("Ben Shared", 20)]
    rows += [row("Ben", 25, 30, link, **more), row("iPad", 22, 30, link, **more)]
    people = minutes_of(*rows)
    assert [name for name, _minutes in people] == ["Anna Shared", "Ben Shared"]
    assert sum(minutes for _name, minutes in people) == 20 + 20 + 5 + 8


@pytest.mark.parametrize(
    "second", ["Ada Host", "ADA HOST", "iPhone", "Ada's iPad", "Host, Ada", ""]
)
def test_devices_of_one_person_are_one(second):
    rows = [row("Ada Host", 0, 30, "ada@b.c"), row(second, 10, 40, " Ada@B.C")]
    [ada] = merged(map(stay_of, rows))
    assert (sorted(ada.name.upper().replace(",", "").split()), ada.minutes) == (["ADA", "HOST"], 40)


def test_connection_that_lingers_is_that_of_who_came_back():
    assert minutes_of(row("Tim", 0, 20 / 60), row("Tim", 10 / 60, 19)) == [("Tim", 19)]
    assert minutes_of(row("Tim", 0, 11), row(" tim", 10, 19)) == [("tim", 19)]
    assert minutes_of(row("Tim", 0, 19), row("Tim", 5, 15)) == [("Tim", 10), ("Tim", 19)]


@pytest.mark.parametrize(
    "name",
    [
        "Zoom user",
        "zoom  USER 2",
        "iPhone",
        "iPhone 14 Pro Max",
        "Galaxy S21",
        "SM-G991B (Samsung)",
        "DESKTOP-AB12CD",
        "+1201555****",
        "+49***1234",
        "1 (201) 555-xxxx",
        "Call-in user_3",
        "Gast",
        "ゲスト",
        "Пользователь Zoom",
        "A***",
        "",
    ],
)
def test_placeholder_is_never_one_person(name):
    stays = [stay_of(row(name, 0, 5)), stay_of(row(name, 6, 17))]
    assert [one.known_by for one in merged(stays)] == ["connection", "connection"]
    registered = [SessionRegistrant(name, "a@b.c")]
    people = with_registration(merged(stays), registered, [])
    assert [one.registered for one in people] == [None, None, True]


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ("Kim (she/her)", "kim  (She/Her) "),
        ("Jürgen Groß", "JU\u0308RGEN GROSS"),
        ("山田 太郎", "山田\u3000太郎"),
        ("+49 30 1234567", "+49 30 1234567"),
        ("ΟΔΥΣΣΕΑΣ", "Οδυσσέας".replace("έ", "ε")),
        ("Maria\u200b Lopez", "Maria Lopez"),
    ],
)
def test_name_that_is_written_otherwise_is_the_same(first, again):
    [one] = merged([stay_of(row(first, 0, 7)), stay_of(row(again, 8, 19))])
    assert (one.known_by, one.minutes) == ("name", 18)


def test_guest_by_the_name_of_one_with_an_email_is_that_one():
    ada = row("Ada", 0, 10, "ada@b.c")
    assert minutes_of(ada, row("Ada", 12, 20)) == [("Ada", 18)]
    others = [ada, row("Ada", 0, 10, "ada@x.y"), row("Ada", 12, 20)]
    assert len(minutes_of(*others)) == 3


def test_breakout_rooms_and_a_missing_end_count_once():
    grace = row("Grace", 0, 27)
    room = {**row("Grace", 8, 18), "user_id": grace["user_id"], "bo_mtg_id": "x1"}
    assert minutes_of(grace, room) == [("Grace", 27)]
    assert minutes_of(row("No Leave", 0, None, duration=600)) == [("No Leave", 10)]


def _compared(rows, *registrants, answers=()):
    people = with_registration(merged(map(stay_of, rows)), registrants, answers)
    return [(one.name, one.registered, one.came, one.known_by) for one in people]


EVE = SessionRegistrant("Eve Guest", "eve@client.example", "r1")


@pytest.mark.parametrize(
    "name",
    ["Eve Guest", "EVE  GUEST", "Guest Eve", "guest, eve", "Éve Guest", "Eve Guest (she/her)"],
)
def test_name_of_one_registrant_alone_is_compared_without_email(name):
    assert _compared([row(name, 0, 50)], EVE) == [(name, True, True, "name")]


@pytest.mark.parametrize(
    ("registered", "name"),
    [
        ("太郎 山田", "山田 太郎"),
        ("太郎 山田", "山田太郎"),
        ("Đức Nguyễn", "nguyen duc"),
        ("İrem I\u015f\u0131l", "IREM ISIL"),
    ],
)
def test_name_of_a_registrant_is_found_in_any_script(registered, name):
    [found] = _compared([row(name, 0, 5)], SessionRegistrant(registered, "a@b.c"))
    assert found[1:] == (True, True, "name")


def test_registration_goes_before_email_and_name():
    max_ = SessionRegistrant("Max", "max@b.c", "r2")
    rows = [
        row("X", 0, 5, registrant_id="r1"),
        row("Y", 0, 5, "MAX@B.C"),
        row("Zed", 0, 5, "z@b.c"),
    ]
    assert sorted(_compared(rows, EVE, max_)) == [
        ("X", True, True, "registration"),
        ("Y", True, True, "email"),
        ("Zed", False, True, "email"),
    ]


def test_name_that_was_registered_twice_is_not_compared():
    twice = [SessionRegistrant("Max Muster", "m1@b.c"), SessionRegistrant("max muster", "m2@b.c")]
    assert _compared([row("Max Muster", 0, 5)], *twice) == [
        ("Max Muster", None, True, "uncompared"),
        ("Max Muster", True, None, "uncompared"),
        ("max muster", True, None, "uncompared"),
    ]
    devices = [row("Max Muster", 0, 5, "m1@b.c"), row("Max Muster", 0, 5)]
    assert [one[1] for one in _compared(devices, twice[0])] == [True, True]


def test_answers_of_who_has_no_email_are_theirs():
    people = merged([stay_of(row("Eve Guest", 0, 5)), stay_of(row("iPhone", 0, 5))])
    answers = [("Eve Guest", "EVE@client.example"), ("iPhone", "")]
    found = with_registration(people, [EVE], answers)
    assert {one.name: one.answered for one in found} == {"Eve Guest": True, "iPhone": False}


@pytest.mark.django_db
class TestPagesAndFiles:
    """Page and file of a session that a service of today reports."""

    @pytest.fixture
    def serve(self, fault_server):
        def serve(rows, registrants=()):
            def service(seen):
                if seen.path.endswith("/participants"):
                    return answer(200, {"participants": rows, "total_records": len(rows)})
                if "registrants" in seen.path:
                    page = {"registrants": list(registrants), "total_records": len(registrants)}
                    return answer(200, page)
                if seen.path.endswith(("/polls", "/qa")):
                    return answer(200, {"questions": []})
                about = {"uuid": "u", "id": 5, "topic": "T", "start_time": f"{START:%FT%TZ}"}
                return answer(200, {**about, "participants_count": len(rows)})

            fault_server.always(depending(service))

        return serve

    def test_who_only_waited_is_not_there(self, client, faulty, serve):
        rows = [
            row("Bob Wait", 0, 10, **WAITS),
            row("Bob Wait", 10, 39),
            row("Never", 4, 34, **WAITS),
        ]
        serve(rows)
        text = words_of(client, address(faulty, "meeting", "u"))
        assert "1 person was in the waiting room only" in text
        assert "Never" not in text
        [bob] = table_of(client, address(faulty, "meeting-export", "u", "csv", columns="all"))
        assert (bob["Minutes"], bob["Times joined"], bob["Recognised by"]) == ("29", "1", "Name")
        stays = table_of(client, address(faulty, "meeting-participants-export", "u", "csv"))
        assert [one["Status"] for one in stays].count("In the waiting room") == 2
        assert "In the waiting room" in words_of(
            client, address(faulty, "meeting-participants", "u")
        )

    def test_registrants_stand_once_or_are_not_compared(self, client, faulty, serve):
        registrants = [
            {"id": "r1", "email": "eve@client.example", "first_name": "Eve", "last_name": "Guest"},
            {"id": "r2", "email": "max@client.example", "first_name": "Max", "last_name": "Muster"},
        ]
        serve([row("Eve Guest", 0, 50), row("iPhone", 1, 51)], registrants)
        text = words_of(client, address(faulty, "webinar", "u"))
        assert "Registered and came 1" in text
        assert "1 person who came is not compared" in text
        rows = table_of(client, address(faulty, "webinar-export", "u", "csv", columns="all"))
        assert sorted((one["Name"], one["Came"], one["Recognised by"]) for one in rows) == [
            ("Eve Guest", "Yes", "Name"),
            ("Max Muster", "No", "Email"),
            ("iPhone", "Yes", "Not compared"),
        ]
        client.cookies[settings.LANGUAGE_COOKIE_NAME] = "de"
        german = table_of(client, address(faulty, "webinar-export", "u", "csv", columns="all"))
        assert "Nicht verglichen" in {value for one in german for value in one.values()}

    def test_guests_without_ids_who_join_at_once_are_listed(self, client, faulty, serve):
        serve([row(name, 0, 9, user_id="") for name in ("Ann", "Ben")])
        rows = table_of(client, address(faulty, "meeting-export", "u", "csv"))
        assert {one["Name"] for one in rows} == {"Ann", "Ben"}
