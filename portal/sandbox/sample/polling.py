"""Polls that hosts of the sample account prepared."""

import random
from typing import Any

from portal.sandbox.identifiers import as_id
from portal.sandbox.models import Poll, Session, SessionKind

_POLLS: tuple[dict[str, Any], ...] = (
    {
        "title": "How did it go?",
        "questions": [
            {"name": "Was this useful?", "type": "single", "answers": ["Yes", "Partly", "No"]},
            {
                "name": "What should we talk about next?",
                "type": "multiple",
                "answers": ["Roadmap", "Pricing", "Integrations", "Support"],
            },
        ],
    },
    {
        "title": "Next date",
        "questions": [
            {"name": "Which day suits you?", "type": "multiple", "answers": ["Mon", "Tue", "Thu"]}
        ],
    },
    {
        "title": "Go or no-go",
        "questions": [{"name": "Do we release?", "type": "single", "answers": ["Go", "No-go"]}],
    },
    {
        "title": "Where do you join from?",
        "questions": [
            {
                "name": "Where are you today?",
                "type": "single",
                "answers": ["Office", "Home", "On the road"],
            }
        ],
    },
)


def poll(sessions: list[Session], chance: random.Random) -> None:
    Poll.objects.bulk_create(
        (
            Poll(
                id=as_id(chance.randbytes(16)),
                session=session,
                document=document,
                created_at=session.created_at,
            )
            for session in sessions
            if chance.random() < (0.7 if session.kind == SessionKind.WEBINAR else 0.1)
            for document in chance.sample(_POLLS, chance.choice((1, 1, 2, 3)))
        ),
        batch_size=1000,
    )
