"""Objects that entries of the audit trail name for a write."""

import pytest

from portal.access.roles import Role, may
from portal.audit.acts import FAMILIES
from portal.connections.calls import object_of
from portal.contract import FAMILIES as CONTRACT, operations
from portal.contract.operation import Effect


def objects():
    return {
        one.name: object_of(one.call(*("7" for _ in one.path_parameters), *_models(one)))
        for one in operations()
        if one.effect is not Effect.READ
    }


def _models(operation):
    """A query or body, unchecked: only the path counts here."""
    return [model.model_construct() for model in (operation.body,) if model]


@pytest.mark.parametrize(
    ("operation", "done_to"),
    [
        ("users.create", ("users", "")),
        ("tsp_accounts.delete", ("users", "7")),
        ("tracking_fields.create", ("tracking_fields", "")),
        ("tracking_fields.update", ("tracking_fields", "7")),
        ("devices.delete", ("devices", "7")),
        ("im_groups.remove_member", ("im_groups", "7")),
        ("groups.update", ("groups", "7")),
        ("telephony_provider.update", ("telephony_provider", "")),
        ("webhooks.choose_version", ("webhooks", "")),
        ("webhooks.update", ("webhooks", "7")),
        ("billing.update_base_plan", ("accounts", "7")),
        ("meetings.delete", ("meetings", "7")),
        ("webinar_polls.create", ("webinars", "7")),
    ],
)
def test_it_is_the_object_that_the_path_names(operation, done_to):
    assert objects()[operation] == done_to


def test_every_object_is_of_a_family_that_has_a_title():
    assert {family for family, _ in objects().values()} <= set(FAMILIES)


def test_families_are_called_what_the_contract_calls_them():
    assert {family.name: family.title for family in CONTRACT}.items() <= FAMILIES.items()


@pytest.mark.parametrize(
    ("role", "allowed", "refused"),
    [
        (
            Role.VIEWER,
            {"groups.list", "devices.list", "tracking_fields.list", "telephony_provider.get"},
            {"groups.create", "accounts.list", "billing.plans", "webhooks.list", "chat.sessions"},
        ),
        (
            Role.COMPLIANCE,
            {"groups.list", "chat.sessions", "chat.messages"},
            {"groups.create", "accounts.list", "webhooks.list"},
        ),
        (
            Role.OPERATOR,
            {"groups.create", "im_groups.add_members", "meetings.create", "devices.update"},
            {
                "groups.delete",
                "tracking_fields.create",
                "telephony_provider.update",
                "chat.sessions",
            },
        ),
        (
            Role.ADMINISTRATOR,
            {"groups.delete", "accounts.create", "webhooks.get", "tracking_fields.delete"},
            set(),
        ),
    ],
)
def test_roles_see_and_change_what_is_theirs(role, allowed, refused):
    named = {one.name: one for one in operations()}
    assert all(may(role, named[each]) for each in allowed)
    assert not any(may(role, named[each]) for each in refused)
