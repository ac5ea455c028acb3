"""The limits of the document (spec section 8), at their edges."""

from typing import Any

import pytest
from pydantic import ValidationError

from portal.contract.account_settings import AccountFeatures, AccountInMeeting, AccountScheduling
from portal.contract.accounts import AccountOptions, NewAccount
from portal.contract.billing import AccountPlanBaseRequired
from portal.contract.dashboards import DetailQuery, MeetingQuery
from portal.contract.delegates import DelegateList
from portal.contract.devices import Device
from portal.contract.groups import (
    GroupUpdate,
    ImGroupUpdate,
    NewGroup,
    NewImGroup,
    NewImMembers,
    NewMembers,
)
from portal.contract.meetings import (
    LiveStreamDisplay,
    MeetingLiveStream,
    MeetingSettings,
    MeetingsQuery,
    MeetingUpdate,
    NewMeeting,
)
from portal.contract.model import Model
from portal.contract.paging import NumberedQuery, QualityTokenQuery, TokenQuery
from portal.contract.polls import PollQuestion
from portal.contract.recordings import RecordingRemovalQuery, RecordingSettings, RecordingsQuery
from portal.contract.recurrence import Recurrence
from portal.contract.registrants import (
    NewRegistrantQuery,
    Registrant,
    RegistrantsQuery,
    RegistrantStatusChange,
)
from portal.contract.sessions import OccurrenceQuery
from portal.contract.sign_in import UserTokenQuery
from portal.contract.telephony import DialInNumber, PacAccount, PacNumber, TspAccount
from portal.contract.usage import MonthQuery
from portal.contract.user_settings import Recording, ScheduleMeeting, Telephony, UserFeaturesUpdate
from portal.contract.users import (
    EmailChange,
    NewUserInfo,
    PasswordChange,
    UserQuery,
    UserRemoval,
    UserUpdate,
)
from portal.contract.webhooks import Webhook, WebhookOptions, WebhookUpdate
from portal.contract.webinars import NewPanelists, NewWebinar, WebinarSettings, WebinarUpdate
from tests.support.cases import for_each

_ADDRESS = "@" + "d" * 60 + ".example"
_HOOK = "https://example.com/"
_SOMEBODY = {"id": "x"}
_PANELIST = {"email": "a@b.example"}

LIMITS: list[tuple[type[Model], str, list[Any], list[Any]]] = [
    (NumberedQuery, "page_size", [1, 300], [0, 301, -1]),
    (NumberedQuery, "page_number", [1, 10**6], [0, -1]),
    (TokenQuery, "page_size", [1, 300], [0, 301]),
    (DelegateList, "assistants", [[], [{"id": "x"}] * 30], [[{"id": "x"}] * 31]),
    (UserUpdate, "first_name", ["x" * 64, "欧阳欧阳欧"], ["x" * 65, "欧阳欧阳欧阳"]),
    (UserUpdate, "last_name", ["x" * 64], ["x" * 65]),
    (NewUserInfo, "email", [f"{'x' * 59}{_ADDRESS}"], [f"{'x' * 60}{_ADDRESS}", "x", "a@b", ""]),
    (EmailChange, "email", [f"{'x' * 58}{_ADDRESS}"], [f"{'x' * 59}{_ADDRESS}"]),
    (NewUserInfo, "password", ["x" * 8, "x" * 99], ["x" * 7]),
    (PasswordChange, "password", ["x" * 8, "x" * 31], ["x" * 7, "x" * 32]),
    (UserUpdate, "host_key", ["000000"], ["12345", "1234567", "12345a"]),
    (UserUpdate, "pmi", ["0123456789"], ["123456789", "12345678901", "123456789x"]),
    (UserUpdate, "type", [1, 2, 3], [0, 4]),
    (UserUpdate, "timezone", ["Europe/Berlin", ""], ["Berlin", "posix/UTC"]),
    (TspAccount, "conference_code", ["1", "1" * 16], ["", "1" * 17, "x"]),
    (TspAccount, "leader_pin", ["1", "1" * 16], ["", "1" * 17, "x"]),
    (DialInNumber, "number", ["1", "1" * 16], ["", "1" * 17]),
    (DialInNumber, "code", ["+49", "x" * 6], ["x" * 7]),
    (DialInNumber, "country_label", ["x" * 10], ["x" * 11]),
    (PacNumber, "number", ["1" * 15], ["1" * 16]),
    (PacAccount, "listen_only_password", ["1" * 5], ["1" * 6, "x"]),
    (PacAccount, "participant_password", ["1" * 5], ["1" * 6, "x"]),
    (Telephony, "audio_conference_info", ["x" * 2048], ["x" * 2049]),
    (Recording, "auto_delete_cmr_days", [1, 60], [0, 61]),
    (UserFeaturesUpdate, "large_meeting_capacity", [100, 200, 300, 500], [400, 1000]),
    (UserFeaturesUpdate, "webinar_capacity", [100, 500, 1000, 3000, 5000, 10000], [200, 20000]),
    (UserTokenQuery, "type", ["token", "zpk", "zak"], ["sso", ""]),
    (QualityTokenQuery, "page_size", [1, 10], [0, 11]),
    (NewAccount, "password", ["x" * 8], ["x" * 7]),
    (AccountPlanBaseRequired, "hosts", [1], [0, -1]),
    (AccountInMeeting, "dscp_audio", [1, 63], [0, 64]),
    (AccountInMeeting, "dscp_video", [1, 63], [0, 64]),
    (AccountInMeeting, "ports_range", ["", "1", "1,65535"], ["0", "65536", "a", "1,,2", "1;2"]),
    (NewGroup, "name", ["x", "x" * 127], ["", "x" * 128]),
    (GroupUpdate, "name", ["x" * 127], ["x" * 128]),
    (NewImGroup, "name", ["x" * 128], ["", "x" * 129]),
    (ImGroupUpdate, "name", ["x" * 128], ["x" * 129]),
    (ImGroupUpdate, "type", ["normal", "shared", "restricted"], ["hidden"]),
    (NewMembers, "members", [[_SOMEBODY] * 30], [[_SOMEBODY] * 31]),
    (NewImMembers, "members", [[_SOMEBODY] * 10], [[_SOMEBODY] * 11]),
    (RegistrantStatusChange, "registrants", [[_SOMEBODY] * 30], [[_SOMEBODY] * 31]),
    (RegistrantStatusChange, "action", ["approve", "cancel", "deny"], ["delete"]),
    (NewPanelists, "panelists", [[_PANELIST] * 30], [[_PANELIST] * 31]),
    (Device, "name", ["x" * 64], ["", "x" * 65]),
    (Device, "protocol", ["H.323", "SIP"], ["sip", "H323"]),
    (Device, "encryption", ["auto", "yes", "no"], [True, "on"]),
    (Webhook, "url", [f"{_HOOK}{'x' * 236}"], [f"{_HOOK}{'x' * 237}", "", "ftp://a.b", "a b"]),
    (Webhook, "auth_user", ["x" * 128], ["x" * 129]),
    (Webhook, "auth_password", ["x" * 64], ["x" * 65]),
    (WebhookUpdate, "url", [f"{_HOOK}{'x' * 236}"], [f"{_HOOK}{'x' * 237}"]),
    (WebhookUpdate, "auth_user", ["x" * 128], ["x" * 129]),
    (WebhookUpdate, "auth_password", ["x" * 64], ["x" * 65]),
    (WebhookUpdate, "events", [[], ["meeting_jbh", "participant_left"]], [["meeting_over"]]),
    (WebhookOptions, "version", ["v1", "v2"], ["v3", "2"]),
    (NewMeeting, "password", ["", "aZ9@-_*", "x" * 10], ["x" * 11, "a b", "ä", "a#"]),
    (MeetingUpdate, "password", ["x" * 10], ["x" * 11, "#"]),
    (NewWebinar, "password", ["x" * 10], ["x" * 11, "#"]),
    (WebinarUpdate, "password", ["x" * 10], ["x" * 11, "#"]),
    (NewMeeting, "type", [1, 2, 3, 8], [0, 4, 5]),
    (NewWebinar, "type", [5, 6, 9], [1, 8]),
    (NewMeeting, "duration", [1, 1440], [0, -5, 1.5]),
    (MeetingSettings, "approval_type", [0, 1, 2], [3, -1]),
    (MeetingSettings, "registration_type", [1, 2, 3], [0, 4]),
    (MeetingSettings, "audio", ["both", "telephony", "voip"], ["thirdParty"]),
    (MeetingSettings, "auto_recording", ["local", "cloud", "none"], ["always"]),
    (Recurrence, "end_times", [1, 50], [0, 51]),
    (Recurrence, "monthly_day", [1, 31], [0, 32]),
    (Recurrence, "monthly_week", [-1, 1, 2, 3, 4], [0, 5, -2]),
    (Recurrence, "monthly_week_day", [1, 7], [0, 8]),
    (Recurrence, "weekly_days", ["1", "2,4,6", "7", 3], ["0", "8", "2, 4", "2,", "", True]),
    (Recurrence, "type", [1, 2, 3], [0, 4]),
    (MeetingLiveStream, "stream_url", ["x" * 1024], ["x" * 1025]),
    (MeetingLiveStream, "page_url", ["x" * 1024], ["x" * 1025]),
    (MeetingLiveStream, "stream_key", ["x" * 512], ["x" * 513]),
    (LiveStreamDisplay, "display_name", ["x", "x" * 50], ["", "x" * 51]),
    (PollQuestion, "type", ["single", "multiple"], ["free"]),
    (Registrant, "email", ["a@b.example"], ["a", ""]),
    (Registrant, "no_of_employees", ["1-20", "500-1,000", "More than 10,000"], ["20"]),
    (Registrant, "purchasing_time_frame", ["Within a month", "No timeframe"], ["soon"]),
    (Registrant, "role_in_purchase_process", ["Evaluator/Recommender"], ["Evaluator"]),
    (RegistrantsQuery, "status", ["pending", "approved", "denied"], ["cancelled"]),
    (OccurrenceQuery, "occurrence_id", ["1648194360000"], ["", "x", "1,2"]),
    (NewRegistrantQuery, "occurrence_ids", ["1", "1,2"], ["", "1,", "x"]),
    (RecordingsQuery, "page_size", [300], [301]),
    (RecordingRemovalQuery, "action", ["trash", "delete"], ["recover"]),
    (RecordingSettings, "approval_type", [0, 1, 2], [3]),
    (RecordingSettings, "share_recording", ["publicly", "internally", "none"], ["all"]),
    (MonthQuery, "month", [1, 12], [0, 13]),
]

ALLOWED = [(model, field, value) for model, field, good, _ in LIMITS for value in good]
BROKEN = [(model, field, value) for model, field, _, bad in LIMITS for value in bad]


def broken_fields(model, field, value):
    """Which fields are found broken; those that are only missing do not count."""
    try:
        model.model_validate({field: value})
    except ValidationError as error:
        found = [each for each in error.errors() if each["type"] != "missing"]
        return {str(each["loc"][0]) for each in found}
    return set()


@for_each(("model", "field", "value"), ALLOWED)
def test_a_value_within_its_limit_is_taken(model, field, value):
    assert broken_fields(model, field, value) == set()


@for_each(("model", "field", "value"), BROKEN)
def test_a_value_beyond_its_limit_is_refused(model, field, value):
    assert broken_fields(model, field, value) == {field}


@pytest.mark.parametrize(
    ("model", "field", "value"),
    [
        (NumberedQuery, "page_size", 30),
        (NumberedQuery, "page_number", 1),
        (Recording, "auto_recording", "local"),
        (Telephony, "audio_conference_info", ""),
        (UserUpdate, "use_pmi", False),
        (QualityTokenQuery, "page_size", 1),
        (AccountOptions, "pay_mode", "master"),
        (AccountOptions, "share_mc", False),
        (AccountOptions, "share_rc", False),
        (AccountFeatures, "meeting_capacity", 100),
        (AccountInMeeting, "ports_range", ""),
        (AccountScheduling, "audio_type", "both"),
        (ScheduleMeeting, "audio_type", "voip"),
        (ImGroupUpdate, "type", "normal"),
        (UserQuery, "status", "active"),
        (UserRemoval, "action", "disassociate"),
        (MeetingsQuery, "type", "live"),
        (RegistrantsQuery, "status", "approved"),
        (RecordingRemovalQuery, "action", "trash"),
        (MeetingQuery, "type", "live"),
        (DetailQuery, "type", "live"),
        (NewMeeting, "type", 2),
        (NewWebinar, "type", 5),
        (MeetingSettings, "approval_type", 2),
        (MeetingSettings, "registration_type", 1),
        (MeetingSettings, "audio", "both"),
        (MeetingSettings, "auto_recording", "none"),
        (MeetingSettings, "close_registration", False),
        (MeetingSettings, "waiting_room", False),
        (WebinarSettings, "practice_session", False),
    ],
)
def test_a_default_is_that_of_the_document(model, field, value):
    assert getattr(model(), field) == value
