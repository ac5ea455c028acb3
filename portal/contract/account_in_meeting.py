"""In-meeting settings of a sub account (spec 2.4, AccountSettings.in_meeting)."""

from pydantic import Field

from portal.contract.model import Model, unset
from portal.contract.types import PortNumbers


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
