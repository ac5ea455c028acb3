"""Departments and groups that a user who sees a part of the account puts new people into."""

from collections.abc import Collection, Iterator

from django import forms

from portal.access.form_fields import choices_of, offer_choices
from portal.access.scope import Scope
from portal.audit.guards import Protected
from portal.contract.operation import AnyOperation
from portal.contract.words import Message, gettext_noop
from portal.directory import groups as groups_mirror
from portal.directory.models import GroupKind
from portal.directory.scope_rules import unplaced_people
from portal.translation import gettext as _, gettext_lazy

NO_PLACE = gettext_noop("A new person needs a department or a group of yours.")
_CHOOSE = gettext_lazy("Choose a department or a group: new people are added to one of yours.")


def own_departments(scope: Scope) -> list[str]:
    return sorted(scope.departments, key=str.casefold)


def own_groups(scope: Scope) -> list[tuple[str, str]]:
    """Returns the groups of a narrow scope that are on the account, as ids and names."""
    groups = groups_mirror.choices(scope)[GroupKind.GROUP]
    return [(key, name) for key, name in groups if key in scope.groups]


def is_placed(scope: Scope, department: str, group_ids: Collection[str]) -> bool:
    """Returns whether the scope shows a person with this department and these groups."""
    is_within = department in scope.departments or bool(scope.groups.intersection(group_ids))
    return not scope.is_narrow or is_within


def require_place(
    operation: AnyOperation, scope: Scope, department: str, group_ids: Collection[str]
) -> None:
    """Raises `Protected` for a new person who would be outside of a narrow scope."""
    if not is_placed(scope, department, group_ids):
        raise Protected(operation, Message(NO_PLACE))


def is_unplaced(scope: Scope, user_id: str) -> bool:
    """Returns whether a person is visible to the user of a narrow scope as their maker alone."""
    return scope.is_narrow and unplaced_people(scope).filter(user_id=user_id).exists()


def offer_places(form: forms.BaseForm, scope: Scope, department: str, group: str) -> None:
    """Has two choice fields of a form offer the departments and groups of a narrow scope. One that
    would offer nothing is removed, what is the only choice is chosen, and what has to be chosen is
    required."""
    offered = {
        department: [(name, name) for name in own_departments(scope)],
        group: own_groups(scope),
    }
    is_only = len([one for each in offered.values() for one in each]) == 1
    for name, choices in offered.items():
        if not choices:
            del form.fields[name]
            continue
        field = form.fields[name]
        several = isinstance(field, forms.MultipleChoiceField)
        field.required = field.widget.is_required = not all(offered.values())
        unset = _("Choose one") if field.required else _("None")
        offer_choices(form, name, choices, unset="" if is_only or several else unset)
        if is_only and not form.initial.get(name):
            [(key, _words)] = choices
            form.initial[name] = [key] if several else key


def check_place(form: forms.BaseForm, names: Collection[str]) -> None:
    """Adds an error to the first of these fields that the form has if nothing is chosen in any."""
    offered = [name for name in names if name in form.fields]
    cleaned = form.cleaned_data
    if not offered:
        form.add_error(None, _CHOOSE)
    elif not any(cleaned.get(name) or name in form.errors for name in offered):
        form.add_error(offered[0], _CHOOSE)


def chosen_groups(form: forms.BaseForm, name: str) -> Iterator[tuple[str, str]]:
    """Yields the ids and names of the groups that are chosen in a field, if the form has it."""
    if name in form.fields:
        offered = choices_of(form, name)
        yield from ((key, offered[key]) for key in form.cleaned_data.get(name) or ())
