"""The settings of one person (spec 2.5, UserSettings)."""

from pydantic import Field

from portal.contract.choices import NumberChoice, TextChoice
from portal.contract.model import Model, off, unset


class EntryExitChime(TextChoice):
    HOST = "host", "When the host joins or leaves"
    ALL = "all", "When anyone joins or leaves"
    NONE = "none", "No sound"


class AutoRecording(TextChoice):
    LOCAL = "local", "On this computer"
    CLOUD = "cloud", "In the cloud"
    NONE = "none", "No automatic recording"


class AudioType(TextChoice):
    BOTH = "both", "Telephone and computer audio"
    TELEPHONY = "telephony", "Telephone only"
    VOIP = "voip", "Computer audio only"
    THIRD_PARTY = "thirdParty", "Third-party audio"


class LargeMeetingCapacity(NumberChoice):
    UP_TO_100 = 100, "100 people"
    UP_TO_200 = 200, "200 people"
    UP_TO_300 = 300, "300 people"
    UP_TO_500 = 500, "500 people"


class WebinarCapacity(NumberChoice):
    UP_TO_100 = 100, "100 attendees"
    UP_TO_500 = 500, "500 attendees"
    UP_TO_1000 = 1000, "1,000 attendees"
    UP_TO_3000 = 3000, "3,000 attendees"
    UP_TO_5000 = 5000, "5,000 attendees"
    UP_TO_10000 = 10000, "10,000 attendees"


class EmailNotification(Model):
    alternative_host_reminder: bool = off(
        "Alternative host assigned",
        "Email an alternative host when they are set or removed.",
    )
    cancel_meeting_reminder: bool = off(
        "Meeting cancelled",
        "Email the host and participants when a meeting is cancelled.",
    )
    jbh_reminder: bool = off(
        "Joined before host",
        "Email the host when participants join the meeting before them.",
    )


class UserFeaturesUpdate(Model):
    large_meeting: bool | None = unset(
        "Large meetings",
        "Lets this person host meetings larger than the licence allows.",
    )
    large_meeting_capacity: LargeMeetingCapacity | None = unset(
        "Large meeting capacity", "How many can join; the plan must include that size."
    )
    meeting_capacity: int | None = unset(
        "Meeting capacity", "How many people can join this person's meetings.", ge=1
    )
    webinar: bool | None = unset("Webinars", "Lets this person host webinars.")
    webinar_capacity: WebinarCapacity | None = unset(
        "Webinar capacity",
        "How many attendees can join; the plan must include that size.",
    )


class UserFeatures(UserFeaturesUpdate):
    cn_meeting: bool | None = unset(
        "Meetings hosted in China", "Meetings run in a data centre in China."
    )
    in_meeting: bool | None = unset(
        "Meetings hosted in India", "Meetings run in a data centre in India."
    )


class InMeeting(Model):
    allow_live_streaming: bool | None = unset(
        "Live streaming", "Lets the host stream meetings to outside video services."
    )
    annotation: bool = off("Annotation", "Lets participants draw on shared screens.")
    attendee_on_hold: bool = off(
        "Put attendees on hold",
        "Lets the host remove an attendee from the meeting for a while.",
    )
    attention_tracking: bool = off(
        "Attention tracking",
        "Shows the host who has another window in front while sharing.",
    )
    auto_saving_chat: bool = off(
        "Save chats automatically", "Keeps in-meeting chats on the host's computer."
    )
    breakout_room: bool = off(
        "Breakout rooms", "Lets the host split participants into separate rooms."
    )
    chat: bool = off("Chat", "Lets participants send messages that everyone can see.")
    closed_caption: bool = off(
        "Closed captions",
        "Lets the host or a participant type captions or use a service.",
    )
    co_host: bool = off("Co-hosts", "Lets the host share most controls with co-hosts.")
    custom_live_streaming: bool | None = unset(
        "Custom live streaming", "Lets the host stream to a service by address and key."
    )
    custom_service_instructions: str | None = unset(
        "Custom service instructions",
        "What hosts read when they set up a custom stream.",
    )
    e2e_encryption: bool | None = unset(
        "End-to-end encryption",
        "Requires that all meetings are encrypted from end to end.",
    )
    entry_exit_chime: EntryExitChime | None = unset(
        "Entry and exit sound", "Plays a sound when people join or leave."
    )
    far_end_camera_control: bool = off(
        "Far-end camera control", "Lets another participant steer the camera."
    )
    feedback: bool = off("Feedback to the service", "Adds a feedback tab to the desktop client.")
    file_transfer: bool = off("File transfer", "Lets hosts and participants send files in chat.")
    group_hd: bool = off("Group HD video", "Sends higher-quality video in group meetings.")
    non_verbal_feedback: bool = off(
        "Nonverbal feedback",
        "Lets participants raise a hand or use icons beside their name.",
    )
    polling: bool = off("Polls", "Adds polls to the meeting controls.")
    private_chat: bool = off(
        "Private chat", "Lets participants send messages to one other participant."
    )
    record_play_voice: bool | None = unset(
        "Recording announcement", "Plays a voice message when recording starts."
    )
    remote_control: bool = off(
        "Remote control",
        "Lets the person who shares hand control of the screen to others.",
    )
    remote_support: bool = off(
        "Remote support", "Lets the host give one-to-one support to a participant."
    )
    share_dual_camera: bool = off(
        "Share a second camera",
        "Shares the video of a second camera. Deprecated by the service.",
        deprecated=True,
    )
    virtual_background: bool = off(
        "Virtual background", "Lets people replace what is behind them by a picture."
    )
    waiting_room: bool = off("Waiting room", "Holds attendees until the host admits them.")
    workplace_by_partner: bool | None = unset(
        "Partner workplace streaming",
        "Lets the host stream to the partner's workplace service.",
    )


class Recording(Model):
    auto_delete_cmr: bool = off(
        "Delete cloud recordings automatically",
        "Deletes recordings after the days set below.",
    )
    auto_delete_cmr_days: int | None = unset(
        "Days before deletion",
        "From 1 to 60; used when automatic deletion is on.",
        ge=1,
        le=60,
    )
    auto_recording: AutoRecording = Field(
        AutoRecording.LOCAL,
        title="Automatic recording",
        description="Where meetings are recorded as they start.",
    )
    cloud_recording: bool = off("Cloud recording", "Lets this person record to the cloud.")
    local_recording: bool | None = unset(
        "Local recording", "Lets this person record to a file on their computer."
    )
    record_audio_file: bool = off("Audio-only file", "Adds a file with the audio alone.")
    record_gallery_view: bool = off(
        "Gallery view", "Records all participants with the shared screen."
    )
    record_speaker_view: bool = off(
        "Speaker view", "Records the active speaker with the shared screen."
    )
    recording_audio_transcript: bool | None = unset(
        "Audio transcript", "Writes a transcript of cloud recordings."
    )
    save_chat_text: bool = off("Save chat text", "Adds the meeting's chat to the recording.")
    show_timestamp: bool = off("Show a timestamp", "Adds the time to the recording.")


class ScheduleMeeting(Model):
    audio_type: AudioType = Field(
        AudioType.VOIP,
        title="Audio",
        description="How participants can join the audio.",
    )
    force_pmi_jbh_password: bool | None = unset(
        "Password for personal meetings",
        "Requires a password for personal meetings that can be joined before the host.",
    )
    host_video: bool | None = unset("Host video on", "Starts meetings with the host's video on.")
    join_before_host: bool | None = unset(
        "Join before host", "Lets participants join before the host arrives."
    )
    participants_video: bool | None = unset(
        "Participant video on", "Starts meetings with participants' video on."
    )
    pstn_password_protected: bool | None = unset(
        "Password for phone participants",
        "Asks those who join by telephone for the password.",
    )


class Telephony(Model):
    audio_conference_info: str = Field(
        "",
        max_length=2048,
        title="Third-party audio details",
        description="What invitations say about joining by third-party audio.",
    )
    show_international_numbers_link: bool | None = unset(
        "International numbers link",
        "Shows the link to international numbers in invitations.",
    )
    third_party_audio: bool | None = unset(
        "Third-party audio", "Uses a third-party audio conference."
    )


class _SharedGroups(Model):
    email_notification: EmailNotification | None = unset(
        "Email notifications", "Which emails the service sends."
    )
    in_meeting: InMeeting | None = unset("In meeting", "What hosts and participants can use.")
    recording: Recording | None = unset("Recording", "How meetings are recorded.")
    schedule_meeting: ScheduleMeeting | None = unset(
        "Scheduling", "What new meetings start out with."
    )
    telephony: Telephony | None = unset("Telephony", "How people join by telephone.")


class UserSettings(_SharedGroups):
    """A person's settings as the service reports them."""

    feature: UserFeatures | None = unset(
        "Features", "What the licence and plan let this person do."
    )


class UserSettingsUpdate(_SharedGroups):
    """Changes to a person's settings; groups and fields that are left out stay as they are."""

    feature: UserFeaturesUpdate | None = unset(
        "Features", "What the licence and plan let this person do."
    )
