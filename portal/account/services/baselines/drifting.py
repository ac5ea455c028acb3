"""Stores the drift that checks find, with the time since when a setting differs."""

from collections.abc import Sequence
from datetime import datetime

from django.db.models import QuerySet

from portal.account.models import Baseline, Drift
from portal.account.services.baselines.comparing import Checked
from portal.translation import ngettext, number
from portal.ui.settings import Values

_SOME = 500


def take_over(baseline: Baseline, found: Sequence[Checked], now: datetime) -> None:
    """Keeps what was found of these subjects, all of whom could be read.

    What differed before keeps its `since`; what is as wanted now is forgotten.
    """
    for start in range(0, len(found), _SOME):
        some = found[start : start + _SOME]
        rows = [
            Drift(
                baseline=baseline,
                subject_id=one.subject_id,
                subject=one.label,
                setting=each.setting.name,
                wanted=each.new,
                found=each.old,
                since=now,
                checked_at=now,
            )
            for one in some
            for each in one.differences
        ]
        Drift.objects.bulk_create(
            rows,
            batch_size=_SOME,
            update_conflicts=True,
            unique_fields=["baseline", "subject_id", "setting"],
            update_fields=["subject", "wanted", "found", "checked_at"],
        )
        own = baseline.drifts.filter(subject_id__in=[one.subject_id for one in some])
        still = {(row.subject_id, row.setting) for row in rows}
        settled = [
            pk
            for pk, *name in own.values_list("pk", "subject_id", "setting")
            if tuple(name) not in still
        ]
        _forget(settled)


def forget_others(baseline: Baseline, subject_ids: set[str]) -> None:
    """Forgets those whom the baseline is not for any more."""
    known = baseline.drifts.values_list("pk", "subject_id")
    _forget([pk for pk, subject_id in known if subject_id not in subject_ids])


def forget_settled(baseline: Baseline, subject_ids: Sequence[str], values: Values) -> None:
    """Deletes the drift that was just restored."""
    for start in range(0, len(subject_ids), _SOME):
        some = subject_ids[start : start + _SOME]
        baseline.drifts.filter(subject_id__in=some, setting__in=list(values)).delete()


def forget_unwanted(baseline: Baseline) -> None:
    """Forgets what the baseline does not want any more, or wants otherwise."""
    known = baseline.drifts.values_list("pk", "setting", "wanted")
    _forget(
        [
            pk
            for pk, name, wanted in known
            if name not in baseline.values or baseline.values[name] != wanted
        ]
    )


def in_words(drifts: "QuerySet[Drift]", noun: tuple[str, str]) -> str:
    """Returns the amount of drift: "3 settings of 2 people"."""
    settings, subjects = drifts.count(), drifts.order_by().values("subject_id").distinct().count()
    return ngettext(
        "%(settings)s setting of %(count)s %(noun)s",
        "%(settings)s settings of %(count)s %(noun)s",
        settings,
    ) % {
        "settings": number(settings),
        "count": number(subjects),
        "noun": noun[subjects != 1],
    }


def _forget(keys: Sequence[int]) -> None:
    for start in range(0, len(keys), _SOME):
        Drift.objects.filter(pk__in=keys[start : start + _SOME]).delete()
