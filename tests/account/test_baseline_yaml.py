"""Baselines as YAML: written, read again, reviewed; hostile and mistaken documents are refused."""

from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from portal.account.baselines import document
from portal.account.baselines.document import MOST, YamlFault, decode
from portal.account.models import Baseline, Reach
from portal.audit.models import AuditEntry
from tests.account.baselines import CAPTION, CHAT, fresh, made_baseline, url
from tests.account.pages import address
from tests.support.html import form_with, text_of

GOOD = """version: 1
name: Sales
kind: people
scope:
  group: Sales
settings:
  in_meeting:
    chat: true
    entry_exit_chime: host
  feature:
    meeting_capacity: 100
"""


def test_a_document_says_whom_and_what():
    found = document.parse(GOOD)
    wanted = found.baseline
    assert (wanted.name, wanted.kind, wanted.scope) == ("Sales", "people", Reach.GROUP)
    assert found.names[0].value == "Sales"
    assert wanted.values == {
        CHAT: True,
        "in_meeting.entry_exit_chime": "host",
        "feature.meeting_capacity": 100,
    }


@pytest.mark.parametrize(
    ("was", "now", "line", "words"),
    [
        ("version: 1", "version: 2", 1, "Only version 1"),
        ("version: 1", "version: true", 1, "Only version 1"),
        ("kind: people", "kind: robots", 3, "The kind must be one of"),
        ("  group: Sales", "  planet: Mars", 5, "The scope must be"),
        ("  group: Sales", "  group: 5", 5, "The group must be named by text"),
        ("  group: Sales", "  group: Sales\n  department: Sales", 5, "The scope must be"),
        ("    chat: true", "    chit: true", 8, "There is no setting “in_meeting.chit”"),
        ("  in_meeting:", "  at_lunch:", 8, "There is no group of settings “at_lunch”"),
        ("    chat: true", '    chat: "yes"', 8, "in_meeting.chat: This must be true or false."),
        ("    chat: true", "    chat: 1", 8, "in_meeting.chat: This must be true or false."),
        ("    chat: true", "    chat: perhaps", 8, "This must be true or false."),
        ("    chat: true", "    chat: [true]", 8, "has no value that can be set"),
        ("    chat: true", "    chat:", 8, "has no value that can be set"),
        ("    chat: true", "    chat: true\n    chat: false", 9, "“chat” appears twice."),
        ("chime: host", "chime: bagpipes", 9, "Choose one of"),
        ("capacity: 100", "capacity: 1.5", 11, "has no value that can be set"),
        ("capacity: 100", "capacity: -1", 11, "This must be at least 1."),
        ("capacity: 100", "capacity: 2001-99-99", 11, "This value cannot be read."),
        ("name: Sales", "name: [a]", 2, "The name must be text."),
        ("name: Sales", f"name: {'x' * 101}", 2, "Use at most 100 characters."),
        ("name: Sales", "name: Sales\nowner: me", 3, "“owner” is unknown."),
        ("name: Sales\n", "", 1, "“name” is missing."),
        ("name: Sales", 'name: "a\\0b"', 2, "characters that cannot be stored"),
        ("name: Sales", 'name: "a\\ud800b"', 2, "characters that cannot be stored"),
        ("name: Sales", "name: &a Sales", 2, "Anchors and aliases are not allowed."),
        ("name: Sales", "name: *a", 2, "Anchors and aliases are not allowed."),
        ("name: Sales", "name: !!python/object/apply:os.system [id]", 2, "Tags are not allowed."),
        ("name: Sales", "name: !sys x", 2, "Tags are not allowed."),
        ("name: Sales", "name: [[[[[[[[a]]]]]]]]", 2, "nested too deeply"),
        ("name: Sales", "name: 'open", 2, ""),
        ("name: Sales", "name: {[a]: b}", 2, "A name must be text."),
        ("name: Sales", "5: Sales", 2, "A name must be text."),
    ],
)
def test_what_is_wrong_is_said_with_its_line(was, now, line, words):
    assert was in GOOD
    with pytest.raises(YamlFault) as problem:
        document.parse(GOOD.replace(was, now, 1))
    said = str(problem.value)
    assert said.startswith(f"Line {line}: ") or not words, said
    assert words in said


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# nothing",
        "null",
        "- a\n- b",
        "a: b\n---\nc: d",
        "\x01",
        "[" * 90_000,
        "{a: " * 20_000,
        "- a\n" * 20_000,
        "a: &a [x, x]\nb: &b [*a, *a, *a]\nc: &c [*b, *b, *b]\n",
        "? " * 20_000,
        "x" * (MOST + 1),
        "9" * 9_000,
        "a: 1" + "0" * 5_000,
        "<<: {a: b}",
        "%YAML 9.9\n---\na: b",
        "!!binary x",
        "a: .inf",
        "\t: a",
    ],
)
def test_hostile_documents_are_refused_at_once(text):
    with pytest.raises(YamlFault):
        document.parse(text)


def test_a_file_is_text_of_bounded_size():
    assert decode(b"\xef\xbb\xbfa: b") == "a: b"
    for content in (b"\xff\xfe\x00", b"x" * (MOST + 1)):
        with pytest.raises(YamlFault):
            decode(content)


@pytest.mark.django_db
def test_what_is_exported_is_read_again_as_it_was(client, connection, dept):
    odd = {CHAT: False, "in_meeting.custom_service_instructions": "yes: #no\n- «'é»"}
    baseline = made_baseline(connection, dept, values=odd)
    answer = client.get(url(baseline, "-yaml"))
    assert answer["Content-Disposition"].endswith('.yaml"')
    found = document.parse(answer.text)
    assert (found.baseline.name, found.baseline.values) == (baseline.name, odd)
    assert [node.value for node in found.names] == [dept]
    assert answer.text == client.get(url(baseline, "-yaml")).text
    assert AuditEntry.objects.filter(operation="list.export", object_label="baseline").count() == 2


@pytest.mark.django_db
def test_an_import_is_reviewed_before_it_is_saved(client, connection, two, make_group):
    group = make_group()
    fresh(connection)
    text = GOOD.replace("group: Sales", f"group: {group.name}")
    page = address(connection, "baselines-import")
    file = SimpleUploadedFile("sales.yaml", text.encode())
    review = client.post(page, {"file": file})
    assert review.status_code == 200
    said = text_of(review.text)
    assert "Review Sales" in said
    assert f"Group {group.name}" in said
    assert not Baseline.objects.exists()
    form = form_with(review.text, "text")
    assert client.post(form.action, form.values).status_code == 303
    baseline = Baseline.objects.get()
    assert baseline.targets == [[group.id, group.name]]
    assert baseline.wanted_at
    same = text_of(client.post(page, {"text": text}).text)
    assert "already matches the document" in same
    other = text.replace("chat: true", "chat: false\n    closed_caption: true")
    said = text_of(client.post(page, {"text": other}).text)
    assert "In meeting" in said or "Chat" in said
    assert "Any value" in said
    form = form_with(client.post(page, {"text": other}).text, "text")
    client.post(form.action, form.values)
    baseline.refresh_from_db()
    assert (baseline.values[CHAT], baseline.values[CAPTION]) == (False, True)
    assert Baseline.objects.count() == 1


@pytest.mark.django_db
def test_review_of_changed_value_is_shown_again(client, connection, dept):
    baseline = made_baseline(connection, dept, name="Sales", scope=Reach.ALL, targets=[])
    page = address(connection, "baselines-import")
    text = GOOD.replace("scope:\n  group: Sales", "scope: all")
    form = form_with(client.post(page, {"text": text}).text, "seen")
    Baseline.objects.update(values={CAPTION: True})
    again = client.post(form.action, form.values)
    assert again.status_code == 200
    assert "Someone has changed the baseline since." in text_of(again.text)
    baseline.refresh_from_db()
    assert baseline.values == {CAPTION: True}
    form = form_with(again.text, "seen")
    assert client.post(form.action, form.values).status_code == 303
    baseline.refresh_from_db()
    assert baseline.values[CHAT] is True


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("text", "words"),
    [
        (GOOD.replace("group: Sales", "group: Nobody at all"), "Line 5: There is no group"),
        (GOOD.replace("chat: true", "chat: 7"), "Line 8: in_meeting.chat"),
    ],
)
def test_what_cannot_be_imported_is_said_and_stays_typed(client, connection, text, words):
    fresh(connection)
    answer = client.post(address(connection, "baselines-import"), {"text": text})
    assert answer.status_code == 422
    assert words in text_of(answer.text)
    assert form_with(answer.text, "text").values["text"].strip() == text.strip()


@pytest.mark.django_db
def test_a_huge_or_an_empty_file_is_refused(client, connection):
    page = address(connection, "baselines-import")
    large = BytesIO(b"a" * 10_000_100)
    large.name = "large.yaml"
    for sent in ({"file": SimpleUploadedFile("a.yaml", b"")}, {}, {"file": large}):
        answer = client.post(page, sent)
        assert answer.status_code == 422
    assert "larger than 100 kB" in text_of(answer.text)
