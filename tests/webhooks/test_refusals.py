"""Refused deliveries cost nothing: no row, no memory, no thread; they are counted."""

import time
import tracemalloc
from datetime import timedelta

import pytest
from django.db import connection as database
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from portal.webhooks import deliveries
from portal.webhooks.models import Delivery, Refusal, Subscription
from portal.webhooks.views.receiver import LARGEST
from tests.support.deliveries import forget_counts, notification, post, signed, subscribed

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _as_just_begun():
    forget_counts()


@pytest.fixture
def subscription(faulty):
    return subscribed(faulty)


def counted():
    return dict(Refusal.objects.values_list("why", "count"))


def test_many_wrong_passwords_are_one_row_written_once_a_minute(subscription, monkeypatch):
    assert post(subscription, notification(), password="wrong") == 401
    assert counted() == {"password": 1}
    with CaptureQueriesContext(
        database,
    ) as asked:
        for _ in range(11):
            assert post(subscription, notification(), password="wrong") == 401
    assert [one["sql"] for one in asked if not one["sql"].startswith("SELECT")] == []
    assert len(asked) == 11
    assert counted() == {"password": 1}
    after = time.monotonic() + deliveries.WRITTEN_EVERY
    monkeypatch.setattr(deliveries.time, "monotonic", lambda: after)
    post(subscription, notification(), password="wrong")
    assert counted() == {"password": 13}
    assert not Delivery.objects.exists()
    post(subscription, notification(), password="wrong")
    later = after + deliveries.WRITTEN_EVERY
    monkeypatch.setattr(deliveries.time, "monotonic", lambda: later)
    assert post(subscription, notification()) == 204  # what is taken writes the rest
    assert counted() == {"password": 14}


def test_each_reason_is_counted_by_itself_and_an_old_one_anew(subscription):
    post(subscription, b"{")
    post(subscription, b" " * (LARGEST + 1))
    post(subscription, notification(), user="somebody")
    assert counted() == {"form": 1, "size": 1, "password": 1}
    long_ago = timezone.now() - timedelta(days=3)
    Refusal.objects.update(since=long_ago, last_at=long_ago, count=70)
    forget_counts()
    post(subscription, b"{")
    anew = Refusal.objects.get(why="form")
    assert anew.count == 1
    assert anew.since > long_ago
    Refusal.objects.update(last_at=timezone.now() - timedelta(days=15))
    deliveries.prune()
    assert counted() == {}


def test_of_an_address_that_was_never_made_nothing_is_counted(subscription):
    assert post(Subscription(path="never-made"), notification()) == 401
    assert counted() == {}


def test_a_process_counts_a_bounded_number_of_subscriptions(subscription, monkeypatch):
    monkeypatch.setattr(deliveries, "_MOST", 1)
    post(subscription, notification(), password="wrong")
    post(subscription, b"{")
    assert counted() == {"password": 1}


class Sent:
    """A body that is never read."""

    def __init__(self) -> None:
        self.was_read = False

    def read(self, *_size: int) -> bytes:
        self.was_read = True
        return b""

    readline = read


@pytest.mark.parametrize(
    ("password", "length", "status"), [("wrong", 1, 401), (None, LARGEST + 1, 413)]
)
def test_the_body_of_who_is_refused_is_not_even_read(subscription, password, length, status):
    sent = Sent()
    given = signed(password=password) if password else signed()
    answered = Client().generic(
        "POST",
        reverse("hook", args=[subscription.path]),
        **{"wsgi.input": sent, "CONTENT_LENGTH": str(length), "HTTP_AUTHORIZATION": given},
    )
    assert (answered.status_code, sent.was_read) == (status, False)


def test_bodies_without_length_and_without_end_take_no_memory(subscription):
    class Endless:
        def read(self, size: int) -> bytes:
            return b" " * size

        readline = read

    tracemalloc.start()
    try:
        for _ in range(20):
            answered = Client().generic(
                "POST",
                reverse("hook", args=[subscription.path]),
                **{
                    "wsgi.input": Endless(),
                    "CONTENT_LENGTH": "",
                    "HTTP_TRANSFER_ENCODING": "chunked",
                    "HTTP_AUTHORIZATION": signed(),
                },
            )
            assert answered.status_code in (400, 413)
        assert tracemalloc.get_traced_memory()[1] < 20 * 1024 * 1024
    finally:
        tracemalloc.stop()
    assert not Delivery.objects.exists()
