"""Instant messages of the sample account over half a year."""

import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import islice

from portal.contract.users import UserStatus
from portal.sandbox.history.hosts import name_of
from portal.sandbox.identifiers import as_id
from portal.sandbox.models import ChatMessage, ChatSession, ImHabit, User

_GROUPS = ("Launch", "Lunch", "On call", "Office move", "Design", "Deals", "Hiring", "Reading club")
_PHRASES = (
    "Good morning",
    "Can you have a look at the draft?",
    "Done, thanks!",
    "The customer called again.",
    "I will be five minutes late.",
    "Who has the link to the board?",
    "See the second page, please.",
    "Sounds good to me.",
    "Let us talk about it tomorrow.",
    "The build is green again 🎉",
    "Könnt ihr bitte kurz drüberschauen?",
    "了解しました。",
    "¿Quedamos a las tres?",
    "I am on the train, the connection is poor.",
    "+1",
)
_CHUNK = 5000


def converse(users: list[User], chance: random.Random, today: datetime) -> None:
    """Creates conversations; four people in five write, and there are a third as many conversations
    as people."""
    active = [user for user in users if user.status == UserStatus.ACTIVE]
    ImHabit.objects.bulk_create(
        ImHabit(user=user, seed=chance.getrandbits(60), pace=chance.choice((8, 15, 30, 60)))
        for user in active
        if chance.random() < 0.8
    )
    if len(active) < 4:
        return
    sessions = []
    for at in range(len(active) // 3):
        wanted = chance.choice((2, 2, 2, 3, 5)) if at else 5
        members = chance.sample(active, min(wanted, len(active)))
        sessions.append((_session(at, members), members))
    for session, _ in sessions:
        session.id = as_id(chance.randbytes(16))
    ChatSession.objects.bulk_create(session for session, _ in sessions)
    messages = (
        message
        for session, members in sessions
        for message in _messages(session, members, chance, today)
    )
    while chunk := list(islice(messages, _CHUNK)):
        ChatMessage.objects.bulk_create(chunk)


def _session(at: int, members: list[User]) -> ChatSession:
    if len(members) == 2:
        return ChatSession(name=" and ".join(name_of(each) for each in members), type="1:1")
    return ChatSession(name=f"{_GROUPS[at % len(_GROUPS)]} {at // len(_GROUPS) + 1}", type="Group")


def _messages(
    session: ChatSession, members: list[User], chance: random.Random, today: datetime
) -> Iterator[ChatMessage]:
    """Returns the messages of a conversation in spells; one in twenty was changed or deleted
    later."""
    for _ in range(chance.randint(1, 6)):
        moment = today - timedelta(minutes=chance.randint(60, 180 * 24 * 60))
        for _ in range(chance.randint(1, 8)):
            moment += timedelta(seconds=chance.randint(4, 400))
            changed = chance.random() < 0.05
            later = moment + timedelta(seconds=chance.randint(5, 300))
            yield ChatMessage(
                session=session,
                sender=chance.choice(members).email,
                message=chance.choice(_PHRASES),
                sent_at=moment,
                action=chance.choice(("edit", "delete")) if changed else "",
                action_time=later if changed else None,
            )
