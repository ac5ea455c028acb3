"""Pages of limited users are the same, counts included, whatever other people there are."""

import re
from difflib import unified_diff

import pytest

from portal.jobs.models import Job, JobState
from tests.access.planted import give_job, planted
from tests.access.planted_rows import give_rows
from tests.connections.limits import changed, to_the_department, to_the_group

pytestmark = [pytest.mark.django_db, pytest.mark.deep, pytest.mark.timeout(1800)]

# What is another one each time, or says when it was.
_MOVES = re.compile(
    r'nonce="[^"]*"|csrfmiddlewaretoken" value="[^"]*"|"X-CSRFToken": "[^"]*"|\d\d:\d\d(:\d\d)?'
    r'|datetime="[^"]*"|idempotency_key" value="[^"]*"|just now|\d+ (second|minute)s? ago|at=[^"&]*'
    r'|:[\w-]{6}:[\w-]{43}"|etag="[^"]*"|127\.0\.0\.1'
)
_SET_UP = "mfa_"  # pages that make a secret each time


@pytest.mark.parametrize("limit", [to_the_department, to_the_group])
def test_counts_are_the_same_whoever_else_is_there(share, walk, sandbox, limit):
    owner, shared = share.connection.owner, share.connection
    inside = planted(shared, sandbox, "Inside")
    give_rows(inside, owner, shared)
    give_job(inside, share.user, shared)
    Job.objects.update(state=JobState.CANCELLED)  # what waits says for how long
    changed(share, limit, inside)
    walk.is_deep = False
    _pages(walk, inside)  # the first ones have lists read
    once, before = _pages(walk, inside), _pages(walk, inside)
    for _ in range(3):
        give_rows(planted(shared, sandbox, "Elsewhere"), owner, shared)
    after = _pages(walk, inside)
    moving = {url: _changed(once[url], before[url]) for url in before}
    assert {url: lines for url, lines in moving.items() if lines} == {}
    found = {url: _changed(before[url], after.get(url, "")) for url in before}
    assert {url: lines for url, lines in found.items() if lines} == {}


def _changed(before, after):
    lines = unified_diff(before.split("\n"), after.split("\n"), n=0, lineterm="")
    return [line for line in lines if line.strip("+- ") and line[:2] not in ("++", "--", "@@")]


def _pages(walk, inside):
    """Returns all pages about the person inside, or about no person."""
    found = (one for one in walk.go((inside,)) if one.is_page)
    return {one.url: _MOVES.sub("", one.text) for one in found if not one.route.startswith(_SET_UP)}
