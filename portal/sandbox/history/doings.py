"""Shares and questions of participants, which are derived from their traits."""

import random
from datetime import datetime, timedelta
from typing import Any

from portal.sandbox.history.roster import Participant, everybody_once
from portal.sandbox.identifiers import timestamp
from portal.sandbox.models import Instance, Trait

_APPLICATIONS = (
    "Quarterly figures.xlsx",
    "Roadmap.pptx",
    "Design draft 4.pdf",
    "Ticket board",
    "Release notes",
)
_QUESTIONS = (
    ("Will the recording be shared?", "Yes, by email within a day."),
    ("Does this work on mobile devices?", "Yes, on iOS and Android."),
    ("How much does the Pro licence cost?", "Sales will write to you."),
    ("When is the next release?", "It is planned for the coming quarter."),
    ("Can we export the data?", "Yes, as CSV and over the interface."),
    ("Is single sign-on included?", ""),
)


def shared_by(one: Participant, now: datetime) -> list[dict[str, str]]:
    """Returns the shares of a participant in their order; a present one has no end."""
    chance = random.Random(f"{one.id}:shared")  # noqa: S311
    stay = one.seconds(now)
    contents = (
        (Trait.DESKTOP, "Desktop"),
        (Trait.APPLICATION, chance.choice(_APPLICATIONS)),
        (Trait.WHITEBOARD, "Whiteboard"),
    )
    details, begins = [], 0
    for trait, content in contents:
        pause, length = chance.randint(5, 120), chance.randint(60, 1200)
        if not one.traits & trait:
            continue
        begins = min(begins + pause, stay)
        ends = min(begins + length, stay)
        shown_now = one.left is None and begins + length > stay
        details.append(
            {
                "content": content,
                "start_time": timestamp(one.joined + timedelta(seconds=begins)) or "",
                "end_time": ""
                if shown_now
                else timestamp(one.joined + timedelta(seconds=ends)) or "",
            }
        )
        begins = ends
    return details


def questions(instance: Instance) -> list[dict[str, Any]]:
    """Returns the questions of a third of the participants, with the panel's answer; some have
    none."""
    if not instance.traits & Trait.ASKED:
        return []
    chance = random.Random(f"{instance.uuid}:questions")  # noqa: S311
    return [
        _document(one, chance.sample(_QUESTIONS, chance.choice((1, 1, 1, 2))))
        for one in everybody_once(instance)
        if one.account_id != instance.host_id and chance.random() < 0.33
    ]


def _document(one: Participant, details: list[tuple[str, str]]) -> dict[str, Any]:
    return {
        "name": one.name,
        "email": one.email,
        "question_details": [
            {"question": question, "answer": answer} for question, answer in details
        ],
    }
