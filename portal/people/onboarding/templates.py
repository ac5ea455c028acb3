"""Onboarding templates: saved, deleted, and found by department; each change is recorded."""

from collections.abc import Iterable, Iterator

from django.core.exceptions import ValidationError
from django.db import transaction

from portal.access.http import Origin
from portal.access.models import Connection
from portal.access.scope import Scope
from portal.audit.acts import Act
from portal.audit.trail import record
from portal.contract.model import JsonDict
from portal.directory import groups as groups_mirror
from portal.directory.colleagues import called
from portal.directory.models import licence_label
from portal.directory.scope_rules import outsiders
from portal.people.labels import settings_in_words
from portal.people.models import OnboardingTemplate
from portal.people.services.groups import GROUPS, IM_GROUPS, GroupType, chosen
from portal.translation import gettext as _, gettext_lazy

APPLYING = gettext_lazy("Apply %(template)s to %(who)s")
_FIELDS = ("name", "departments", "licence", "groups", "im_groups", "assistants", "settings")


def save(origin: Origin, template: OnboardingTemplate, wanted: JsonDict) -> None:
    """Saves a new or changed template with the values `wanted`. Raises `ValidationError`."""
    connection = template.connection
    with transaction.atomic():
        Connection.objects.select_for_update().get(pk=connection.pk)  # one at a time takes a name
        others = OnboardingTemplate.objects.filter(connection=connection).exclude(pk=template.pk)
        if others.filter(name__iexact=wanted["name"]).exists():
            raise ValidationError({"name": _("Another template has this name.")})
        for other in others:
            both = {one.casefold() for one in other.departments}
            if taken := [one for one in wanted["departments"] if one.casefold() in both]:
                words = _("%(departments)s: the template “%(template)s” is for this department.")
                words %= {"departments": ", ".join(taken), "template": other}
                raise ValidationError({"departments": words})
        before = in_fields(template) if template.pk else None
        for name in _FIELDS:
            setattr(template, name, wanted[name])
        template.save()
        _record(origin, Act.ONBOARDING_SET, template, before)


def delete(origin: Origin, template: OnboardingTemplate) -> None:
    with transaction.atomic():
        _record(origin, Act.ONBOARDING_REMOVED, template, in_fields(template))
        template.delete()


def in_fields(template: OnboardingTemplate) -> dict[str, object]:
    """Returns a template as the audit trail and jobs store it."""
    return {name: getattr(template, name) for name in _FIELDS}


def of_connection(scope: Scope) -> list[OnboardingTemplate]:
    """Returns the templates of the account; for a narrow scope those that are for its departments
    alone, and give nothing of others."""
    templates = OnboardingTemplate.objects.filter(connection=scope.connection)
    return [one for one in templates if not scope.is_narrow or _is_within(scope, one)]


def _is_within(scope: Scope, template: OnboardingTemplate) -> bool:
    """Returns whether a narrow scope shows everything that a template names."""
    departments, assistants = template.departments, [key for key, _name in template.assistants]
    named = [(kind, key) for kind, keys in _named_groups(template) for key in keys]
    return (
        bool(departments)
        and scope.departments.issuperset(departments)
        and not outsiders(scope, assistants)
        and all(one.name for kind, key in named for one in chosen(scope, kind, [key]))
    )


def _named_groups(template: OnboardingTemplate) -> Iterator[tuple[GroupType, list[str]]]:
    for kind, named in ((GROUPS, template.groups), (IM_GROUPS, template.im_groups)):
        yield kind, [key for key, _name in named]


def for_department(
    templates: Iterable[OnboardingTemplate], department: str
) -> OnboardingTemplate | None:
    """Returns the template for a department; there is one at most."""
    wanted = department.strip().casefold()
    for one in templates:
        if wanted and wanted in {each.casefold() for each in one.departments}:
            return one
    return None


def gone(scope: Scope, template: OnboardingTemplate) -> list[str]:
    """Returns groups and people that a template names and that are not on the account any more, as
    far as the lists show."""
    missing = []
    if groups_mirror.state_of(scope.connection).refreshed_at is not None:
        for kind, named in ((GROUPS, template.groups), (IM_GROUPS, template.im_groups)):
            existing = chosen(scope, kind, [key for key, _name in named])
            existing_ids = {one.id for one in existing if one.name}
            missing += [f"{kind.title} {name}" for key, name in named if key not in existing_ids]
    people = called(scope, [key for key, _name in template.assistants])
    existing_ids = {one.id for one in people if one.is_listed}
    return missing + [
        _("Assistant %(name)s") % {"name": name}
        for key, name in template.assistants
        if key not in existing_ids
    ]


def effects(template: OnboardingTemplate) -> list[str]:
    """Returns the effects of a template, in words."""
    words = []
    if template.licence is not None:
        words.append(_("Licence: %(licence)s") % {"licence": licence_label(template.licence)})
    for title, named in (
        (_("Groups"), template.groups),
        (_("IM groups"), template.im_groups),
        (_("Assistants"), template.assistants),
    ):
        if named:
            words.append(f"{title}: {', '.join(name for _key, name in named)}")
    if count := len(template.settings):
        words.append(settings_in_words(count))
    return words


def _record(
    origin: Origin, act: Act, template: OnboardingTemplate, before: JsonDict | None
) -> None:
    record(
        origin,
        act,
        object_id=template.pk,
        label=template.name,
        connection=template.connection,
        sent=in_fields(template) if act is Act.ONBOARDING_SET else {},
        before=before,
    )
