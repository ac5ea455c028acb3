"""Forms of baselines: scope and settings, and the import of a document."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, cast

from django import forms
from django.http import QueryDict
from django.utils.text import format_lazy

from portal.access.form_fields import choices_of, offer_choices
from portal.account.baselines.document import MOST, version_of
from portal.account.baselines.services import Target
from portal.account.models import Baseline, Reach
from portal.account.subjects import PEOPLE, SUB_ACCOUNTS
from portal.translation import gettext as _, gettext_lazy
from portal.ui.filters import SearchFilter
from portal.ui.forms import contract_fields
from portal.ui.forms.widgets import Picks
from portal.ui.settings.catalog import ChosenSettings, SettingsCatalog, Values, values_of

_LINES = ["in_meeting.custom_service_instructions"]
_SEPARATOR = ":"
_CHANGED = gettext_lazy(
    "Someone has changed this baseline since you opened it. Save again to replace their changes."
)


class BaselineForm(ChosenSettings):
    """Name, scope and wanted settings of a baseline; `initial` fills it in.

    `targets` are what can be chosen of: groups and departments, or sub accounts.
    """

    as_it_is: ClassVar[str] = gettext_lazy("Any value")
    about: ClassVar[tuple[str, ...]] = ("name", "scope")

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        targets: Mapping[Reach, Sequence[Target]],
        baseline: Baseline | None = None,
        values: Values | None = None,
    ) -> None:
        super().__init__(data, initial={})
        self.targets = targets
        self.offer_to_leave(values or (baseline.values if baseline else {}))
        self.fields["name"] = forms.CharField(
            max_length=100, label=_("Name"), initial=baseline.name if baseline else None
        )
        self._version = version_of(baseline)
        self.fields["seen"] = forms.CharField(
            required=False, widget=forms.HiddenInput, initial=self._version
        )
        self.add_scope(baseline)

    def add_scope(self, baseline: Baseline | None) -> None:
        """Asks whom it is for."""
        raise NotImplementedError

    def chosen_scope(self) -> tuple[Reach, list[Target]]:
        raise NotImplementedError

    def clean(self) -> dict[str, object]:
        cleaned = super().clean()
        if not self.errors and self.changes() is None:
            self.add_error(None, _("No setting is chosen. Choose at least one."))
        if not self.errors and cleaned.get("seen") != self._version:
            self.add_error(None, _CHANGED)
            self.data = cast(QueryDict, self.data).copy()
            self.data["seen"] = self._version
        return cleaned

    def wanted(self) -> Values:
        return values_of(self.changes())


@contract_fields(PEOPLE.catalog.update, lines=_LINES)
class PeopleBaselineForm(BaselineForm):
    """A baseline for everyone, a group or a department."""

    catalog: ClassVar[SettingsCatalog] = PEOPLE.catalog

    def add_scope(self, baseline: Baseline | None) -> None:
        choices: list[Any] = [("", _("Choose…")), (Reach.ALL.value, _("Everyone"))]
        for scope, title in ((Reach.GROUP, _("Groups")), (Reach.DEPARTMENT, _("Departments"))):
            named = dict(self.targets.get(scope, ()))
            if baseline and baseline.scope == scope:
                named = {**dict(baseline.targets), **named}
            if named:
                options = [(f"{scope}{_SEPARATOR}{key}", name) for key, name in named.items()]
                choices.append((title, options))
        initial = None
        if baseline:
            initial = _SEPARATOR.join([baseline.scope, *baseline.target_ids])
        self.fields["scope"] = forms.ChoiceField(
            choices=choices, label=_("Applies to"), initial=initial
        )

    def chosen_scope(self) -> tuple[Reach, list[Target]]:
        scope, _separator, key = self.cleaned_data["scope"].partition(_SEPARATOR)
        if scope == Reach.ALL:
            return Reach.ALL, []
        offered = choices_of(self, "scope")
        return Reach(scope), [(key, offered[self.cleaned_data["scope"]])]


@contract_fields(SUB_ACCOUNTS.catalog.update, lines=_LINES)
class AccountBaselineForm(BaselineForm):
    """A baseline for all sub accounts, or for chosen ones."""

    catalog: ClassVar[SettingsCatalog] = SUB_ACCOUNTS.catalog
    about: ClassVar[tuple[str, ...]] = ("name", "scope", "accounts")

    def add_scope(self, baseline: Baseline | None) -> None:
        self.fields["scope"] = forms.ChoiceField(
            choices=[
                ("", _("Choose…")),
                (Reach.ALL.value, _("All sub accounts")),
                (Reach.CHOSEN.value, _("Chosen sub accounts")),
            ],
            label=_("Applies to"),
            initial=baseline.scope if baseline else None,
            help_text=_("All includes those that are added later."),
        )
        choices = dict(self.targets.get(Reach.CHOSEN, ()))
        if baseline:
            choices = {**dict(baseline.targets), **choices}
        self.fields["accounts"] = forms.MultipleChoiceField(
            choices=list(choices.items()),
            label=_("Sub accounts"),
            required=False,
            widget=Picks,
            initial=baseline.target_ids if baseline else None,
            help_text=_("If the baseline applies to chosen ones."),
        )

    def clean(self) -> dict[str, object]:
        cleaned = super().clean()
        scope, accounts = cleaned.get("scope"), cleaned.get("accounts")
        if scope == Reach.CHOSEN and not accounts and "accounts" not in self.errors:
            self.add_error("accounts", _("Choose at least one sub account."))
        elif scope == Reach.ALL and accounts:
            self.add_error("accounts", _("Choose all sub accounts or some of them, not both."))
        return cleaned

    def chosen_scope(self) -> tuple[Reach, list[Target]]:
        if self.cleaned_data["scope"] == Reach.ALL:
            return Reach.ALL, []
        choices = choices_of(self, "accounts")
        return Reach.CHOSEN, [(key, choices[key]) for key in self.cleaned_data["accounts"]]


FORMS: dict[str, type[BaselineForm]] = {
    PEOPLE.name: PeopleBaselineForm,
    SUB_ACCOUNTS.name: AccountBaselineForm,
}


class BaselineImportForm(forms.Form):
    """A document: a file, or text that was pasted."""

    file = forms.FileField(
        label=gettext_lazy("File"),
        required=False,
        allow_empty_file=True,
        help_text=format_lazy(gettext_lazy("YAML, at most {most} kB."), most=MOST // 1000),
        widget=forms.FileInput({"accept": ".yaml,.yml,application/yaml,text/yaml"}),
    )
    text = forms.CharField(
        label="YAML",
        required=False,
        strip=False,
        help_text=gettext_lazy("Instead of a file."),
        widget=forms.Textarea({"rows": 12, "spellcheck": "false", "autocomplete": "off"}),
    )

    def clean(self) -> dict[str, object]:
        cleaned: dict[str, Any] = super().clean() or {}
        has_file, has_text = cleaned.get("file") is not None, bool(cleaned.get("text", "").strip())
        if has_file and has_text:
            self.add_error("text", _("Choose a file or paste the text, not both."))
        elif not has_file and not has_text and not self.errors:
            self.add_error("file", _("Choose a file, or paste the text."))
        return cleaned

    def content(self) -> bytes | str:
        file = self.cleaned_data["file"]
        return file.read() if file is not None else str(self.cleaned_data["text"])

    def refuse(self, words: str) -> None:
        """Says what is wrong, at the field that it came by."""
        self.add_error("text" if self.cleaned_data.get("file") is None else "file", words)


class BaselineFilter(SearchFilter):
    """The filter bar of baselines; those with drift come first."""

    sorts = ("drift", "name", "checked_at")


class DriftFilter(SearchFilter):
    sorts = ("subject", "setting", "since")

    setting = forms.ChoiceField(label=gettext_lazy("Setting"), required=False)

    def __init__(self, data: QueryDict, settings: Sequence[tuple[str, str]]) -> None:
        self._settings = settings
        super().__init__(data)

    def prepare(self) -> None:
        offer_choices(self, "setting", self._settings, unset=_("Any setting"))
