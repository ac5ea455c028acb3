"""Numbers that are links: each equals what the page behind it counts."""

import math
import re

import pytest

from portal.approvals.models import ApprovalRequest
from portal.contract.users import LicenceType, User as Person, UserStatus
from portal.directory import users
from portal.jobs.models import JobState
from tests.support.fault_server import answer
from tests.support.html import text_of
from tests.support.loaded import all_loaded
from tests.ui.home_causes import asked, deactivated, drift, job, live, meeting, storage

# Words of links whose number no list has, with the reason.
REASONS = {
    "poor quality": "Live marks these sessions among the others, and has no list of them alone.",
    "settings differ": "It counts differing settings, and opens the list of their baselines.",
    "Cloud storage": "A size is not a number of rows.",
}
INCOMPARABLE = re.compile("|".join(REASONS))
pytestmark = [pytest.mark.django_db, pytest.mark.whole_pages]


@pytest.fixture
def own(faulty, fault_server, monkeypatch):
    """A connection to a service that is not to be called, with something of each to count."""
    monkeypatch.setattr("portal.sessions.home._SLOW", math.inf)
    fault_server.always(answer(200, {}))
    all_loaded(faulty)
    for number in range(1, 4):
        meeting(faulty, number)
        asked(faulty, number)
        drift(faulty, f"Baseline {number}")
    asked(faulty, 4)
    own_request = ApprovalRequest.objects.filter(requester__email="colleague4@example.com")
    own_request.update(requester=faulty.owner)
    for name in ("ada", "cy"):
        person = Person(id=name, email=f"{name}@example.com", type=LicenceType.PRO)
        users.put(faulty, person, UserStatus.ACTIVE)
    deactivated(faulty)
    for _ in range(2):
        job(faulty, JobState.PLANNED)
    live(faulty)
    storage(faulty)
    return faulty


def figures(page):
    """Yields the kind, the address and the words of each link that has a number."""
    for attributes, inner in re.findall(r"<a ([^>]*)>(.*?)</a>", page, re.DOTALL):
        href = re.search(r'href="([^"]*)"', attributes)
        words = text_of(inner)
        if href is None or not re.search(r"\d", words):
            continue
        for kind, is_one in (
            ("badge", "waiting for you" in words),
            ("live", words.endswith(" live") or words.startswith("Live now")),
            ("tile", "home-tile" in attributes),
            ("tab", "badge-pill" in inner and "nav-link" in attributes),
            ("need", "row-link" in attributes and words[0].isdigit()),
        ):
            if is_one:
                yield kind, href[1].replace("&amp;", "&"), words
                break


def count_on(page):
    """Returns the number of what the list of a page has found, or else that of its open tab."""
    listed = re.search(r'role="status" hx-get[^>]*>\s*([\d,]+)', page)
    open_tab = re.search(r'aria-current="page">[^<]*<span class="badge badge-pill">([\d,]+)', page)
    number = listed or open_tab
    return int(number[1].replace(",", "")) if number else None


def count_behind(kind, url, page):
    if kind == "live":  # of all kinds, each of which is a tab
        return sum(first_number(words) for each, _, words in figures(page) if each == "tab")
    if kind == "badge" and url.endswith("/policy/"):  # of all rules, each of which is a tab
        return first_number(text_of(page.partition('id="findings">')[2].partition("</span>")[0]))
    return count_on(page)


def first_number(words):
    number = re.search(r"\d[\d,]*", words)
    assert number, words
    return int(number[0].replace(",", ""))


def test_each_number_that_is_a_link_equals_what_it_opens(client, own):
    home = client.get("/").text
    waiting = [figure for figure in figures(home) if not INCOMPARABLE.search(figure[2])]
    pages: dict[str, str] = {}
    compared: dict[str, int] = {}
    wrong = []
    while waiting:
        kind, url, words = waiting.pop()
        if url not in pages:
            pages[url] = client.get(url).text
            if kind != "tab":
                place = url.partition("?")[0]
                tabs = [one for one in figures(pages[url]) if one[0] == "tab"]
                # Those without anything differ by nothing; the open one is counted by its list.
                waiting += [
                    (each, beside if beside[0] == "/" else f"{place}{beside}", title)
                    for each, beside, title in tabs
                    if first_number(title)
                ]
        there = count_behind(kind, url, pages[url])
        if there != first_number(words):
            wrong.append((kind, words, url, there))
        compared[kind] = compared.get(kind, 0) + 1
    assert wrong == []
    assert compared.keys() == {"badge", "live", "tile", "tab", "need"}
    left_out = [words for _, _, words in figures(home) if INCOMPARABLE.search(words)]
    assert len(left_out) == len(REASONS), left_out
