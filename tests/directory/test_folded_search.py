"""Lists of the mirror are searched without accents, also where they were stored before that."""

import pytest
from django.apps import apps

from portal.contract.users import User
from portal.directory import users
from portal.directory.models import MirroredUser
from portal.directory.users import UserFilter
from portal.mirror.migration_operations import fold_stored
from tests.support.scopes import whole

pytestmark = pytest.mark.django_db


def found(connection, search):
    people = users.find(whole(connection), UserFilter(search=search))
    return list(people.values_list("user_id", flat=True))


def test_person_is_found_without_accents_and_apostrophes(connection):
    users.put(connection, User(id="u1", first_name="Jörg", last_name="O'Donoghue", email="j@a.de"))
    for typed in ("jorg", "JÖRG", "o\u2019don", "o'don jörg"):
        assert found(connection, typed) == ["u1"]
    assert found(connection, "georg") == []


def test_german_letters_are_found_written_out_and_back(connection):
    names = {
        "u1": "Müller",
        "u2": "Mueller",
        "u3": "Größe",
        "u4": "Bauer",
        "u5": "Baur",
        "u6": "Sue",
    }
    for user_id, name in names.items():
        users.put(connection, User(id=user_id, first_name=name, email=f"{user_id}@a.de"))
    for typed in ("mueller", "MÜLLER", "mu\u0308ller"):
        assert sorted(found(connection, typed)) == ["u1", "u2"]
    for typed in ("groesse", "größe", "grosse"):
        assert found(connection, typed) == ["u3"]
    assert (found(connection, "bauer"), found(connection, "sue")) == (["u4"], ["u6"])


def test_rows_of_earlier_releases_are_folded_once(connection):
    users.put(connection, User(id="u1", first_name="Jörg", email="j@a.de"))
    MirroredUser.objects.filter(user_id="u1").update(search="jörg j@a.de")
    assert found(connection, "jörg") == []
    fold_stored("directory.MirroredUser", "search").code(apps, None)
    assert found(connection, "jörg") == ["u1"]
