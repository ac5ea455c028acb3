"""Those who speak in a webinar: each has a join link of their own."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from portal.client import Api, ApiError, Invalid
from portal.contract.webinars import NewPanelists, Panelist, PanelistDetails

CHUNK = 30  # the service takes no more in one request


@dataclass
class Report:
    """What became of each; `stopped` is the failure after which nothing more was sent."""

    added: list[str] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    untried: list[str] = field(default_factory=list)
    stopped: ApiError | None = None

    @property
    def is_complete(self) -> bool:
        return not (self.refused or self.unknown or self.untried)


def panelists(api: Api, webinar_id: str) -> list[PanelistDetails]:
    return api.panelists.list(webinar_id).panelists


def add(api: Api, webinar_id: str, people: Sequence[Panelist]) -> Report:
    """Adds them as far as the service takes them, 30 in a request.

    A request that was not answered is settled by reading who is there. One that is refused is sent
    again for each of it alone, so that one wrong address holds up nobody.
    """
    report = Report()
    for start in range(0, len(people), CHUNK):
        _add(api, webinar_id, people[start : start + CHUNK], report)
    return report


def _add(api: Api, webinar_id: str, chunk: Sequence[Panelist], report: Report) -> None:
    emails = [one.email for one in chunk]
    if report.stopped:
        report.untried += emails
        return
    try:
        api.panelists.add(webinar_id, NewPanelists(panelists=list(chunk)))
    except Invalid as refusal:
        if len(chunk) == 1:
            report.refused.append((emails[0], refusal.message))
            return
        for one in chunk:
            _add(api, webinar_id, [one], report)
    except ApiError as error:
        report.stopped = error
        if error.may_have_happened:
            _settle(api, webinar_id, emails, report)
        else:
            report.untried += emails
    else:
        report.added += emails


def _settle(api: Api, webinar_id: str, emails: list[str], report: Report) -> None:
    try:
        there = {one.email.casefold() for one in panelists(api, webinar_id)}
    except ApiError:
        report.unknown += emails
        return
    for email in emails:
        (report.added if email.casefold() in there else report.untried).append(email)


def remove(api: Api, webinar_id: str, panelist_id: str) -> None:
    api.panelists.remove(webinar_id, panelist_id)


def remove_all(api: Api, webinar_id: str) -> None:
    api.panelists.remove_all(webinar_id)
