"""What a file of people holds: under the interface's own names, so that an import recognises it."""

from portal.people.words import licence_label
from portal.ui.exports import Column

_FIELDS = {
    column.name: column
    for column in (
        Column("id", lambda person: person.user_id),
        Column("email", lambda person: person.email),
        Column("first_name", lambda person: person.first_name),
        Column("last_name", lambda person: person.last_name),
        Column("type", lambda person: licence_label(person.type)),
        Column("dept", lambda person: person.dept),
        Column("timezone", lambda person: person.timezone),
        Column("pmi", lambda person: person.pmi),
        Column("status", lambda person: person.status),
        Column("created_at", lambda person: person.created_at),
        Column("last_login_time", lambda person: person.last_login_time),
        Column("group_ids", lambda person: person.group_ids),
        Column("im_group_ids", lambda person: person.im_group_ids),
    )
}
ALL = tuple(_FIELDS.values())
# What stands under another name in the table, or in two fields.
_SHOWN_AS = {"name": ("first_name", "last_name"), "groups": ("group_ids", "im_group_ids")}


def columns_of(shown: list[str]) -> list[Column]:
    """The columns of a file for these of the table, with the address that tells who it is."""
    names = [name for column in shown for name in _SHOWN_AS.get(column, (column,))]
    return [_FIELDS[name] for name in dict.fromkeys(["email", *names])]
