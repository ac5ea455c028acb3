"""A person's settings: shown, found, changed after a review, never overwritten unseen."""

import pytest
from django.urls import reverse

from portal.access.models import Connection
from portal.access.roles import Role
from portal.audit.models import AuditEntry
from portal.contract.model import fields, submodel
from portal.contract.user_settings import UserSettings
from tests.support.fault_server import answer
from tests.support.html import form_with, text_of
from tests.support.portal import admin_client_for

pytestmark = pytest.mark.django_db

NAMES = [
    f"{group}.{name}"
    for group, field in fields(UserSettings)
    for name, _ in fields(submodel(field.annotation) or UserSettings)
]
ONLY_READ = {"feature.cn_meeting", "feature.in_meeting"}


def _url(connection, person, name="settings", **query):
    return reverse(f"people:{name}", args=[connection.key, person.id], query=query or None)


def _open(client, connection, person, **query):
    return form_with(client.get(_url(connection, person, **query)).content.decode(), "was")


def _row(html, name):
    """The part of the page about one setting."""
    return html.split(f'data-field="{name}"', 1)[1].split('<div class="sb-setting ', 1)[0]


def _shown(html):
    return {name for name in NAMES if " hidden" not in _row(html, name).split(">", 1)[0]}


def test_every_setting_can_be_changed_or_is_read_only(client, connection, person):
    form = _open(client, connection, person)
    assert len(NAMES) == 57
    assert set(NAMES) - form.names == ONLY_READ


def test_settings_show_what_the_service_reports(client, connection, person):
    person.set(
        in_meeting={"chat": True, "entry_exit_chime": "all"}, recording={"auto_recording": "cloud"}
    )
    values = _open(client, connection, person).values
    assert values["in_meeting.chat"] == "on"
    assert "in_meeting.polling" not in values
    assert values["in_meeting.entry_exit_chime"] == "all"
    assert values["recording.auto_recording"] == "cloud"


def test_unreported_setting_is_not_set_rather_than_off(
    client, administrator, fault_server, connect
):
    connection = connect(administrator, "Partial")
    Connection.objects.filter(pk=connection.pk).update(base_url=fault_server.url)
    data = {"in_meeting": {"chat": True}, "id": "u1", "email": "ada@example.com"}
    fault_server.always(answer(200, data))
    html = client.get(reverse("people:settings", args=[connection.key, "u1"])).content.decode()
    values = form_with(html, "was").values
    assert values["in_meeting.chat"] == "on"
    for name in ("in_meeting.polling", "recording.auto_recording", "schedule_meeting.audio_type"):
        assert values[name] == ""
        assert "Not set" in _row(html, name)


def test_a_value_other_than_the_documents_default_is_marked(client, connection, person):
    person.set(in_meeting={"chat": True})
    html = client.get(_url(connection, person)).content.decode()
    assert "Default: Off" in text_of(_row(html, "in_meeting.chat"))
    assert "Default" not in text_of(_row(html, "in_meeting.polling"))


def test_deprecated_setting_is_marked_and_last_in_group(client, connection, person):
    html = client.get(_url(connection, person)).content.decode()
    group = html.split('data-group="in_meeting"', 1)[1].split("</section>", 1)[0]
    assert (
        group.rindex("data-field=") == group.index('data-field="in_meeting.share_dual_camera"') - 0
    )
    assert "Deprecated" in text_of(_row(html, "in_meeting.share_dual_camera"))


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("waiting", {"in_meeting.waiting_room"}),
        ("RAISE a hand", {"in_meeting.non_verbal_feedback"}),
        ("jbh_reminder", {"email_notification.jbh_reminder"}),
        ("no such thing", set()),
    ],
)
def test_a_part_of_a_name_or_a_description_finds_a_setting(
    client, connection, person, typed, found
):
    html = client.get(_url(connection, person, q=typed)).content.decode()
    assert _shown(html) == found
    assert f"{len(found)} of 57 settings" in text_of(html)


def test_settings_other_than_their_defaults_can_be_shown_alone(client, connection, person):
    person.set(in_meeting={"chat": True})
    html = client.get(_url(connection, person, different="on")).content.decode()
    assert _shown(html) == {"in_meeting.chat"}


def test_searching_without_scripts_keeps_what_was_changed(client, connection, person):
    form = _open(client, connection, person)
    typed = form.values | {"in_meeting.waiting_room": "on", "q": "chat"}
    html = client.post(form.action, typed).content.decode()
    assert "in_meeting.waiting_room" not in _shown(html)
    assert form_with(html, "was").values["in_meeting.waiting_room"] == "on"


def test_the_review_says_old_and_new_in_words_and_sends_nothing(client, connection, person):
    before = person.settings()
    form = _open(client, connection, person)
    typed = form.values | {
        "in_meeting.waiting_room": "on",
        "recording.auto_recording": "none",
        "feature.meeting_capacity": "50",
    }
    html = client.post(_url(connection, person, "settings-review"), typed).content.decode()
    said = text_of(html)
    assert "Review 3 changes" in said
    assert "Waiting room In meeting Off On" in said
    assert "Automatic recording Recording On this computer No automatic recording" in said
    assert "Meeting capacity Features 100 50" in said
    assert person.settings() == before


def test_saving_sends_the_changed_fields_alone_in_one_request(client, connection, person):
    before = person.settings()
    form = _open(client, connection, person)
    typed = form.values | {"in_meeting.waiting_room": "on", "recording.auto_recording": "none"}
    review = client.post(_url(connection, person, "settings-review"), typed)
    kept = form_with(review.content.decode(), "was")
    answer = client.post(kept.action, kept.values, follow=True)
    assert "2 settings were changed." in text_of(answer.content.decode())
    sent = AuditEntry.objects.filter(operation="users.update_settings", outcome="begun")
    assert [entry.sent for entry in sent] == [
        {"in_meeting": {"waiting_room": True}, "recording": {"auto_recording": "none"}}
    ]
    before["in_meeting"]["waiting_room"] = True
    before["recording"]["auto_recording"] = "none"
    assert person.settings() == before


def test_a_switch_can_be_turned_off(client, connection, person):
    person.set(in_meeting={"chat": True})
    form = _open(client, connection, person)
    del form.values["in_meeting.chat"]
    client.post(_url(connection, person, "settings-save"), form.values)
    assert person.settings()["in_meeting"]["chat"] is False


def test_back_to_editing_keeps_everything_that_was_typed(client, connection, person):
    form = _open(client, connection, person)
    typed = form.values | {
        "in_meeting.waiting_room": "on",
        "telephony.audio_conference_info": "Dial 1\r\nthen 2",
        "q": "room",
    }
    review = client.post(_url(connection, person, "settings-review"), typed).content.decode()
    kept = form_with(review, "was")
    back = kept.buttons["Back to editing"]["formaction"]
    again = form_with(client.post(back, kept.values).content.decode(), "was")
    assert again.values["in_meeting.waiting_room"] == "on"
    assert again.values["telephony.audio_conference_info"].split() == ["Dial", "1", "then", "2"]
    assert again.values["q"] == "room"


def test_setting_changed_elsewhere_is_not_overwritten(client, connection, person):
    form = _open(client, connection, person)
    person.set(recording={"auto_recording": "cloud"}, in_meeting={"polling": True})
    typed = form.values | {"recording.auto_recording": "none", "in_meeting.chat": "on"}
    answer = client.post(_url(connection, person, "settings-save"), typed)
    html = answer.content.decode()
    assert answer.status_code == 422
    assert "This was changed" in text_of(_row(html, "recording.auto_recording"))
    assert person.settings()["recording"]["auto_recording"] == "cloud"
    again = form_with(html, "was").values
    assert again["recording.auto_recording"] == "none"
    assert again["in_meeting.polling"] == "on"
    client.post(_url(connection, person, "settings-save"), again)
    now = person.settings()
    assert now["recording"]["auto_recording"] == "none"
    assert now["in_meeting"]["polling"] is True
    assert now["in_meeting"]["chat"] is True


def test_nothing_changed_is_said_and_nothing_is_sent(client, connection, person):
    form = _open(client, connection, person)
    answer = client.post(_url(connection, person, "settings-review"), form.values)
    assert "nothing to save" in text_of(answer.content.decode())
    client.post(_url(connection, person, "settings-save"), form.values)
    assert not AuditEntry.objects.filter(operation="users.update_settings").exists()


def test_text_over_several_lines_is_no_change_by_itself(client, connection, person):
    person.set(in_meeting={"custom_service_instructions": "First\nsecond "})
    form = _open(client, connection, person)
    sent_by_browser = form.values["in_meeting.custom_service_instructions"].replace("\n", "\r\n")
    typed = form.values | {"in_meeting.custom_service_instructions": sent_by_browser}
    answer = client.post(_url(connection, person, "settings-review"), typed)
    assert "nothing to save" in text_of(answer.content.decode())


def test_what_the_service_refuses_is_said_at_the_field_and_kept(client, connection, make_person):
    basic = make_person(type=1)
    form = _open(client, connection, basic)
    typed = form.values | {"feature.webinar": "on", "in_meeting.chat": "on"}
    answer = client.post(_url(connection, basic, "settings-save"), typed)
    html = answer.content.decode()
    assert answer.status_code == 422
    assert "Pro or Corp licence" in text_of(_row(html, "feature.webinar"))
    values = form_with(html, "was").values
    assert values["feature.webinar"] == values["in_meeting.chat"] == "on"


def test_a_value_beyond_its_limit_is_an_error_at_its_field(client, connection, person):
    form = _open(client, connection, person)
    typed = form.values | {"recording.auto_delete_cmr_days": "61", "q": "chat"}
    answer = client.post(_url(connection, person, "settings-review"), typed)
    html = answer.content.decode()
    assert "at most 60" in text_of(_row(html, "recording.auto_delete_cmr_days"))
    assert "recording.auto_delete_cmr_days" in _shown(html)
    assert form_with(html, "was").values["recording.auto_delete_cmr_days"] == "61"


def test_a_viewer_reads_settings_in_words_and_changes_none(connect, viewer, person):
    connection = connect(viewer)
    client = admin_client_for(viewer)
    person.set(in_meeting={"chat": True})
    html = client.get(_url(connection, person)).content.decode()
    assert "was" not in form_with(html, "q").names
    assert "On" in text_of(_row(html, "in_meeting.chat"))
    for name in ("settings", "settings-review", "settings-save"):
        typed = {"in_meeting.waiting_room": "on"}
        assert client.post(_url(connection, person, name), typed).status_code == 403
    assert person.settings()["in_meeting"]["waiting_room"] is False


def test_an_operator_may_change_settings(connect, operator, person):
    assert operator.role == Role.OPERATOR
    connection = connect(operator)
    client = admin_client_for(operator)
    form = _open(client, connection, person)
    typed = form.values | {"in_meeting.chat": "on"}
    client.post(_url(connection, person, "settings-save"), typed)
    assert person.settings()["in_meeting"]["chat"] is True


def test_a_connection_that_only_reads_offers_no_change(client, connect, administrator, person):
    connection = connect(administrator, "Read only", read_only=True)
    html = client.get(_url(connection, person)).content.decode()
    assert "was" not in form_with(html, "q").names


def test_reloading_the_review_leads_back_to_the_settings(client, connection, person):
    for name in ("settings-review", "settings-save"):
        answer = client.get(_url(connection, person, name))
        assert answer.headers["Location"] == _url(connection, person)


def test_a_review_asked_for_by_a_script_opens_in_the_dialog(client, connection, person):
    form = _open(client, connection, person)
    typed = form.values | {"in_meeting.chat": "on"}
    headers = {"HX-Request": "true", "HX-Target": "panel"}
    url = _url(connection, person, "settings-review")
    review = client.post(url, typed, headers=headers)
    assert review.headers["HX-Retarget"] == "#dialog-body"
    assert 'id="dialog-title"' in review.content.decode()
    wrong = client.post(url, typed | {"recording.auto_delete_cmr_days": "0"}, headers=headers)
    assert wrong.status_code == 422
    assert "HX-Retarget" not in wrong.headers
    assert "<html" not in wrong.content.decode()
    assert "close-dialog" in wrong.headers["HX-Trigger"]
