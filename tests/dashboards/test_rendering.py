"""Stored renderings: the last of each view, made once for all who wait for it."""

import gc
import threading
import time
from datetime import timedelta

import pytest
import time_machine
from django.urls import reverse
from django.utils import timezone

from portal.dashboards.views.live_fragment import Rendered, rendered
from tests.dashboards.services import listing, session
from tests.dashboards.test_reader import read

HTMX = {"HX-Request": "true", "HX-Target": "live", "Accept-Encoding": "gzip"}


def kept():
    """Returns the number of renderings in this process."""
    gc.collect()
    # Not `isinstance`: a lazy object that others left would find out what it is.
    return sum(type(one) is Rendered for one in gc.get_objects())


@pytest.mark.django_db
def test_whoever_watches_for_long_takes_no_more_memory(client, faulty, fault_server):
    fault_server.always(listing([session(n) for n in range(3)]))
    read(faulty)
    address, tags, before, began = (
        reverse("dashboards:now", args=[faulty.key]),
        set(),
        kept(),
        timezone.now(),
    )
    for minute in range(30):
        with time_machine.travel(began + timedelta(minutes=minute), tick=False):
            for query in ({}, {"all": "1"}):
                tags.add(client.get(address, query, headers=HTMX)["ETag"])
    assert len(tags) == 60
    assert kept() - before <= 2


def test_many_views_push_out_one_that_was_asked_for_longest_ago():
    for number in range(300):
        rendered(("view", number), "same", str)
    assert kept() <= 60
    assert rendered(("view", 299), "same", lambda: "made again").html == ""
    assert rendered(("view", 0), "same", lambda: "made again").html == "made again"


def test_of_all_who_ask_at_once_one_renders():
    begin, made, got = threading.Barrier(8), [], []

    def render():
        made.append(1)
        time.sleep(0.05)  # in which the others ask
        return f"made {len(made)}"

    def ask():
        begin.wait(30)
        got.append(rendered("watched by eight", "first", render).html)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert (made, got) == ([1], ["made 1"] * 8)


def test_what_failed_is_rendered_by_the_next_who_asks():
    def fail():
        raise ValueError("away")

    assert rendered("fails once", "first", lambda: "before").html == "before"
    with pytest.raises(ValueError, match="away"):
        rendered("fails once", "second", fail)
    assert rendered("fails once", "second", lambda: "after").html == "after"
