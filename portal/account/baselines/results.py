"""Results of checks and rules of baselines: stored as codes with values, in words when shown."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_noop

from portal.account.models import Baseline, Drift
from portal.account.subjects import KINDS
from portal.jobs.rules import OBSTACLES
from portal.mirror.values import shown
from portal.translation import gettext as _, ngettext, number

Result = dict[str, Any]
UNDONE, EDITED, CANCELLED, CHECKING = "undone", "edited", "cancelled", "checking"
WAITING, FAILED, NO_SUBJECTS, DRIFT, UNREAD = "waiting", "failed", "nobody", "drift", "unread"
_WORDS = {
    UNDONE: gettext_noop("The rule was turned off, since a job was undone."),
    EDITED: gettext_noop("The rule was turned off, since %(person)s changed the baseline."),
    CANCELLED: gettext_noop("The check was cancelled."),
    CHECKING: gettext_noop("Checking."),
    WAITING: gettext_noop("Waiting for the list of people to be loaded."),
    **OBSTACLES,
}


def result(code: str, **values: object) -> Result:
    return {"code": code, **values}


def drift_result(drifts: QuerySet[Drift]) -> Result:
    subjects = drifts.order_by().values("subject_id").distinct().count()
    return result(DRIFT, settings=drifts.count(), subjects=subjects)


def drift_in_words(amount: Mapping[str, Any], noun: tuple[str, str]) -> str:
    """Returns the amount of drift: "3 settings of 2 people"."""
    settings, subjects = amount["settings"], amount["subjects"]
    return ngettext(
        "%(settings)s setting of %(count)s %(noun)s",
        "%(settings)s settings of %(count)s %(noun)s",
        settings,
    ) % {"settings": number(settings), "count": number(subjects), "noun": noun[subjects != 1]}


def result_in_words(baseline: Baseline) -> str:
    """Returns the last result in the reader's language; one from before there were codes is words
    already."""
    return in_words(baseline.results, KINDS[baseline.kind].noun) or baseline.outcome


def in_words(results: Iterable[Result], noun: tuple[str, str]) -> str:
    return " ".join(_one_in_words(one, noun) for one in results)


def _one_in_words(one: Result, noun: tuple[str, str]) -> str:
    match one["code"]:
        case "nobody":
            return _("There are no %(noun)s to check.") % {"noun": noun[1]}
        case "drift" if not one["settings"]:
            return _("No drift.")
        case "drift":
            words = ngettext("%(settings)s differs.", "%(settings)s differ.", one["settings"])
            return words % {"settings": drift_in_words(one, noun)}
        case "unread":
            count = one["count"]
            words = _("%(count)s %(noun)s could not be loaded.")
            return words % {"count": number(count), "noun": noun[count != 1]}
        case "failed":
            return shown(one["words"])
    words = _WORDS.get(one["code"], "")
    return _(words) % one if words else ""
