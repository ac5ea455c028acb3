"""Registrants, panelists and polls of the sample account."""

import random
from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from portal.contract.registrants import (
    NumberOfEmployees,
    PurchasingTimeFrame,
    RegistrantStatus,
    RoleInPurchase,
)
from portal.contract.sessions import ApprovalType, RegistrationType
from portal.sandbox.identifiers import as_id
from portal.sandbox.models import (
    Occurrence,
    Panelist,
    Poll,
    Registrant,
    Registration,
    Session,
    SessionKind,
)
from portal.sandbox.sample.names import Identities, Identity

_COMPANIES = (
    "Lumen & Sons",
    "Northwind Shipping",
    "Kestrel Labs",
    "Oakfield Hospital Trust",
    "Marisol Foods",
    "Aurora Rail",
    "Fjord Insurance",
)
_TITLES = ("Analyst", "Head of Procurement", "IT Manager", "Project Lead", "Teacher", "Director")
_INDUSTRIES = ("Education", "Finance", "Health", "Logistics", "Manufacturing", "Retail")


def attend(
    sessions: list[Session], occurrences: list[Occurrence], chance: random.Random, today: datetime
) -> None:
    identities = Identities(chance)
    times: dict[int, list[Occurrence]] = defaultdict(list)
    for each in occurrences:
        times[each.session_id].append(each)
    registrants: list[Registrant] = []
    registrations: list[Registration] = []
    panelists: list[Panelist] = []
    for session in sessions:
        if _takes_registrations(session):
            for registrant in _registrants(session, identities, chance, today):
                registrants.append(registrant)
                registrations.extend(_registrations(registrant, times[session.number], chance))
        if session.kind == SessionKind.WEBINAR:
            panelists.extend(_panelists(session, identities, chance))
    Registrant.objects.bulk_create(registrants, batch_size=1000)
    Registration.objects.bulk_create(registrations, batch_size=1000)
    Panelist.objects.bulk_create(panelists, batch_size=1000)


def _takes_registrations(session: Session) -> bool:
    approval = session.settings.get("approval_type", ApprovalType.NONE)
    return bool(approval != ApprovalType.NONE)


def _registrants(
    session: Session, identities: Identities, chance: random.Random, today: datetime
) -> Iterator[Registrant]:
    most = 40 if session.kind == SessionKind.WEBINAR else 12
    for _ in range(chance.randint(0, most)):
        who = identities.next()
        since = max(today - session.created_at, timedelta(minutes=1))
        yield Registrant(
            id=as_id(chance.randbytes(16)),
            session=session,
            email_key=_address(who).lower(),
            document=_answers(who, chance),
            created_at=session.created_at + since * chance.random(),
        )


def _address(who: Identity) -> str:
    return f"{who.local_part}@mail.example"


def _answers(who: Identity, chance: random.Random) -> dict[str, Any]:
    answers: dict[str, Any] = {
        "email": _address(who),
        "first_name": who.first_name,
        "last_name": who.last_name or who.first_name,
    }
    if chance.random() < 0.6:
        answers |= {
            "org": chance.choice(_COMPANIES),
            "job_title": chance.choice(_TITLES),
            "industry": chance.choice(_INDUSTRIES),
            "no_of_employees": chance.choice(list(NumberOfEmployees)).value,
        }
    if chance.random() < 0.2:
        answers |= {
            "purchasing_time_frame": chance.choice(list(PurchasingTimeFrame)).value,
            "role_in_purchase_process": chance.choice(list(RoleInPurchase)).value,
            "comments": "Will there be a recording?",
        }
    return answers


def _registrations(
    registrant: Registrant, times: list[Occurrence], chance: random.Random
) -> Iterator[Registration]:
    settings = registrant.session.settings
    status = RegistrantStatus.APPROVED
    if settings["approval_type"] == ApprovalType.MANUAL:
        status = chance.choices(list(RegistrantStatus), (35, 55, 10))[0]
    chosen: list[Occurrence | None] = [None]
    if times and settings["registration_type"] != RegistrationType.ONCE_FOR_ALL:
        chosen = [*chance.sample(times, chance.randint(1, min(4, len(times))))]
    for occurrence in chosen:
        yield Registration(registrant=registrant, occurrence=occurrence, status=status.value)


def _panelists(
    session: Session, identities: Identities, chance: random.Random
) -> Iterator[Panelist]:
    for _ in range(chance.randint(0, 4)):
        who = identities.next()
        email = _address(who)
        name = f"{who.first_name} {who.last_name}".strip()
        yield Panelist(session=session, email=email, email_key=email.lower(), name=name)


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
