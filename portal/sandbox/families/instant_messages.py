"""Counts of instant messages, and the archive of their texts (spec 4.7 and 4.9)."""

from datetime import date, datetime
from hashlib import blake2b
from typing import Any

import orjson
from django.db.models import Max, Q

from portal.contract.chat import Chat
from portal.contract.metrics import Metrics
from portal.contract.paging import TokenDaysQuery
from portal.sandbox.clock import now
from portal.sandbox.errors import NotFound
from portal.sandbox.families.rooms import KEPT
from portal.sandbox.history.hosts import name_of
from portal.sandbox.identifiers import timestamp
from portal.sandbox.listing import began, days_between, with_days
from portal.sandbox.models import ChatMessage, ChatSession, ImHabit
from portal.sandbox.options import options
from portal.sandbox.paging import issue_token, read_token
from portal.sandbox.serving import serves

# What is counted of each kind, and how often it is written: once in so many.
_KINDS = {"group": 3, "calls": 30, "files": 24, "images": 14, "voice": 40, "videos": 60, "emoji": 4}


@serves(Metrics.im)
def im(query: TokenDaysQuery) -> bytes:
    """Returns the counts by person, in the order of their ids; a day that is not over counts up to
    now."""
    key = options().token
    position = read_token(query, "im", key)
    rows = ImHabit.objects.select_related("user")
    left = rows.filter(user_id__gt=position[0]) if position else rows
    found = list(left.order_by("user_id")[: query.page_size + 1])
    page, token = found[: query.page_size], ""
    if len(found) > query.page_size:
        token = issue_token([page[-1].user_id], query, "im", key)
    moment = now()
    first = max(query.from_, (moment - KEPT).date())
    days = days_between(first, min(query.to, moment.date()))
    return orjson.dumps(
        {
            "from": query.from_,
            "to": query.to,
            "page_count": len(page),
            "page_size": query.page_size,
            "total_records": rows.count(),
            "next_page_token": token,
            "users": [_use(habit, days, moment) for habit in page],
        }
    )


@serves(Chat.sessions)
def sessions(query: TokenDaysQuery) -> bytes:
    """Returns the sessions with messages on these days, with the time of the last message."""
    key = options().token
    days = began(query.from_, query.to)
    within = Q(messages__sent_at__range=days)
    rows = ChatSession.objects.annotate(last=Max("messages__sent_at", filter=within))
    rows = rows.filter(last__isnull=False)
    position = read_token(query, "chat", key)
    if position:
        last = datetime.fromisoformat(position[0])
        rows = rows.filter(Q(last__lt=last) | Q(last=last, id__gt=position[1]))
    found = list(rows.order_by("-last", "id")[: query.page_size + 1])
    page, token = found[: query.page_size], ""
    if len(found) > query.page_size:
        token = issue_token([page[-1].last.isoformat(), page[-1].id], query, "chat", key)
    values = [
        {
            "session_id": each.id,
            "name": each.name,
            "type": each.type,
            "last_message_sent_time": timestamp(each.last),
        }
        for each in page
    ]
    return _page(query, token, {"sessions": values})


@serves(Chat.messages)
def messages(session_id: str, query: TokenDaysQuery) -> bytes:
    """Returns the messages in the order of their times."""
    session = ChatSession.objects.filter(id=session_id).first()
    if session is None:
        raise NotFound("chat session")
    key, scope = options().token, f"chat:{session.id}"
    rows = session.messages.filter(sent_at__range=began(query.from_, query.to))
    position = read_token(query, scope, key)
    if position:
        last, number = datetime.fromisoformat(position[0]), int(position[1])
        rows = rows.filter(Q(sent_at__gt=last) | Q(sent_at=last, id__gt=number))
    found = list(rows.order_by("sent_at", "id")[: query.page_size + 1])
    page, token = found[: query.page_size], ""
    if len(found) > query.page_size:
        token = issue_token([page[-1].sent_at.isoformat(), str(page[-1].id)], query, scope, key)
    data = {"session_id": session.id, "messages": [_message(each) for each in page]}
    return _page(query, token, data)


def _page(query: TokenDaysQuery, token: str, data: dict[str, Any]) -> bytes:
    page = {"page_size": query.page_size, "next_page_token": token, **data}
    return with_days(orjson.dumps(page), query)


def _message(each: ChatMessage) -> dict[str, Any]:
    data = {"sender": each.sender, "message": each.message, "date_time": timestamp(each.sent_at)}
    if each.action:
        data |= {"action": each.action, "action_time": timestamp(each.action_time)}
    return data


def _use(habit: ImHabit, days: list[date], moment: datetime) -> dict[str, Any]:
    sent, received = [0] * 8, [0] * 8
    for day in days:
        share = 1.0
        if day == moment.date():
            share = (moment.hour * 60 + moment.minute) / (24 * 60)
        elif day.weekday() > 4:
            share = 0.1
        drawn = blake2b(f"{habit.seed}:{day}".encode(), digest_size=16).digest()
        for at in range(8):
            rate = (1, *_KINDS.values())[at]
            sent[at] += int(drawn[at] * habit.pace * share / 255 / rate + 0.3)
            received[at] += int(drawn[at + 8] * habit.pace * 1.4 * share / 255 / rate + 0.3)
    data: dict[str, Any] = {
        "user_id": habit.user_id,
        "user_name": name_of(habit.user),
        "email": habit.user.email,
        "total_send": sum(sent),
        "total_receive": sum(received),
    }
    for at, kind in enumerate(_KINDS, 1):
        data[f"{kind}_send"], data[f"{kind}_receive"] = sent[at], received[at]
    return data
