"""The form of each section of a profile."""

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict

from portal.access.scope import Scope
from portal.contract.users import UserUpdate
from portal.directory.users import departments
from portal.people.services.profile import SECTIONS, ProfileSection
from portal.ui.forms import ContractForm, contract_form
from portal.ui.forms.layout import focused, unsign

# Fields whose labels say as much as their descriptions.
_SELF_EVIDENT = frozenset(("first_name", "last_name", "type"))
_FORMS = {
    section.slug: contract_form(UserUpdate, fields=section.fields) for section in SECTIONS.values()
}


def section_form(
    scope: Scope, section: ProfileSection, values: Mapping[str, Any], data: QueryDict | None = None
) -> ContractForm:
    """The section's form over these values; that of the department offers those there are."""
    form: Any = _FORMS[section.slug](data, initial=values, prefix=section.slug)
    if dept := form.fields.get("dept"):
        dept.widget.attrs["list"] = "departments"
        form.departments = departments(scope)
    for name in _SELF_EVIDENT & form.fields.keys():
        form.fields[name].help_text = ""
    made: ContractForm = focused(form)
    return made


def opened_with(section: ProfileSection, data: QueryDict) -> Mapping[str, Any]:
    """Returns the section's values at the form's opening, in case the service does not report
    now."""
    return unsign(data.get(f"{section.slug}-was", "")) or {}
