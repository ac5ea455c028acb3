"""Forms of approvals: the reasons that are given, and the rules of a connection."""

from typing import Any

from django import forms

from portal.contract import FAMILIES, operations
from portal.contract.operation import Effect
from portal.translation import gettext_lazy, pgettext_lazy
from portal.ui.forms.fields import TypedForm, typed_field

_LINES = forms.Textarea(attrs={"rows": 3})


class OperationPicks(forms.CheckboxSelectMultiple):
    """Check boxes in a fold for each family, which says how many of them are chosen."""

    template_name = "approvals/operations.html"

    def get_context(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context(*args, **kwargs)
        groups = context["widget"]["optgroups"]
        context["folds"] = [
            (title, options, sum(option["selected"] for option in options))
            for title, options, _index in groups
        ]
        return context


APPROVE_WORD = pgettext_lazy("typed", "approve")


class ConfirmForm(TypedForm):
    """A form for the word that confirms what destroys."""

    word = APPROVE_WORD

    confirmation = typed_field(APPROVE_WORD)


class DeclineForm(forms.Form):
    answer = forms.CharField(
        label=gettext_lazy("Reason for declining"),
        max_length=1000,
        widget=_LINES,
        help_text=gettext_lazy("The person who asked sees it."),
    )


def _choices() -> list[tuple[str, list[tuple[str, str]]]]:
    """The operations that change something, by their families."""
    writing = [each for each in operations() if each.effect is not Effect.READ]
    grouped = [
        (family.title, [(one.name, one.summary) for one in writing if one.family == family.name])
        for family in FAMILIES
    ]
    return [(title, choices) for title, choices in grouped if choices]


class RulesForm(forms.Form):
    """The rules of a connection; `reason` is needed where weaker rules wait for an approval."""

    operations = forms.MultipleChoiceField(
        label=gettext_lazy("Changes that need approval"),
        choices=_choices,
        required=False,
        widget=OperationPicks,
    )
    job_rows = forms.IntegerField(
        label=gettext_lazy("Jobs with more rows than"),
        required=False,
        min_value=0,
        max_value=1_000_000,
        help_text=gettext_lazy("Larger jobs need approval. Leave empty for no limit."),
    )
    destructive_job_rows = forms.IntegerField(
        label=gettext_lazy("Jobs that cannot be undone, with more rows than"),
        required=False,
        min_value=0,
        max_value=1_000_000,
        help_text=gettext_lazy("Such as deleting people. Leave empty for no limit of their own."),
    )
    request_hours = forms.IntegerField(
        label=gettext_lazy("Hours that a request waits"),
        min_value=1,
        max_value=720,
        help_text=gettext_lazy("After that it lapses, and has to be made again."),
    )
    approval_hours = forms.IntegerField(
        label=gettext_lazy("Hours that an approval holds"),
        min_value=1,
        max_value=168,
        help_text=gettext_lazy(
            "What could not be sent by then, because the service was down, is not sent."
        ),
    )
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        required=False,
        max_length=1000,
        widget=_LINES,
        help_text=gettext_lazy("Needed to turn approvals off or to ask for fewer of them."),
    )

    def limits(self) -> dict[str, Any]:
        data = {name: value for name, value in self.cleaned_data.items() if name != "reason"}
        return {**data, "operations": sorted(data["operations"])}
