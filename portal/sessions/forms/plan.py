"""The form that plans a session: the contract's fields, asked as a calendar asks."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache, partial
from typing import Any, ClassVar

from django import forms
from django.http import QueryDict
from django.urls import reverse
from django.utils.datastructures import MultiValueDict
from pydantic import ValidationError

from portal.access.scope import Scope
from portal.contract.recurrence import Recurrence
from portal.contract.sessions import TrackingFieldValue
from portal.contract.tracking_fields import TrackingFieldDetails
from portal.contract.types import time_zone_ids
from portal.directory.colleagues import PeopleField, colleague
from portal.sessions.forms import repetition
from portal.sessions.forms.repetition import PREFIX
from portal.sessions.forms.tracking import TrackingRows, completed, rows_for
from portal.sessions.likely import unlikely_day
from portal.sessions.policy.remediations import new_password
from portal.sessions.services.losses import replaced
from portal.sessions.services.preview import PreviewPlan
from portal.sessions.services.session import SessionRecord
from portal.sessions.specs import SessionSettingGroup, SessionSpec
from portal.sessions.times import Start, start_of, zone_or_utc
from portal.translation import gettext as _, gettext_lazy
from portal.ui.autocomplete import split
from portal.ui.forms import ContractForm, contract_form
from portal.ui.forms.layout import FieldGroup, in_words, unsign
from portal.ui.forms.specs import FieldSpec

ALTERNATIVES = "settings.alternative_hosts"
MORE_HOSTS = "more_hosts"  # each gets a session of their own
_TIMES = ("start_time", "timezone")
# Fields without a help text.
_SELF_EVIDENT = frozenset(
    {"topic", "agenda", "type", "start_time", "timezone", "duration"}
    | {f"settings.{name}" for name in ("host_video", "participant_video", "panelists_video")}
    | {f"settings.{name}" for name in ("mute_upon_entry", "audio", "auto_recording")}
    | {f"settings.{name}" for name in ("approval_type", "enforce_login", "close_registration")}
)
_ONLY_AT_FIXED_TIMES = ("start_time", "timezone", "duration")
_TIMES_AND_LENGTH = frozenset(_ONLY_AT_FIXED_TIMES)


class PlanForm(ContractForm):
    """A new session, or with `initial` one that is changed.

    What does not go with the chosen type is not sent. `expected` and `host` are not of the model.
    """

    spec: ClassVar[SessionSpec]
    left_out: Sequence[str] = ()  # what a copy has not of the session that it is like

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        scope: Scope,
        tracking: Iterable[TrackingFieldDetails] = (),
        recurrence: Recurrence | None = None,
        recurrence_is_reported: bool = True,
        **given: Any,
    ) -> None:
        tracking = [one for one in tracking if one.visible is not False]
        self.scope = scope
        self.reported_recurrence = recurrence if recurrence_is_reported else None
        self.may_keep_times = "initial" in given and not recurrence_is_reported
        # Whether the service makes the occurrences anew: known once the form was checked.
        self.replaces_times = False
        state = given.get("initial") or given.get("suggest") or {}
        read = partial(TrackingFieldValue.model_validate, extra="allow")
        given_rows = list(map(read, state.get("tracking_fields") or []))
        state = {**state, "tracking_fields": rows_for(tracking, given_rows)}
        given["initial" if "initial" in given else "suggest"] = state
        super().__init__(completed(data, tracking) if data is not None else None, **given)
        self.tracking = TrackingRows(self.row_sets[0], tracking)
        self._begin(recurrence, zone_or_utc(str(state.get("timezone", ""))))
        if self.is_change:
            self._keep_time_and_zone_together(data)

    def _begin(self, recurrence: Recurrence | None, zone: str) -> None:
        if recurrence:
            self.initial = {**self.initial, **repetition.shown(recurrence, zone)}
        for name in _SELF_EVIDENT & self.fields.keys():
            self.fields[name].help_text = ""
        self.fields["duration"].label = _("Duration (minutes)")
        if not self.may_keep_times:
            del self.fields["repeat"]
        else:
            self.fields["repeat"].help_text = _(
                "They can be kept only with their start and time zone."
            )
        for name in (*_ONLY_AT_FIXED_TIMES, "type"):
            self.fields[name].required = self.fields[name].widget.is_required = False
        address = reverse(f"{self.spec.family}:people", args=[self.scope.connection.key])
        for field in self.fields.values():
            if isinstance(field, PeopleField):
                field.offer_people(self.scope, address)

    @property
    def plain_fields(self) -> frozenset[str]:
        """The single values of the contract that are no secret."""
        plain = (spec for spec in self.items.values() if isinstance(spec, FieldSpec))
        return frozenset(spec.name for spec in plain if not spec.is_sensitive)

    def generate_password(self, why: str) -> None:
        """Fills in a new password, and says `why` at its field."""
        field = self.fields["password"]
        field.widget.generated = new_password()
        field.help_text = why

    @property
    def setting_groups(self) -> list[FieldGroup]:
        return [group for each in self.spec.setting_groups if (group := self._group(each))]

    def _group(self, declared: SessionSettingGroup) -> FieldGroup | None:
        names = [f"settings.{name}" for name in declared.fields]
        names = [name for name in names if name in self.fields]
        if not names:
            return None
        group = FieldGroup(declared.title, declared.title, ", ".join(self._changed_words(names)))
        group.rare = [self[name] for name in names]
        return group

    def _changed_words(self, names: Iterable[str]) -> Iterator[str]:
        """Yields what of these is set otherwise than a new session has it."""
        for name in names:
            value, field = self.current.get(name), self.fields[name]
            if value not in (None, "", False, self.field_specs[name].default):
                words = str(field.label)
                yield words if value is True else f"{words}: {in_words(field, value)}"

    @property
    def hosts(self) -> list[str]:
        """Returns the ids of all who get a session, the first host before others."""
        more = split(self.cleaned_data.get(MORE_HOSTS))
        return list(dict.fromkeys([self.cleaned_data.get("host") or "", *more])) if more else []

    def in_short(self) -> list[tuple[str, str]]:
        """Returns titles and values of what is set, as users read them; times and secrets aside."""
        names = [name for name in self.plain_fields - _TIMES_AND_LENGTH if name in self.fields]
        fields = [(self.fields[name], self.cleaned_data.get(name)) for name in sorted(names)]
        settled = [(field, value) for field, value in fields if value not in (None, "", False, [])]
        return [(str(field.label), in_words(field, value)) for field, value in settled]

    def clean(self) -> dict[str, object]:
        self._check_the_times()
        return super().clean()

    def _check_the_times(self) -> None:
        if self._is_at_fixed_times:
            if not self.cleaned_data.get("start_time") and "start_time" not in self.errors:
                self.add_error("start_time", _("Enter a start time."))
            if not self.cleaned_data.get("timezone") and "timezone" not in self.errors:
                self.add_error("timezone", _("Choose a time zone."))
        for name, words in self._unlikely():
            if words and name in self.changed_data and name not in self.errors:
                self.add_error(name, words)
        if self.moves_without_a_rule and "repeat" not in self.errors:
            self.add_error("repeat", rule_needed())
        if self._sets_recurrence:
            for name, words in repetition.missing(self.cleaned_data).items():
                if name not in self.errors:
                    self.add_error(name, words)

    def _unlikely(self) -> Iterator[tuple[str, str]]:
        """Yields fields with why their days cannot be meant, mostly empty."""
        if self.start:
            yield "start_time", unlikely_day(self.start.typed)
        until = self.cleaned_data.get(f"{PREFIX}end_date_time")
        if until and self._sets_recurrence and self.cleaned_data.get("ends") == repetition.UNTIL:
            yield f"{PREFIX}end_date_time", unlikely_day(until)

    @property
    def chosen_type(self) -> Any:
        chosen = self.cleaned_data.get("type")
        return self.spec.once if chosen in (None, "") else chosen

    @property
    def _is_at_fixed_times(self) -> bool:
        return self.chosen_type in self.spec.fixed

    @property
    def _sets_recurrence(self) -> bool:
        if self.chosen_type != self.spec.series:
            return False
        if self.may_keep_times and self.current.get("type") == self.spec.series:
            return bool(self.cleaned_data.get("repeat") == "new")
        return True

    @property
    def moves_without_a_rule(self) -> bool:
        """Returns whether a series gets other times without a rule by which it repeats then, so
        that the service's result cannot be predicted."""
        is_series = self.chosen_type == self.spec.series == self.current.get("type")
        stays = self.may_keep_times and is_series and not self._sets_recurrence
        return stays and bool(set(_TIMES) & set(self.changed_data))

    @property
    def start(self) -> Start | None:
        """Returns the start, as far as it is filled in."""
        zone, typed = self.cleaned_data.get("timezone"), self.cleaned_data.get("start_time")
        if not (self._is_at_fixed_times and typed and zone in time_zone_ids()):
            return None
        try:
            return start_of(datetime.fromisoformat(typed), zone)
        except (ValueError, OverflowError):
            return None

    def chosen_recurrence(self) -> dict[str, object]:
        """Returns the recurrence that was filled in, by dotted names; empty without one."""
        if not self._sets_recurrence:
            return {}
        zone = zone_or_utc(
            str(self.cleaned_data.get("timezone") or self.current.get("timezone", ""))
        )
        return repetition.chosen(self.cleaned_data, zone)

    def _values(self) -> dict[str, object]:
        values = super()._values()
        if "tracking_fields" in values:
            values["tracking_fields"] = self.tracking.values()
            if not values["tracking_fields"] and not self.is_change:
                del values["tracking_fields"]
        self.replaces_times = self.is_change and bool({*_TIMES, "type"} & set(values))
        if not self._is_at_fixed_times:
            return {name: value for name, value in values.items() if name not in _TIMES_AND_LENGTH}
        if self.is_change and {*_TIMES, "type"} & set(values):
            # Either alone would move the session: a wall time means nothing without its zone.
            values |= {name: self.cleaned_data.get(name) for name in _TIMES}
        repeats = self._recurrence_values(moved=self.replaces_times)
        self.replaces_times = self.is_change and (self.replaces_times or bool(repeats))
        return values | repeats

    def _recurrence_values(self, *, moved: bool) -> dict[str, object]:
        wanted = self.chosen_recurrence()
        if wanted and self.reported_recurrence is not None:
            unknown = (self.reported_recurrence.model_extra or {}).items()
            wanted = {f"{PREFIX}{name}": value for name, value in unknown} | wanted
        if not self.is_change or moved or self.reported_recurrence is None:
            return wanted
        zone = zone_or_utc(str(self.current.get("timezone", "")))
        shown = repetition.shown(self.reported_recurrence, zone).items()
        cleaned = {name: self.fields[name].clean(value) for name, value in shown}
        return wanted if self.chosen_recurrence() != repetition.chosen(cleaned, zone) else {}

    def _keep_time_and_zone_together(self, data: QueryDict | None) -> None:
        """Keeps a start typed here from going with a zone that was changed elsewhere."""
        was = unsign(data.get("was", "")) if data is not None else None
        if not was or not any(was.get(name) != self.current.get(name) for name in _TIMES):
            return
        typed = MultiValueDict({name: [data.get(name, "")] for name in _TIMES} if data else {})
        own = any(self.fields[name].has_changed(was.get(name), typed[name]) for name in _TIMES)
        same = all(
            not self.fields[name].has_changed(self.current.get(name), typed[name])
            for name in _TIMES
        )
        if own and not same and data is not None:
            for name in _TIMES:
                self.data[name] = data.get(name, "")  # type: ignore[index]
            self.elsewhere |= {"start_time"}


def rule_needed() -> str:
    return _(
        "With another start or time zone the service replaces all occurrences. Choose “Replace all "
        "occurrences”, and how they repeat."
    )


@cache
def plan_form(spec: SessionSpec, *, change: bool = False) -> type[PlanForm]:
    """The form class of a spec, for new sessions or for changes of one."""
    model = spec.change if change else spec.new
    base = contract_form(model, exclude=("recurrence",), lines=("agenda",))
    alternatives = base.base_fields[ALTERNATIVES]
    fields: dict[str, Any] = {
        **repetition.fields_for(model),
        "repeat": forms.ChoiceField(
            label=gettext_lazy("Occurrences"),
            choices=[
                ("keep", gettext_lazy("Keep current occurrences")),
                ("new", gettext_lazy("Replace all occurrences")),
            ],
            required=False,
            initial="keep",
        ),
        ALTERNATIVES: PeopleField(
            several=True,
            by_email=True,
            label=alternatives.label,
            help_text=gettext_lazy("They can start it when the host is not available."),
        ),
        "expected": forms.IntegerField(
            label=gettext_lazy("Expected participants"),
            required=False,
            min_value=1,
            help_text=gettext_lazy("Used only to check the host's licence. It is not sent."),
        ),
    }
    if "schedule_for" in base.base_fields:
        fields["schedule_for"] = PeopleField(
            by_email=False,
            label=gettext_lazy("Schedule for"),
            help_text=gettext_lazy("This person becomes the host."),
        )
    if not change:
        fields["host"] = PeopleField(label=gettext_lazy("Host"), required=True)
        fields["host"].error_messages["required"] = gettext_lazy("Choose a host.")
        fields[MORE_HOSTS] = PeopleField(
            several=True,
            label=gettext_lazy("More hosts"),
            help_text=gettext_lazy(
                "Each gets one of their own with these settings. You preview them before any is "
                "scheduled, and can undo them together."
            ),
        )
    name = f"{'Change' if change else 'New'}{spec.code.capitalize()}Form"  # untranslated: a class
    made: type[PlanForm] = type(name, (PlanForm, base), {**fields, "spec": spec})
    return made


def proposed(form: PlanForm, session: SessionRecord | None = None) -> PreviewPlan:
    """The plan in a form that was checked; what is wrong or missing is left out."""
    form.full_clean()
    cleaned = form.cleaned_data
    named = cleaned.get("schedule_for") or cleaned.get("host") or (session and session.host.id)
    plan = PreviewPlan(
        spec=form.spec,
        host=colleague(form.scope, named) if named else None,
        start=form.start,
        minutes=cleaned.get("duration") or None,
        recurrence=_recurrence(form),
        expected=cleaned.get("expected"),
        hosts=max(len(form.hosts), 1),
    )
    return plan if session is None else _of_change(plan, form, session)


def _of_change(plan: PreviewPlan, form: PlanForm, session: SessionRecord) -> PreviewPlan:
    """Returns what the service makes of the change."""
    plan = replace(plan, besides=session)
    if not form.replaces_times:
        is_series = form.chosen_type == form.spec.series
        return replace(plan, unchanged=tuple(session.dates) if is_series else ())
    if form.moves_without_a_rule:
        return replace(plan, recurrence=None, remarks=(rule_needed(),))
    if plan.start is None and form.chosen_type in form.spec.fixed:
        return plan  # the start is still to be filled in
    is_series = form.chosen_type == form.spec.series
    zone = plan.start.zone if plan.start else session.timezone
    return replace(plan, replacement=replaced(session, plan.moments if is_series else (), zone))


def _recurrence(form: PlanForm) -> Recurrence | None:
    chosen = form.chosen_recurrence()
    if not chosen:
        return None
    rule = {name.removeprefix(PREFIX): value for name, value in chosen.items()}
    try:
        return Recurrence.model_validate(rule)
    except ValidationError:
        return None
