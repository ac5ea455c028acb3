"""The service's own database."""

from portal.sandbox.models.accounts import (
    Device,
    PacAccount,
    Provider,
    SubAccount,
    TrackingField,
    TspAccount,
)
from portal.sandbox.models.history import (
    ChatMessage,
    ChatSession,
    ConferenceRoom,
    ImHabit,
    Instance,
    Simulation,
    TelephoneCall,
    Trait,
)
from portal.sandbox.models.people import Group, ImGroup, PersonalSettings, Picture, Role, User
from portal.sandbox.models.plans import Occurrence, Panelist, Poll, Registrant, Registration
from portal.sandbox.models.sessions import RecordedMeeting, RecordingFile, Session, SessionKind
from portal.sandbox.models.webhooks import (
    AccountClock,
    Delivery,
    IssuedToken,
    Webhook,
    WebhookVersion,
)

__all__ = [
    "AccountClock",
    "ChatMessage",
    "ChatSession",
    "ConferenceRoom",
    "Delivery",
    "Device",
    "Group",
    "ImGroup",
    "ImHabit",
    "Instance",
    "IssuedToken",
    "Occurrence",
    "PacAccount",
    "Panelist",
    "PersonalSettings",
    "Picture",
    "Poll",
    "Provider",
    "RecordedMeeting",
    "RecordingFile",
    "Registrant",
    "Registration",
    "Role",
    "Session",
    "SessionKind",
    "Simulation",
    "SubAccount",
    "TelephoneCall",
    "TrackingField",
    "Trait",
    "TspAccount",
    "User",
    "Webhook",
    "WebhookVersion",
]
