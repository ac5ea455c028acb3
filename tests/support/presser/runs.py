"""Jobs that a form began: planned, approved on their page, run, and undone from it."""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.urls import Resolver404, resolve

from portal.jobs.models import Job
from tests.support.jobs import Work
from tests.support.presser.account import Account, Rows, changes, differences
from tests.support.presser.browser import Browser, Shown
from tests.support.presser.forms import PageForm
from tests.support.presser.paths import SHORT, error_words, is_accepted, main_button

JOB, _APPROVE, _UNDO = "jobs:job", "jobs:approve", "jobs:take-back"
# What a plan says of what has no way back.
_NO_WAY_BACK = ("cannot be undone", "no way back", "Cannot be undone")


def name_at(url: str) -> str:
    """Returns the name of the route at an address; empty if there is none."""
    try:
        return str(resolve(urlsplit(url).path).view_name)
    except Resolver404:
        return ""


@dataclass
class JobRun:
    """A job at its page, which a worker of the test's carries out."""

    browser: Browser
    work: Work
    url: str

    def at_rest(self) -> Shown:
        """Returns its page after the work that it waits for."""
        key = resolve(urlsplit(self.url).path).kwargs["job_key"]
        self.work(Job.objects.get(key=key))
        return self.browser.open(self.url)

    def applied(self) -> Iterator[str]:
        """Plans it, presses what applies it, and runs it."""
        self.plan = self.result = self.at_rest()
        button = form_of(self.plan, _APPROVE)
        if button is None:
            yield f"the plan has nothing to apply: {self.plan.words[:SHORT]}"
            return
        answer = self.browser.send(button, button=main_button(button))
        if not is_accepted(answer):
            yield f"the plan is refused ({answer.status}): {error_words(answer)}"
        self.result = self.at_rest()

    def undone(self, account: Account, before: Rows) -> Iterator[str]:
        """Presses its undo, and applies that: everything is as before. Where none is offered, the
        plan had said so."""
        if not changes(before, account.rows()):
            return
        form = form_of(self.result, _UNDO)
        if form is None:
            if not any(words in self.plan.words for words in _NO_WAY_BACK):
                words = self.result.words[:SHORT]
                yield f"no undo is offered, and the plan had not said so: {words}"
            return
        answer = self.browser.send(form, button=main_button(form))
        if name_at(answer.leads_to) != JOB:
            yield f"the undo is refused ({answer.status}): {error_words(answer)}"
            return
        undo = JobRun(self.browser, self.work, answer.leads_to)
        yield from (f"undo: {words}" for words in undo.applied())
        for change in differences(before, account.rows())[:4]:
            yield f"undone, and still {change}"


def form_of(page: Shown, name: str) -> PageForm | None:
    """Returns the form of a page that is sent to the route of this name."""
    return next((one for one in page.forms if name_at(one.action) == name), None)
