"""A form that creates something is carried out once, however often it is sent."""

import threading

import pytest
from allauth.core.exceptions import ReauthenticationRequired
from django.core.exceptions import PermissionDenied
from django.db import connection

from portal.access.models import User
from portal.client import Conflict, ServerFault
from portal.contract.users import Users
from portal.ui.idempotency import attempt, new_key, send
from portal.ui.models import SentForm


@pytest.fixture
def user(db):
    return User.objects.create_user("sender@example.com")


def test_the_first_to_send_a_form_carries_it_out(user):
    assert send(user, new_key()).earlier is None


def test_a_second_sending_learns_what_came_of_the_first(user):
    idempotency_key = new_key()
    send(user, idempotency_key).done("u-1")
    again = send(user, idempotency_key)
    assert again.earlier is not None
    assert (again.earlier.state, again.earlier.result) == (SentForm.State.DONE, "u-1")


def test_a_form_of_which_nothing_came_can_be_sent_again(user):
    idempotency_key = new_key()
    send(user, idempotency_key).undone()
    assert send(user, idempotency_key).earlier is None


def test_form_whose_outcome_is_unknown_is_not_carried_out_again(user):
    idempotency_key = new_key()
    send(user, idempotency_key).unknown()
    assert send(user, idempotency_key).earlier.state == SentForm.State.UNKNOWN


def test_form_that_is_still_being_sent_is_not_carried_out_again(user):
    idempotency_key = new_key()
    send(user, idempotency_key)
    assert send(user, idempotency_key, timeout=0).earlier.state == SentForm.State.SENDING


def test_somebody_elses_key_is_another_form(user):
    idempotency_key = new_key()
    send(user, idempotency_key).done("u-1")
    other = User.objects.create_user("other@example.com")
    assert send(other, idempotency_key).earlier is None


def test_a_form_without_a_key_is_carried_out(user):
    assert send(user, "").earlier is None
    assert send(user, "").earlier is None


def _failing_with(user, error, **how):
    """The state of a form after an attempt that raised this; `None` if it may be sent again."""
    idempotency_key = new_key()
    with pytest.raises(type(error)), attempt(user, idempotency_key, **how):
        raise error
    return SentForm.objects.filter(ticket=idempotency_key).values_list("state", flat=True).first()


@pytest.mark.parametrize(
    "error",
    [
        Conflict(Users.create, "taken", status=409),
        PermissionDenied(),
        ReauthenticationRequired(),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_attempt_that_was_refused_may_be_made_again(user, error):
    assert _failing_with(user, error) is None


@pytest.mark.parametrize(
    "error",
    [ServerFault(Users.create, "no answer", status=502), KeyError("id")],
    ids=lambda error: type(error).__name__,
)
def test_attempt_that_may_have_reached_service_is_not_made_again(user, error):
    assert _failing_with(user, error) == SentForm.State.UNKNOWN


def test_attempt_that_does_not_reach_service_may_be_made_again(user):
    assert _failing_with(user, KeyError("id"), reaches_service=False) is None


def test_attempt_that_says_nothing_of_its_end_may_be_made_again(user):
    idempotency_key = new_key()
    with attempt(user, idempotency_key):
        pass
    assert send(user, idempotency_key).earlier is None


def test_an_attempt_that_is_done_is_reported_to_the_next(user):
    idempotency_key = new_key()
    with attempt(user, idempotency_key) as first:
        first.done("u-1")
    with attempt(user, idempotency_key) as second:
        assert second.earlier is not None
        assert second.earlier.result == "u-1"


@pytest.mark.skipif(
    connection.vendor == "sqlite", reason="SQLite in memory does not let threads wait their turn"
)
@pytest.mark.django_db(transaction=True)
def test_of_many_at_once_only_one_carries_the_form_out():
    user = User.objects.create_user("sender@example.com")
    idempotency_key, begin, firsts = new_key(), threading.Barrier(4), []

    def click():
        begin.wait()
        firsts.append(send(user, idempotency_key, timeout=0).earlier is None)
        connection.close()

    clicks = [threading.Thread(target=click) for _ in range(4)]
    for each in clicks:
        each.start()
    for each in clicks:
        each.join()
    assert sorted(firsts) == [False, False, False, True]
