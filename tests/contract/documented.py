"""The objects of section 2 with their fields, as the document spells them."""

from portal.contract import (
    chat,
    dashboards,
    delegates as delegates_,
    devices,
    groups,
    meetings,
    paging,
    past_sessions,
    polls,
    recordings,
    recurrence,
    registrants,
    sessions,
    telephony,
    tracking_fields,
    usage,
    user_settings,
    users,
    webhooks,
    webinars,
)
from portal.contract.model import Model
from tests.contract.documented_accounts import ACCOUNTS

_PAGE = "page_count, page_number, page_size, total_records"
_TOKEN_PAGE = "next_page_token, page_count, page_size, total_records"
_CHAT_PAGE = "next_page_token, page_size"
_USER = (
    "created_at, dept, email, first_name, last_client_version, last_login_time, last_name, pmi, "
    "timezone, type"
)
_GROUP = "name, total_members"
_IM_GROUP = f"{_GROUP}, search_by_account, search_by_domain, search_by_ma_account, type"
_SESSION = (
    "agenda, duration, password, recurrence, settings, start_time, timezone, topic, "
    "tracking_fields, type"
)
_MEETING_SETTINGS = (
    "alternative_hosts, approval_type, audio, auto_recording, close_registration, cn_meeting, "
    "enforce_login, enforce_login_domains, host_video, in_meeting, join_before_host, "
    "mute_upon_entry, participant_video, registration_type, use_pmi, waiting_room, watermark"
)
_WEBINAR_SETTINGS = (
    "allow_multiple_devices, alternative_hosts, approval_type, audio, auto_recording, "
    "close_registration, enforce_login, enforce_login_domains, hd_video, host_video, on_demand, "
    "panelists_video, practice_session, registration_type, show_share_button"
)
_REGISTRANT = (
    "address, city, comments, country, email, first_name, last_name, industry, job_title, org, "
    "phone, state, zip, custom_questions, no_of_employees, purchasing_time_frame, "
    "role_in_purchase_process"
)
_METRIC = (
    "duration, email, end_time, has_3rd_party_audio, has_pstn, has_recording, has_screen_share, "
    "has_sip, has_video, has_voip, host, id, participants, start_time, topic, user_type, uuid"
)
_AUDIO = "avg_loss, bitrate, jitter, latency, max_loss"
_ROOM = (
    "account_type, calender_name, camera, device_ip, email, id, last_start_time, microphone, "
    "room_name, speaker, status"
)
_ENDED = (
    "duration, end_time, id, participants_count, start_time, topic, total_minutes, type, "
    "user_email, user_name, uuid"
)
_FEATURE = "large_meeting, webinar, large_meeting_capacity, meeting_capacity, webinar_capacity"
_TRACKING_FIELD = "field, recommended_values, required, visible"
_WEBHOOK = "url, auth_user, auth_password, events"
_DEVICE = "encryption, ip, name, protocol"
_TSP = "conference_code, leader_pin, dial_in_numbers"


PEOPLE: dict[type[Model], str] = {
    users.User: f"id, {_USER}, group_ids, im_group_ids",
    users.UserDetails: f"id, {_USER}, account_id, cms_user_id, host_key, language, "
    "personal_meeting_url, pic_url, vanity_url, group_ids, im_group_ids, use_pmi, verified",
    users.UserPage: f"{_PAGE}, users",
    users.NewUser: "action, user_info",
    users.NewUserInfo: "email, first_name, last_name, password, type",
    users.CreatedUser: "email, first_name, id, last_name, type",
    users.UserUpdate: "cms_user_id, dept, first_name, host_key, language, last_name, pmi, "
    "timezone, type, use_pmi, vanity_name",
    users.UserPermissions: "permissions",
    delegates_.DelegateList: "assistants",
    delegates_.Delegate: "email, id",
    user_settings.UserSettings: "email_notification, feature, in_meeting, recording, "
    "schedule_meeting, telephony",
    user_settings.UserSettingsUpdate: "email_notification, feature, in_meeting, recording, "
    "schedule_meeting, telephony",
    user_settings.EmailNotification: "alternative_host_reminder, cancel_meeting_reminder, "
    "jbh_reminder",
    user_settings.UserFeatures: f"cn_meeting, in_meeting, {_FEATURE}",
    user_settings.UserFeaturesUpdate: _FEATURE,
    user_settings.InMeeting: "annotation, attendee_on_hold, attention_tracking, "
    "auto_saving_chat, breakout_room, chat, closed_caption, co_host, far_end_camera_control, "
    "feedback, file_transfer, group_hd, non_verbal_feedback, polling, private_chat, "
    "remote_control, remote_support, share_dual_camera, virtual_background, waiting_room, "
    "allow_live_streaming, custom_live_streaming, e2e_encryption, record_play_voice, "
    "workplace_by_partner, custom_service_instructions, entry_exit_chime",
    user_settings.Recording: "auto_delete_cmr, auto_delete_cmr_days, auto_recording, "
    "cloud_recording, local_recording, record_audio_file, record_gallery_view, "
    "record_speaker_view, recording_audio_transcript, save_chat_text, show_timestamp",
    user_settings.ScheduleMeeting: "audio_type, force_pmi_jbh_password, host_video, "
    "join_before_host, participants_video, pstn_password_protected",
    user_settings.Telephony: "audio_conference_info, show_international_numbers_link, "
    "third_party_audio",
    groups.Group: f"id, {_GROUP}",
    groups.GroupList: "groups, total_records",
    groups.GroupMember: "email, first_name, id, last_name, type",
    groups.GroupMemberPage: f"{_PAGE}, members",
    groups.ImGroup: f"id, {_IM_GROUP}",
    groups.ImGroupPage: f"{_PAGE}, groups",
    telephony.TspAccount: _TSP,
    telephony.NumberedTspAccount: f"id, {_TSP}",
    telephony.DialInNumber: "code, country_label, number, type",
    telephony.PacAccount: "conference_id, dedicated_dial_in_number, global_dial_in_numbers, "
    "listen_only_password, participant_password",
    telephony.PacNumber: "country, number",
}

SESSIONS: dict[type[Model], str] = {
    meetings.NewMeeting: f"{_SESSION}, schedule_for",
    meetings.MeetingUpdate: f"{_SESSION}, schedule_for",
    meetings.MeetingDetails: "agenda, created_at, duration, h323_password, join_url, occurrences, "
    "password, settings, start_time, start_url, timezone, topic, tracking_fields, type, host_id, "
    "id, uuid",
    meetings.MeetingSettings: _MEETING_SETTINGS,
    meetings.MeetingSettingsUpdate: f"{_MEETING_SETTINGS}, registrants_confirmation_email",
    meetings.MeetingPage: f"{_PAGE}, meetings",
    meetings.MeetingInvitation: "invitation",
    sessions.SessionSummary: "created_at, duration, host_id, id, join_url, start_time, timezone, "
    "topic, type, uuid",
    sessions.TrackingFieldValue: "field, value",
    sessions.Occurrence: "duration, occurrence_id, start_time, status",
    recurrence.Recurrence: "end_date_time, end_times, monthly_day, monthly_week, "
    "monthly_week_day, repeat_interval, type, weekly_days",
    meetings.MeetingLiveStream: "stream_url, stream_key, page_url",
    meetings.MeetingLiveStreamStatus: "action, settings",
    meetings.LiveStreamDisplay: "active_speaker_name, display_name",
    polls.Poll: "title, questions",
    polls.PollQuestion: "answers, name, type",
    polls.PollDetails: "id, status, title, questions",
    polls.PollList: "polls, total_records",
    registrants.Registrant: _REGISTRANT,
    registrants.CustomAnswer: "title, value",
    registrants.RegistrantDetails: f"id, {_REGISTRANT}, create_time, join_url, status",
    registrants.RegistrantPage: f"{_PAGE}, registrants",
    registrants.RegistrantStatusChange: "action, registrants",
    registrants.AddedRegistrant: "id, join_url, registrant_id, topic, start_time",
    registrants.RecordingRegistrant: f"id, {_REGISTRANT}",
    registrants.RecordingRegistrantPage: f"{_PAGE}, registrants",
    registrants.RecordingRegistrantStatusChange: "action, registrants",
    registrants.RecordingRegistrantReference: "id",
    past_sessions.PastMeeting: f"{_ENDED}, host_id",
    past_sessions.PastParticipantPage: f"{_TOKEN_PAGE}, participants",
    past_sessions.PastParticipant: "id, name",
    past_sessions.MeetingInstances: "meetings",
    past_sessions.WebinarInstances: "webinars",
    past_sessions.SessionInstance: "start_time, uuid",
    webinars.NewWebinar: _SESSION,
    webinars.WebinarUpdate: _SESSION,
    webinars.WebinarDetails: "agenda, created_at, duration, join_url, occurrences, settings, "
    "start_time, start_url, timezone, topic, tracking_fields, type, host_id, id, uuid",
    webinars.WebinarSettings: _WEBINAR_SETTINGS,
    webinars.WebinarSettingsUpdate: f"{_WEBINAR_SETTINGS}, registrants_confirmation_email",
    webinars.WebinarPage: f"{_PAGE}, webinars",
    webinars.Panelist: "email, name",
    webinars.NewPanelists: "panelists",
    webinars.PanelistList: "panelists, total_records",
    webinars.PanelistDetails: "id, email, name, join_url",
    recordings.RecordingFile: "deleted_time, download_url, file_size, file_type, id, meeting_id, "
    "play_url, recording_end, recording_start, recording_type, status",
    recordings.RecordedMeeting: "account_id, duration, host_id, id, recording_count, start_time, "
    "topic, total_size, uuid, recording_files",
    recordings.RecordingPage: f"from, to, {_TOKEN_PAGE}, meetings",
    recordings.RecordingSettings: "approval_type, on_demand, password, send_email_to_host, "
    "share_recording, show_social_share_buttons, viewer_download",
}

DASHBOARDS_AND_REPORTS: dict[type[Model], str] = {
    dashboards.SessionMetric: _METRIC,
    dashboards.MeetingMetricPage: f"from, to, {_TOKEN_PAGE}, meetings",
    dashboards.WebinarMetricPage: f"from, to, {_TOKEN_PAGE}, webinars",
    dashboards.SessionParticipant: "connection_type, data_center, device, domain, harddisk_id, "
    "id, ip_address, join_time, leave_time, location, mac_addr, microphone, network_type, "
    "pc_name, speaker, user_id, user_name, version, recording, share_application, share_desktop, "
    "share_whiteboard",
    dashboards.SharingParticipant: "id, user_id, user_name, details",
    dashboards.SharedContent: "content, end_time, start_time",
    dashboards.ImUse: "calls_receive, calls_send, emoji_receive, emoji_send, files_receive, "
    "files_send, group_receive, group_send, images_receive, images_send, total_receive, "
    "total_send, videos_receive, videos_send, voice_receive, voice_send, email, user_id, "
    "user_name",
    dashboards.ImUsePage: f"from, to, {_TOKEN_PAGE}, users",
    dashboards.ConferenceRoom: _ROOM,
    dashboards.ConferenceRoomPage: f"{_PAGE}, conf_rooms",
    dashboards.ConferenceRoomDetails: f"{_ROOM}, live_meeting, past_meetings",
    dashboards.QualityOfAudio: _AUDIO,
    dashboards.QualityOfVideo: f"{_AUDIO}, frame_rate, resolution",
    dashboards.ProcessorUse: "system_max_cpu_usage, conf_avg_cpu_usage, conf_max_cpu_usage, "
    "conf_min_cpu_usage",
    dashboards.QualitySample: "as_input, as_output, video_input, video_output, audio_input, "
    "audio_output, cpu_usage, date_time",
    dashboards.ParticipantQuality: "device, domain, harddisk_id, ip_address, join_time, "
    "leave_time, location, mac_addr, pc_name, user_id, user_name, version, user_qos",
    dashboards.ParticipantQualityPage: f"{_TOKEN_PAGE}, participants",
    usage.SessionReport: f"{_ENDED}, tracking_fields",
    usage.EndedSessionPage: f"from, to, {_TOKEN_PAGE}, meetings",
    usage.EndedSession: _ENDED,
    usage.Attendance: "attentiveness_score, duration, id, join_time, leave_time, name, "
    "user_email, user_id",
    usage.AnswersReport: "id, start_time, uuid, questions",
    usage.AnswersOfParticipant: "email, name, question_details",
    usage.GivenAnswer: "answer, question",
    usage.TelephonePage: f"from, to, {_PAGE}, telephony_usage",
    usage.HostsPage: f"from, to, {_PAGE}, total_meeting_minutes, total_meetings, "
    "total_participants, users",
}

OTHERS: dict[type[Model], str] = {
    paging.NumberedPage: _PAGE,
    paging.TokenPage: _TOKEN_PAGE,
    paging.QualityPage: _TOKEN_PAGE,
    paging.ChatPage: _CHAT_PAGE,
    devices.Device: _DEVICE,
    devices.DeviceDetails: f"id, {_DEVICE}",
    devices.DevicePage: f"{_PAGE}, devices",
    telephony.AccountTsp: "dial_in_numbers, enable, tsp_provider",
    telephony.AccountDialInNumber: "code, number, type",
    tracking_fields.TrackingField: _TRACKING_FIELD,
    tracking_fields.TrackingFieldDetails: f"id, {_TRACKING_FIELD}",
    tracking_fields.TrackingFieldList: "total_records, tracking_fields",
    webhooks.Webhook: _WEBHOOK,
    webhooks.WebhookUpdate: _WEBHOOK,
    webhooks.WebhookDetails: f"webhook_id, {_WEBHOOK}, created_at",
    webhooks.WebhookList: "total_records, webhooks",
    chat.ChatSession: "last_message_sent_time, name, session_id, type",
    chat.ChatMessage: "action, action_time, date_time, message, sender",
    chat.ChatSessionPage: f"from, to, {_CHAT_PAGE}, sessions",
    chat.ChatMessagePage: f"from, session_id, to, {_CHAT_PAGE}, messages",
}

OBJECTS = {
    model: set(names.split(", "))
    for part in (ACCOUNTS, PEOPLE, SESSIONS, DASHBOARDS_AND_REPORTS, OTHERS)
    for model, names in part.items()
}
