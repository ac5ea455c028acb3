"""Baselines: their subjects, the drift from them, and how they are saved and deleted."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from portal.access.http import Origin
from portal.access.models import Connection
from portal.access.scope import Limits, Scope
from portal.account.baselines.results import EDITED, result
from portal.account.models import Baseline, Drift, Reach
from portal.account.subjects import KINDS, PEOPLE, SubjectKind
from portal.audit.acts import Act
from portal.audit.trail import record
from portal.client import Api, ApiError, NotFound
from portal.config.database import batches
from portal.contract.accounts import AccountSummary
from portal.directory import groups, users
from portal.directory.models import GroupKind
from portal.directory.scope_rules import of_visible_people
from portal.directory.users import UserFilter
from portal.translation import any_form, gettext as _, gettext_lazy, number
from portal.ui.concurrency import concurrently
from portal.ui.filters import ListFilter
from portal.ui.settings.catalog import Setting, SettingChange, Values

Target = tuple[str, str]  # an id and a name
GONE = gettext_lazy("Not on the account any more.")
_SOME = 500


def scope_in_words(baseline: Baseline) -> str:
    """Returns the targets in words: "Department Sales"."""
    names = baseline.target_names
    match baseline.scope:
        case Reach.GROUP:
            return _("Group %(name)s") % {"name": names[0]}
        case Reach.DEPARTMENT:
            return _("Department %(name)s") % {"name": names[0]}
        case Reach.CHOSEN:
            return (
                names[0]
                if len(names) == 1
                else _("%(count)s sub accounts") % {"count": number(len(names))}
            )
        case _ if baseline.limits is not None:
            return _("Everyone whom %(owner)s sees") % {"owner": baseline.owner}
        case _:
            return _("Everyone") if baseline.kind == PEOPLE.name else _("All sub accounts")


def limits_of(scope: Scope) -> Limits | None:
    """Returns the limits that a baseline has which is saved or turned on in a scope."""
    return scope.limits if scope.is_narrow else None


def subjects_of(scope: Scope, baseline: Baseline, api: Api) -> list[Target]:
    """Returns the present subjects: people from the mirror, sub accounts from the service. Raises
    `ApiError`."""
    if baseline.kind == PEOPLE.name:
        ids = baseline.target_ids
        wanted = UserFilter(
            groups=ids if baseline.scope == Reach.GROUP else (),
            depts=ids if baseline.scope == Reach.DEPARTMENT else (),
        )
        return [(one.user_id, one.label) for one in users.find(scope, wanted).iterator()]
    listed = dict(sub_accounts(api))
    if baseline.scope == Reach.CHOSEN:
        # A target that is not listed any more is read too, so that the check names it.
        return [(key, listed.get(key, name)) for key, name in baseline.targets]
    return list(listed.items())


def sub_accounts(api: Api) -> list[Target]:
    """Returns the sub accounts of the service. Raises `ApiError`."""
    return [(one.id, account_called(one)) for one in api.accounts.list.all()]


def group_choices(scope: Scope) -> list[Target]:
    """Returns the groups with settings, without IM groups."""
    return groups.choices(scope)[GroupKind.GROUP]


def department_choices(scope: Scope) -> list[Target]:
    return [(name, name) for name in users.departments(scope)]


def account_called(account: AccountSummary) -> str:
    return account.account_name or account.owner_email or account.id


@dataclass(frozen=True)
class Checked:
    """A subject that was read, with the differences from the wanted settings: `old` is None if the
    service does not report the setting. `problem` is the reason why it could not be read."""

    subject_id: str
    label: str
    differences: list[SettingChange]
    problem: str = ""


def visible_drift(scope: Scope, drifts: QuerySet[Drift]) -> QuerySet[Drift]:
    """Returns the drift of subjects within the scope."""
    return of_visible_people(scope, drifts, "subject_id")


def filtered_drift(scope: Scope, baseline: Baseline, filters: ListFilter) -> QuerySet[Drift]:
    """Returns the drift within the scope that passes the filters, in their order."""
    drifts = visible_drift(scope, baseline.drifts.all())
    for word in filters.search.split():
        drifts = drifts.filter(subject__iregex=any_form(word))
    if setting := filters.cleaned_data.get("setting"):
        drifts = drifts.filter(setting=setting)
    sign = "-" if filters.order[0] == "-" else ""
    rest = [f"{sign}{name}" for name in ("subject", "setting", "pk")]
    return drifts.order_by(filters.order, *rest)


def wanted_groups(baseline: Baseline) -> list[tuple[str, list[tuple[str, str]]]]:
    """Returns the wanted settings in words, by group."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for name, setting in KINDS[baseline.kind].catalog.editable.items():
        if name in baseline.values:
            row = (setting.title, setting.in_words(baseline.values[name]))
            groups.setdefault(setting.group, []).append(row)
    return list(groups.items())


def actual_in_words(setting: Setting, value: object) -> str:
    return _("Not reported") if value is None else setting.in_words(value)


def check_subjects(
    api: Api, kind: SubjectKind, subjects: Iterable[Target], wanted: Values
) -> Iterator[Checked]:
    """Reads the subjects, several at a time."""

    def check(subject: Target) -> Checked:
        key, label = subject
        try:
            return Checked(key, label, kind.catalog.changes(kind.read(api, key), wanted))
        except NotFound:
            return Checked(key, label, [], GONE)
        except ApiError as error:
            return Checked(key, label, [], error.message)

    return concurrently(check, subjects)


def store_drift(baseline: Baseline, checked: Sequence[Checked], now: datetime) -> None:
    """Stores the differences of these subjects, which could all be read.

    Existing drift keeps its `since`; drift that has ended is deleted.
    """
    for some in batches(checked):
        rows = [
            Drift(
                baseline=baseline,
                subject_id=one.subject_id,
                subject=one.label,
                setting=each.setting.name,
                wanted=each.new,
                actual=each.old,
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
            update_fields=["subject", "wanted", "actual", "checked_at"],
        )
        own = baseline.drifts.filter(subject_id__in=[one.subject_id for one in some])
        still = {(row.subject_id, row.setting) for row in rows}
        restored = [
            pk
            for pk, *name in own.values_list("pk", "subject_id", "setting")
            if tuple(name) not in still
        ]
        _forget(restored)


def forget_others(baseline: Baseline, subject_ids: set[str]) -> None:
    """Deletes the drift of subjects that the baseline does not apply to any more."""
    stored = baseline.drifts.values_list("pk", "subject_id")
    _forget([pk for pk, subject_id in stored if subject_id not in subject_ids])


def forget_restored(baseline: Baseline, subject_ids: Sequence[str], values: Values) -> None:
    for some in batches(subject_ids):
        baseline.drifts.filter(subject_id__in=some, setting__in=list(values)).delete()


def _forget(keys: Sequence[int]) -> None:
    for batch in batches(keys):
        Drift.objects.filter(pk__in=batch).delete()


class NameTaken(Exception):
    """Another baseline of the connection has this name."""


def save_baseline(origin: Origin, wanted: Baseline, earlier: Baseline | None = None) -> Baseline:
    """Stores a new baseline, or changes an earlier one to what is wanted. Raises `NameTaken`.

    Drift from settings that are wanted as before stays. The editor becomes responsible for what the
    baseline does; a rule that another user turned on is off until it is turned on again.
    """
    editor = origin.actor
    if editor is None:
        raise ValueError("A baseline needs an owner.")
    with transaction.atomic():
        # One process at a time takes a name.
        Connection.objects.select_for_update().get(pk=wanted.connection_id)
        others = Baseline.objects.filter(connection=wanted.connection, name__iexact=wanted.name)
        if earlier is not None:
            others = others.exclude(pk=earlier.pk)
        if others.exists():
            raise NameTaken
        baseline = earlier or wanted
        baseline.name, baseline.scope = wanted.name, wanted.scope
        baseline.targets, baseline.values = wanted.targets, wanted.values
        baseline.limits = wanted.limits
        if baseline.brings_back and baseline.owner_id != editor.pk:
            baseline.brings_back = False
            baseline.results = [result(EDITED, person=str(editor))]
        baseline.owner = baseline.set_by = editor
        baseline.save()
        drifts = baseline.drifts.values_list("pk", "setting", "wanted")
        values = baseline.values
        _forget([pk for pk, name, old in drifts if name not in values or values[name] != old])
        record_change(origin, Act.BASELINE_SET, baseline)
    return baseline


def delete_baseline(origin: Origin, baseline: Baseline) -> None:
    """Deletes a baseline and its drift; the settings of its subjects stay as they are."""
    with transaction.atomic():
        record_change(origin, Act.BASELINE_REMOVED, baseline)
        baseline.delete()


def record_change(origin: Origin, act: Act, baseline: Baseline) -> None:
    record(
        origin,
        act,
        object_id=baseline.pk,
        label=baseline.name,
        connection=baseline.connection,
        sent={
            "name": baseline.name,
            "applies_to": scope_in_words(baseline),
            "settings": baseline.values,
            "active": baseline.is_active,
            "brings_back": baseline.brings_back,
        },
    )
