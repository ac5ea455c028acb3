"""What a service reports names something within its account alone: each unique identifier stands
beside its connection, or beside the service and the account."""

from django.apps import apps
from django.db.models import ForeignKey, UniqueConstraint

from portal.access.models import Connection

# Made by the portal, or given by its users; services report none of it.
OURS = {
    "access.Connection": {("key",), ("owner", "name")},
    "access.CustomRole": {("key",)},
    "access.User": {("email",)},
    "access.EndedLimit": {("user", "connection_key")},
    "approvals.ApprovalRequest": {("key",), ("subject",)},
    "imports.StoredTable": {("key",)},
    "jobs.Job": {("key",)},
    "recordings.RetentionNotice": {("key",)},
    "reports.ReportRun": {("key",)},
    "team.AccountChange": {("user", "kind")},
    "ui.ListColumns": {("user", "list_name")},
    "ui.SentForm": {("user", "ticket")},
    "webhooks.Subscription": {("path",)},
}
# Of rows that outlive their connection.
BY_ACCOUNT = {"recordings.Hold": {("uuid", "service", "account_id")}}


def ours():
    return [
        model
        for model in apps.get_models()
        if model.__module__.startswith("portal.") and "sandbox" not in model.__module__
    ]


def unique_in(model):
    """Yields the names of the fields that are unique together, without the primary key."""
    for field in model._meta.local_fields:
        if field.unique and not field.primary_key and not field.is_relation:
            yield (field.name,)
    for constraint in model._meta.constraints:
        if isinstance(constraint, UniqueConstraint):
            yield tuple(constraint.fields)


def is_within_a_connection(model, seen=()):
    """Returns whether each row belongs to a connection, through whatever it is a part of."""
    for field in model._meta.local_fields:
        if isinstance(field, ForeignKey) and not field.null and field.related_model not in seen:
            of = field.related_model
            if of is Connection or is_within_a_connection(of, (*seen, model)):
                return True
    return False


def is_part(model, names):
    """Returns whether one of the fields leads to the connection."""
    fields = [model._meta.get_field(name) for name in names]
    return any(
        field.is_relation
        and (field.related_model is Connection or is_within_a_connection(field.related_model))
        for field in fields
    )


def test_unique_identifier_stands_beside_its_account():
    alone = {
        (model._meta.label, names)
        for model in ours()
        for names in unique_in(model)
        if not is_part(model, names)
    }
    known = OURS | BY_ACCOUNT
    assert alone == {(label, names) for label, each in known.items() for names in each}
