"""Form fields from field specs: the label, help, limits and choices that the contract declares."""

from datetime import date, datetime
from enum import Enum
from functools import partial
from typing import Any, ClassVar, get_args

from django import forms
from django.core.validators import ProhibitNullCharactersValidator

from portal.access.form_fields import choices_in
from portal.contract.choices import NumberChoice, TextChoice
from portal.contract.types import Digits, Email, TimeZone, WebAddress
from portal.contract.words import gettext
from portal.translation import gettext as _, gettext_lazy, lazily, options, pgettext_lazy
from portal.ui.addresses import has_unseen, visible
from portal.ui.forms.specs import FieldSpec
from portal.ui.forms.widgets import (
    Cards,
    Checks,
    Choices,
    LinesInput,
    MomentField,
    SecretInput,
    Switch,
    TimeZones,
)

NOT_SET = gettext_lazy("Not set")
_CARDS_AT_MOST = 4
_LONG_TEXT = 256
_TYPED_BY_HAND = {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}


class ListField(forms.CharField):
    """Several simple values, one on each line."""

    widget = LinesInput

    def to_python(self, value: object) -> Any:
        text = visible(value) if isinstance(value, str) else ""
        return [line.strip() for line in text.splitlines() if line.strip()]

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool(list(initial or []) != self.to_python(data))


class OneLine(forms.CharField):
    """Text on one line, without invisible characters and without space around it."""

    def to_python(self, value: object) -> str:
        return visible(str(super().to_python(value))).strip()


class LongText(forms.CharField):
    """Text over several lines, without invisible characters and without space around it.
    Browsers send line ends of their own, which are no change."""

    widget = forms.Textarea({"rows": 3})

    def to_python(self, value: object) -> str:
        return visible(str(super().to_python(value)).replace("\r\n", "\n")).strip()

    def has_changed(self, initial: object, data: object) -> bool:
        return self.to_python(initial) != self.to_python(data)


def with_unseen(form: forms.BaseForm) -> list[str]:
    """Returns the labels of the fields that came with invisible characters."""
    typed = (OneLine, LongText, ListField)
    fields = (form[name] for name, field in form.fields.items() if isinstance(field, typed))
    return [str(one.label) for one in fields if has_unseen(str(one.data or ""))]


def form_field(spec: FieldSpec, *, has_lines: bool = False) -> forms.Field:
    """Returns the Django field of a spec. `TypeError` for a type that no form can ask for.

    `has_lines` is for text that runs over several lines, though its limits do not say so.
    """
    field = _described(spec, _text(spec, has_lines=True) if has_lines else _field(spec))
    field.required = spec.is_required and not isinstance(field, forms.BooleanField)
    # Django's own words for a missing value would speak otherwise than the contract's.
    field.error_messages["required"] = gettext_lazy("This field is required.")
    field.widget.is_required = field.required
    return field


def _described(spec: FieldSpec, field: forms.Field) -> forms.Field:
    # Forms are made once, and read in several languages.
    field.label = lazily(lambda: spec.title)
    field.help_text = lazily(lambda: spec.description)
    if isinstance(field, ListField):
        field.help_text = _joined(field.help_text, gettext_lazy("One on each line."))
    field.is_deprecated = bool(spec.info.deprecated)  # type: ignore[attr-defined]
    return field


def _joined(*words: object) -> str:
    return lazily(lambda: " ".join(filter(None, map(str, words))))


def _field(spec: FieldSpec) -> forms.Field:
    if spec.is_list:
        return _list(spec)
    kind = spec.kinds[0] if len(spec.kinds) == 1 else None
    if not isinstance(kind, type):
        raise TypeError(f"{spec.name}: no form can ask for {spec.info.annotation}")
    if issubclass(kind, TextChoice | NumberChoice):
        return _choice(spec, kind)
    if issubclass(kind, bool):
        return three_way() if spec.is_optional else switch(spec)
    if issubclass(kind, int):
        return _number(spec)
    if issubclass(kind, datetime):
        return MomentField(in_gmt=spec.schema.get("pattern", "").endswith("Z$"))
    if issubclass(kind, date):
        return forms.DateField(widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"))
    if issubclass(kind, bytes):
        return forms.FileField(widget=forms.FileInput({"hx-preserve": "true"}))
    if issubclass(kind, str):
        return _text(spec)
    raise TypeError(f"{spec.name}: no form can ask for {spec.info.annotation}")


def _text(spec: FieldSpec, *, has_lines: bool = False) -> forms.Field:
    limits: dict[str, Any] = {
        "min_length": spec.schema.get("minLength"),
        "max_length": spec.schema.get("maxLength"),
    }
    field: forms.Field
    if has_lines or (not spec.is_sensitive and spec.schema.get("maxLength", 0) > _LONG_TEXT):
        field = LongText(strip=False, **limits)
    elif spec.is_sensitive:
        field = forms.CharField(strip=False, widget=_text_widget(spec), **limits)
    else:
        field = OneLine(widget=_text_widget(spec), **limits)
    # The contract speaks of broken limits itself; Django's attributes are for the browser.
    field.validators = [ProhibitNullCharactersValidator(gettext_lazy("Remove the NUL character."))]
    return field


def _text_widget(spec: FieldSpec) -> forms.Widget:
    attributes: dict[str, Any] = dict(_TYPED_BY_HAND)
    if digits := next((mark for mark in spec.marks if isinstance(mark, Digits)), None):
        message = lazily(partial(gettext, digits.message))
        attributes |= {"pattern": f"[0-9]{{{digits.count}}}", "title": message}
    elif pattern := spec.schema.get("pattern"):
        attributes["pattern"] = pattern.removeprefix("^").removesuffix("$")
    if attributes.get("pattern", "").startswith("[0-9]"):
        attributes["inputmode"] = "numeric"
    if spec.is_sensitive:
        return SecretInput(attributes | {"autocomplete": "new-password"})
    if _is(TimeZone, spec):
        return TimeZones(attributes)
    if _is(Email, spec):
        return forms.TextInput({**attributes, "inputmode": "email"})
    if _is(WebAddress, spec):
        return forms.TextInput({**attributes, "inputmode": "url"})
    return forms.TextInput(attributes if "pattern" in attributes else {"autocomplete": "off"})


def _is(shared: Any, spec: FieldSpec) -> bool:
    """Returns whether a leaf is of a shared type such as `Email`, recognised by its validator."""
    return shared.__metadata__[-1] in spec.marks


def _number(spec: FieldSpec) -> forms.Field:
    field = forms.IntegerField(
        min_value=spec.schema.get("minimum"), max_value=spec.schema.get("maximum")
    )
    field.validators = []
    field.error_messages["invalid"] = gettext_lazy("This must be a whole number.")
    return field


def switch(spec: FieldSpec) -> forms.Field:
    return forms.BooleanField(required=False, widget=Switch, initial=bool(spec.default))


def fit_unreported(spec: FieldSpec, field: forms.Field) -> forms.Field:
    """Returns the field of an existing object whose value was not reported: it may stay unset.

    The document's default says what a new object has, not what this one holds.
    """
    if spec.kinds == (bool,):
        return _described(spec, three_way())
    if isinstance(field, forms.TypedChoiceField) and not spec.is_required:
        choices = choices_in(field)
        choices.pop("", None)
        field.choices = [("", NOT_SET), *choices.items()]
        field.initial = None
    return field


def fit_reported(
    spec: FieldSpec, field: forms.Field, value: object, *, is_change: bool
) -> forms.Field:
    """Returns the field once its value is known: it can be changed, but no longer be unset."""
    if spec.kinds == (bool,):
        return _described(spec, switch(spec))
    if isinstance(field, MomentField):
        field.fit_reported(value)
    if isinstance(field, forms.TypedMultipleChoiceField):
        _keep_unknown(field, value)
    if not is_change:
        return field
    if spec.is_sensitive:
        field.required = field.widget.is_required = False
        may_be_empty = gettext_lazy("Leave empty to keep the current value.")
        field.help_text = _joined(field.help_text, may_be_empty)
    elif isinstance(field, forms.TypedChoiceField):
        _fit_choice(field, value)
    elif isinstance(field, forms.IntegerField | MomentField):
        field.required = field.widget.is_required = True
        field.error_messages["required"] = gettext_lazy("This cannot be cleared.")
    return field


def _fit_choice(field: forms.TypedChoiceField, current: object) -> None:
    """Removes "not set"; a value that the document does not know stays while it is left alone."""
    choices = [(value, label) for value, label in choices_in(field).items() if value != ""]
    if str(current) not in {str(value) for value, _label in choices}:
        choices.insert(0, (current, str(current)))
        convert = field.coerce
        field.coerce = lambda value: current if str(value) == str(current) else convert(value)
    field.choices = choices


def _keep_unknown(field: forms.TypedMultipleChoiceField, current: Any) -> None:
    """Keeps a choice that was made and that the document does not know."""
    choices = choices_in(field)
    offered = set(map(str, choices))
    unknown = [each for each in map(str, current) if each not in offered]
    field.choices = [*choices.items(), *zip(unknown, unknown, strict=True)]
    convert = field.coerce
    field.coerce = lambda value: convert(value) if str(value) in offered else value


def three_way() -> forms.Field:
    """On, off, or neither: nothing is sent."""
    return forms.TypedChoiceField(
        choices=[("", NOT_SET), ("true", gettext_lazy("On")), ("false", gettext_lazy("Off"))],
        coerce=lambda value: value == "true",
        empty_value=None,
        required=False,
    )


def _choice(spec: FieldSpec, kind: Choices) -> forms.Field:
    choices = options(kind)
    as_cards = len(choices) <= _CARDS_AT_MOST and any(member.explanation for member in kind)
    if spec.is_optional:
        choices.insert(0, ("", NOT_SET))
    elif spec.default is None and not as_cards:
        choices.insert(0, ("", gettext_lazy("Choose…")))
    field = forms.TypedChoiceField(
        choices=choices,
        coerce=_coerce(kind),
        empty_value=None,
        widget=Cards if as_cards else forms.Select,
        initial=spec.default.value if isinstance(spec.default, Enum) else None,
    )
    if isinstance(field.widget, Cards):
        field.widget.explanations = _explanations(kind)
    field.error_messages["invalid_choice"] = lazily(
        lambda: _("Choose one of: %(labels)s.") % {"labels": ", ".join(one.label for one in kind)}
    )
    return field


def _list(spec: FieldSpec) -> forms.Field:
    """Boxes to check where the values are few and known, else a line for each."""
    kind = next(iter(get_args(spec.kinds[0])), str)
    if not (isinstance(kind, type) and issubclass(kind, TextChoice | NumberChoice)):
        return ListField()
    field = forms.TypedMultipleChoiceField(
        choices=options(kind),
        coerce=_coerce(kind),
        widget=Checks,
    )
    field.widget.explanations = _explanations(kind)
    return field


def _explanations(kind: Choices) -> dict[str, str]:
    return {str(one.value): lazily(partial(getattr, one, "explanation")) for one in kind}


def _coerce(kind: Choices) -> Any:
    return (lambda value: kind(int(value))) if issubclass(kind, int) else kind


# The word that is typed before a deletion.
DELETE_WORD = pgettext_lazy("typed", "delete")


def typed_field(word: str, **options: Any) -> forms.CharField:
    """Returns the field in which the word is typed; `is_typed` compares it."""
    return forms.CharField(
        label=lazily(lambda: _("Type “%(word)s” to confirm") % {"word": word}),
        widget=forms.TextInput(
            {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        ),
        error_messages={"required": gettext_lazy("Nothing was typed.")},
        **options,
    )


def is_typed(word: str, typed: str) -> bool:
    """Returns whether this is the word in the language of the page, in upper or lower case."""
    return typed.strip().casefold() == str(word).casefold()


class TypedForm(forms.Form):
    """Asks for a word to be typed."""

    word: ClassVar[str] = DELETE_WORD

    confirmation = typed_field(DELETE_WORD)

    def clean_confirmation(self) -> str:
        typed: str = self.cleaned_data["confirmation"]
        if not is_typed(self.word, typed):
            raise forms.ValidationError(_("This is not it."))
        return typed
