"""The objects of section 2.4 with their fields, as the document spells them."""

from portal.contract import account_settings, accounts, billing
from portal.contract.model import Model

_PAGE = "page_count, page_number, page_size, total_records"
_CONTACT = "address, apt, city, country, email, first_name, last_name, phone_number, state, zip"
_PLANS = (
    "plan_audio, plan_base, plan_large_meeting, plan_recording, plan_room_connector, "
    "plan_webinar, plan_conf_rooms"
)

ACCOUNTS: dict[type[Model], str] = {
    accounts.NewAccount: "email, first_name, last_name, password, options",
    accounts.AccountOptions: "meeting_connectors, pay_mode, room_connectors, share_mc, share_rc",
    accounts.AccountPage: f"{_PAGE}, accounts",
    accounts.AccountSummary: "account_name, account_type, created_at, id, owner_email, seats, "
    "subscription_end_time, subscription_start_time",
    accounts.AccountDetails: "created_at, id, options, owner_email, owner_id, vanity_url",
    accounts.CreatedAccount: "created_at, id, owner_email, owner_id",
    accounts.ManagedDomains: "domains, total_records",
    accounts.ManagedDomain: "domain, status",
    billing.BillingContact: _CONTACT,
    billing.BillingContactRequired: _CONTACT,
    billing.AccountPlan: "hosts, type",
    billing.AccountPlanRequired: "hosts, type",
    billing.AccountPlanBaseRequired: "type, hosts",
    billing.AccountPlans: _PLANS,
    billing.AccountSubscription: f"contact, {_PLANS}",
    billing.AudioPlan: "callout_countries, ddi_numbers, premium_countries, tollfree_countries, "
    "type",
    account_settings.AccountSettings: "email_notification, feature, in_meeting, integration, "
    "recording, schedule_meting, security, telephony, conf_rooms",
    account_settings.AccountEmailNotification: "alternative_host_reminder, "
    "cancel_meeting_reminder, cloud_recording_avaliable_reminder, jbh_reminder, "
    "low_host_count_reminder",
    account_settings.AccountFeatures: "meeting_capacity",
    account_settings.AccountInMeeting: "alert_guest_join, allow_live_streaming, "
    "allow_show_conf_windows, annotation, anonymous_question_answer, attendee_on_hold, "
    "attention_tracking, auto_answer, auto_saving_chat, breakout_room, chat, closed_caption, "
    "co_host, custom_live_streaming, dscp_marking, e2e_encryption, far_end_camera_control, "
    "feedback, file_transfer, group_hd, original_audio, p2p_connetion, p2p_ports, polling, "
    "post_meeting_feedback, private_chat, remote_control, screen_sharing, "
    "sending_default_email_invites, show_meeting_control_toolbar, stereo_audio, "
    "use_html_format_email, virtual_background, watermark, webinar_question_answer, whiteboard, "
    "workplace_by_partner, custom_service_instructions, dscp_audio, dscp_video, ports_range",
    account_settings.AccountIntegration: "storage_a, storage_b, calendar_a, storage_c, device_a, "
    "storage_d",
    account_settings.AccountRecording: "account_user_access_recording, auto_delete_cmr, "
    "cloud_recording, cloud_recording_download, cloud_recording_download_host, local_recording, "
    "record_audio_file, record_gallery_view, record_speaker_view, recording_audio_transcript, "
    "save_chat_text, show_timestamp, auto_delete_cmr_days, auto_recording",
    account_settings.AccountScheduling: "audio_type, enforce_login, enforce_login_with_domains, "
    "force_pmi_jbh_password, host_video, join_before_host, not_store_meeting_topic, "
    "participant_video, enforce_login_domains",
    account_settings.AccountSecurity: "admin_change_name_pic, hide_billing_info, "
    "import_photos_from_devices",
    account_settings.AccountTelephony: "audio_conference_info, third_party_audio",
    account_settings.AccountConferenceRooms: "auto_start_stop_scheduled_meetings, "
    "cmr_for_instant_meeting, force_private_meeting, hide_host_information, "
    "list_meetings_with_calendar, start_airplay_manually, ultrasonic, upcoming_meeting_alert, "
    "weekly_system_restart, zr_post_meeting_feedback",
}
