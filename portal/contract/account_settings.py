"""The settings of a sub account (spec 2.4, AccountSettings)."""

from pydantic import Field

from portal.contract.model import Model, unset
from portal.contract.types import PortNumbers
from portal.contract.user_settings import AudioType, AutoRecording


class AccountEmailNotification(Model):
    alternative_host_reminder: bool | None = unset(
        "Alternative host assigned", "Email an alternative host when they are set or removed."
    )
    cancel_meeting_reminder: bool | None = unset(
        "Meeting cancelled", "Email the host and participants when a meeting is cancelled."
    )
    cloud_recording_avaliable_reminder: bool | None = unset(
        "Cloud recording ready", "Email the host when a cloud recording can be watched."
    )
    jbh_reminder: bool | None = unset(
        "Joined before host", "Email the host when participants join the meeting before them."
    )
    low_host_count_reminder: bool | None = unset(
        "Few licences left", "Email the account's owner when few host licences are left."
    )


class AccountFeatures(Model):
    meeting_capacity: int = Field(
        100, ge=1, title="Meeting capacity", description="How many people can join a meeting."
    )


class AccountIntegration(Model):
    storage_a: bool | None = unset("File storage A", "Lets people share files from storage A.")
    storage_b: bool | None = unset("File storage B", "Lets people share files from storage B.")
    storage_c: bool | None = unset("File storage C", "Lets people share files from storage C.")
    storage_d: bool | None = unset("File storage D", "Lets people share files from storage D.")
    calendar_a: bool | None = unset("Calendar A", "Lets people schedule from calendar A.")
    device_a: bool | None = unset("Device A", "Lets people join from device A.")


class AccountRecording(Model):
    account_user_access_recording: bool | None = unset(
        "Account members only", "Only people on the account can watch cloud recordings."
    )
    auto_delete_cmr: bool | None = unset(
        "Delete cloud recordings automatically", "Deletes recordings after the days set below."
    )
    auto_delete_cmr_days: int | None = unset(
        "Days before deletion", "Used when automatic deletion is on.", ge=1
    )
    auto_recording: AutoRecording | None = unset(
        "Automatic recording", "Where meetings are recorded as they start."
    )
    cloud_recording: bool | None = unset("Cloud recording", "Lets hosts record to the cloud.")
    cloud_recording_download: bool | None = unset(
        "Downloads", "Lets viewers download cloud recordings."
    )
    cloud_recording_download_host: bool | None = unset(
        "Downloads by the host only", "Only the host can download cloud recordings."
    )
    local_recording: bool | None = unset(
        "Local recording", "Lets hosts record to a file on their computer."
    )
    record_audio_file: bool | None = unset("Audio-only file", "Adds a file with the audio alone.")
    record_gallery_view: bool | None = unset(
        "Gallery view", "Records all participants with the shared screen."
    )
    record_speaker_view: bool | None = unset(
        "Speaker view", "Records the active speaker with the shared screen."
    )
    recording_audio_transcript: bool | None = unset(
        "Audio transcript", "Writes a transcript of cloud recordings."
    )
    save_chat_text: bool | None = unset(
        "Save chat text", "Adds the meeting's chat to the recording."
    )
    show_timestamp: bool | None = unset("Show a timestamp", "Adds the time to the recording.")


class AccountScheduling(Model):
    audio_type: AudioType = Field(
        AudioType.BOTH, title="Audio", description="How participants can join the audio."
    )
    enforce_login: bool | None = unset(
        "Sign-in required", "Only people who are signed in can join."
    )
    enforce_login_with_domains: bool | None = unset(
        "Certain domains only", "Only people signed in with the domains below can join."
    )
    enforce_login_domains: str | None = unset(
        "Domains", "Whose people can join, separated by commas."
    )
    force_pmi_jbh_password: bool | None = unset(
        "Password for personal meetings",
        "Requires a password for personal meetings that can be joined before the host.",
    )
    host_video: bool | None = unset("Host video on", "Starts meetings with the host's video on.")
    join_before_host: bool | None = unset(
        "Join before host", "Lets participants join before the host arrives."
    )
    not_store_meeting_topic: bool | None = unset(
        "Hide topics", "Shows a general title in place of the topic in reports and dashboards."
    )
    participant_video: bool | None = unset(
        "Participant video on", "Starts meetings with participants' video on."
    )


class AccountSecurity(Model):
    admin_change_name_pic: bool | None = unset(
        "Only administrators change names", "People cannot change their own name and picture."
    )
    hide_billing_info: bool | None = unset(
        "Hide billing", "Administrators do not see billing information."
    )
    import_photos_from_devices: bool | None = unset(
        "Photos from devices", "Lets people import photos from the photo library of a device."
    )


class AccountTelephony(Model):
    audio_conference_info: str | None = unset(
        "Third-party audio details", "What invitations say about joining by third-party audio."
    )
    third_party_audio: bool | None = unset(
        "Third-party audio", "Uses a third-party audio conference."
    )


class AccountConferenceRooms(Model):
    auto_start_stop_scheduled_meetings: bool | None = unset(
        "Start and stop meetings", "Rooms start and stop scheduled meetings automatically."
    )
    cmr_for_instant_meeting: bool | None = unset(
        "Record instant meetings", "Records a room's instant meetings to the cloud."
    )
    force_private_meeting: bool | None = unset(
        "Private meetings", "Shows all meetings of a room as private."
    )
    hide_host_information: bool | None = unset(
        "Hide hosts", "Leaves out the host and the meeting ID of private meetings."
    )
    list_meetings_with_calendar: bool | None = unset(
        "List meetings from the calendar", "Shows the meetings of the room's calendar."
    )
    start_airplay_manually: bool | None = unset(
        "Start screen mirroring manually", "Screen mirroring waits until it is started in the room."
    )
    ultrasonic: bool | None = unset(
        "Sharing by sound", "Detects nearby computers by inaudible sounds."
    )
    upcoming_meeting_alert: bool | None = unset(
        "Upcoming meeting alert", "Reminds of the next meeting before it begins."
    )
    weekly_system_restart: bool | None = unset(
        "Weekly restart", "Restarts room computers and controllers once a week."
    )
    zr_post_meeting_feedback: bool | None = unset(
        "Feedback after meetings", "Asks for feedback on the room's screen after meetings."
    )


class AccountInMeeting(Model):
    alert_guest_join: bool | None = unset(
        "Point out guests", "Shows participants which people are not of the account."
    )
    allow_live_streaming: bool | None = unset(
        "Live streaming", "Lets hosts stream meetings to outside video services."
    )
    allow_show_conf_windows: bool | None = unset(
        "Show the application while sharing",
        "Shared screens include the windows of the desktop application.",
    )
    annotation: bool | None = unset("Annotation", "Lets participants draw on shared screens.")
    anonymous_question_answer: bool | None = unset(
        "Anonymous questions", "Lets webinar attendees ask without giving their name."
    )
    attendee_on_hold: bool | None = unset(
        "Put attendees on hold", "Lets hosts remove an attendee from the meeting for a while."
    )
    attention_tracking: bool | None = unset(
        "Attention tracking", "Shows the host who has another window in front while sharing."
    )
    auto_answer: bool | None = unset(
        "Answer automatically", "Chat groups can be set so that calls in them are answered at once."
    )
    auto_saving_chat: bool | None = unset(
        "Save chats automatically", "Keeps in-meeting chats on the host's computer."
    )
    breakout_room: bool | None = unset(
        "Breakout rooms", "Lets hosts split participants into separate rooms."
    )
    chat: bool | None = unset("Chat", "Lets participants send messages that everyone can see.")
    closed_caption: bool | None = unset(
        "Closed captions", "Lets the host or a participant type captions or use a service."
    )
    co_host: bool | None = unset("Co-hosts", "Lets hosts share most controls with co-hosts.")
    custom_live_streaming: bool | None = unset(
        "Custom live streaming", "Lets hosts stream to a service by address and key."
    )
    custom_service_instructions: str | None = unset(
        "Custom service instructions", "What hosts read when they set up a custom stream."
    )
    dscp_audio: int | None = unset(
        "DSCP value for audio", "Marks audio packets for the network, from 1 to 63.", ge=1, le=63
    )
    dscp_marking: bool | None = unset(
        "DSCP marking", "Marks packets so that the network can give them priority."
    )
    dscp_video: int | None = unset(
        "DSCP value for video", "Marks video packets for the network, from 1 to 63.", ge=1, le=63
    )
    e2e_encryption: bool | None = unset(
        "End-to-end encryption", "Requires that all meetings are encrypted from end to end."
    )
    far_end_camera_control: bool | None = unset(
        "Far-end camera control", "Lets another participant steer the camera."
    )
    feedback: bool | None = unset(
        "Feedback to the service", "Adds a feedback tab to the desktop client."
    )
    file_transfer: bool | None = unset(
        "File transfer", "Lets hosts and participants send files in chat."
    )
    group_hd: bool | None = unset("Group HD video", "Sends higher-quality video in group meetings.")
    original_audio: bool | None = unset(
        "Original sound", "Lets people send their sound without filters, as for music."
    )
    p2p_connetion: bool | None = unset(
        "Peer-to-peer connection", "Connects two participants to each other without a server."
    )
    p2p_ports: bool | None = unset(
        "Ports for peer-to-peer", "Peer-to-peer connections use the ports set below."
    )
    polling: bool | None = unset("Polls", "Adds polls to the meeting controls.")
    ports_range: PortNumbers = Field(
        "",
        title="Listening ports",
        description="For peer-to-peer connections: ports from 1 to 65535, separated by commas.",
    )
    post_meeting_feedback: bool | None = unset(
        "Feedback after meetings", "Asks participants for feedback at the end of a meeting."
    )
    private_chat: bool | None = unset(
        "Private chat", "Lets participants send messages to one other participant."
    )
    remote_control: bool | None = unset(
        "Remote control", "Lets the person who shares hand control of the screen to others."
    )
    screen_sharing: bool | None = unset(
        "Screen sharing", "Lets hosts and participants share their screen."
    )
    sending_default_email_invites: bool | None = unset(
        "Invite by the default mail program", "Opens invitations in the computer's mail program."
    )
    show_meeting_control_toolbar: bool | None = unset(
        "Always show the controls", "Keeps the meeting controls on the screen."
    )
    stereo_audio: bool | None = unset("Stereo audio", "Lets people choose stereo sound.")
    use_html_format_email: bool | None = unset(
        "Invitations in HTML", "Formats invitations for mail programs that show HTML."
    )
    virtual_background: bool | None = unset(
        "Virtual background", "Lets people replace what is behind them by a picture."
    )
    watermark: bool | None = unset(
        "Watermark", "Lays the viewer's email address over shared screens."
    )
    webinar_question_answer: bool | None = unset(
        "Questions in webinars", "Adds questions and answers to webinars."
    )
    whiteboard: bool | None = unset("Whiteboard", "Lets participants share a whiteboard.")
    workplace_by_partner: bool | None = unset(
        "Partner workplace streaming", "Lets hosts stream to the partner's workplace service."
    )


class AccountSettings(Model):
    """A sub account's settings; in a change, what is left out stays as it is."""

    schedule_meting: AccountScheduling | None = unset(
        "Scheduling", "What new meetings start out with."
    )
    in_meeting: AccountInMeeting | None = unset(
        "In meeting", "What hosts and participants can use."
    )
    email_notification: AccountEmailNotification | None = unset(
        "Email notifications", "Which emails the service sends."
    )
    recording: AccountRecording | None = unset("Recording", "How meetings are recorded.")
    telephony: AccountTelephony | None = unset("Telephony", "How people join by telephone.")
    conf_rooms: AccountConferenceRooms | None = unset(
        "Conference rooms", "How rooms with equipment behave."
    )
    integration: AccountIntegration | None = unset(
        "Integrations", "Which other services can be used."
    )
    security: AccountSecurity | None = unset("Security", "Who sees and changes what.")
    feature: AccountFeatures | None = unset("Features", "What the plan includes.")
