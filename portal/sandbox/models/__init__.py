"""The service's own database."""

from portal.sandbox.models.accounts import SubAccount
from portal.sandbox.models.clock import AccountClock
from portal.sandbox.models.equipment import Device, Provider, TrackingField
from portal.sandbox.models.groups import Group, ImGroup
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
from portal.sandbox.models.people import PersonalSettings, Picture, Role, User
from portal.sandbox.models.plans import Occurrence, Panelist, Poll, Registrant, Registration
from portal.sandbox.models.sessions import RecordedMeeting, RecordingFile, Session, SessionKind
from portal.sandbox.models.telephony import PacAccount, TspAccount
from portal.sandbox.models.tokens import IssuedToken
from portal.sandbox.models.webhooks import Delivery, Webhook, WebhookVersion

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
