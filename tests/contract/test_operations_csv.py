"""The contract is the document, row by row."""

from portal.contract import FAMILIES, operations
from portal.contract.model import fields, submodel
from portal.contract.operation import Effect
from tests.contract.rows import rows
from tests.support.cases import for_each

ROWS = rows()
OPERATIONS = {f"{one.method} {one.path}": one for one in operations()}

each_row = for_each("row", ROWS, ids=lambda row: row.name)


def names(model):
    """The field names of a model and of all within it."""
    found: set[str] = set()
    for name, info in fields(model) if model else ():
        found |= {name} | names(submodel(info.annotation))
    return found


def test_the_document_has_155_operations_and_none_twice():
    assert len(ROWS) == len({row.name for row in ROWS}) == 155


def test_every_row_has_an_operation_and_every_operation_a_row():
    assert OPERATIONS.keys() == {row.name for row in ROWS}
    assert len(list(operations())) == 155


@each_row
def test_an_operation_is_what_its_row_says(row):
    one = OPERATIONS[row.name]
    query = dict(fields(one.query)) if one.query else {}
    assert {
        "status": one.status,
        "paging": one.pages.kind.value if one.pages else None,
        "query": query.keys(),
        "required": {name for name in query if query[name].is_required()},
        "has a body": one.body is not None,
        "has an answer": one.returns is not None,
        "other statuses": set(one.errors),
    } == {
        "status": row.status,
        "paging": row.paging,
        "query": row.query,
        "required": row.required_query,
        "has a body": row.body != "",
        "has an answer": row.answer != "",
        "other statuses": row.errors,
    }
    assert row.named_in_body <= names(one.body)
    assert row.named_in_answer <= names(one.returns)


def test_unique_names_may_be_taken_without_documented_409():
    assert {name: one.decided for name, one in OPERATIONS.items() if one.decided} == dict.fromkeys(
        (
            "POST /groups",
            "PATCH /groups/{groupId}",
            "POST /im/groups",
            "PATCH /im/groups/{groupId}",
            "POST /v2/tracking_fields",
            "PATCH /v2/tracking_fields/{fieldId}",
            "PUT /users/{userId}/email",
        ),
        (409,),
    )


LOCATED = {
    "POST /accounts",
    "POST /groups",
    "POST /h323/devices",
    "POST /im/groups",
    "POST /meetings/{meetingId}/polls",
    "POST /webinars/{webinarId}/polls",
    "POST /users",
    "POST /users/{userId}/assistants",
    "POST /users/{userId}/meetings",
    "POST /users/{userId}/webinars",
    "POST /v2/tracking_fields",
    "POST /webhooks",
    "POST /users/{userId}/picture",
}


def test_content_location_comes_with_creates_that_document_names():
    assert {name for name, one in OPERATIONS.items() if one.locates} == LOCATED


def effects(effect):
    return {one.name for one in OPERATIONS.values() if one.effect is effect}


def test_reads_are_reads_but_for_the_one_that_issues_a_token():
    reading = {one.name for one in OPERATIONS.values() if one.method == "GET"}
    assert reading - effects(Effect.READ) == {"users.token"}
    assert effects(Effect.READ) <= reading


def test_deletion_destroys_unless_it_can_be_added_again():
    deleting = {one.name for one in OPERATIONS.values() if one.method == "DELETE"}
    assert deleting - effects(Effect.DESTRUCTIVE) == {
        "assistants.remove",
        "schedulers.remove",
        "groups.remove_member",
        "im_groups.remove_member",
        "panelists.remove",
        "users.revoke_token",
    }


def test_ending_a_meeting_or_webinar_destroys_too():
    deleting = {one.name for one in OPERATIONS.values() if one.method == "DELETE"}
    assert effects(Effect.DESTRUCTIVE) - deleting == {"meetings.end", "webinars.end"}


# Nothing reads what these are about to change.
BLIND = {
    "accounts.create",
    "groups.create",
    "im_groups.create",
    "devices.create",
    "tracking_fields.create",
    "webhooks.create",
    "webhooks.choose_version",
    "users.create",
    "users.change_password",
    "users.revoke_token",
    "users.token",
    "tsp_accounts.create",
    "meetings.create",
    "webinars.create",
    "meeting_polls.create",
    "webinar_polls.create",
    "meeting_registrants.add",
    "meeting_registrants.change_status",
    "webinar_registrants.add",
    "webinar_registrants.change_status",
}


def test_every_other_write_names_read_that_reads_what_it_changes():
    assert {
        one.name
        for one in OPERATIONS.values()
        if one.effect is not Effect.READ and one.before is None
    } == BLIND


def test_families_have_names_titles_and_words_of_their_own():
    for words in ("name", "title", "__doc__"):
        said = [getattr(family, words) for family in FAMILIES]
        assert all(said)
        assert len(set(said)) == len(said)


def test_summaries_tell_operations_apart():
    summaries = [one.summary for one in operations()]
    assert len(set(summaries)) == len(summaries)


def test_what_the_service_gave_up_is_marked():
    assert {one.name for one in operations() if one.deprecated} == {"users.zpk_expiry"}
