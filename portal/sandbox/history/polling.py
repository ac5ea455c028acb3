"""Answers of participants to the polls of their session.

An instance stores the questions as they were put (`Instance.polls`); the answers are derived from
the participants, so they are the same for every request.
"""

import random
from collections.abc import Iterable
from typing import Any

from portal.contract.polls import PollStatus, QuestionType
from portal.sandbox.history.roster import Participant, everybody_once
from portal.sandbox.models import Instance, Poll, Trait

_SHARE_WHO_ANSWER = 0.8

Json = dict[str, Any]


def put_polls(instance: Instance) -> None:
    """Stores the polls of a session that ends as put to its participants, if it had any."""
    if not can_answer(instance):
        return
    polls = polls_of(instance.number)
    instance.polls = questions_of(polls)
    Poll.objects.filter(id__in=[each.id for each in polls]).update(status=PollStatus.ENDED.value)


def polls_of(number: int) -> list[Poll]:
    """Returns the polls of the session of this number, in the order of their creation."""
    return list(Poll.objects.filter(session_id=number).order_by("created_at", "id"))


def questions_of(polls: Iterable[Poll]) -> list[Json]:
    """Returns the questions of polls; one without choices is left out."""
    return [
        question
        for poll in polls
        for question in poll.document.get("questions", ())
        if question.get("name") and question.get("answers")
    ]


def can_answer(instance: Instance) -> list[Participant]:
    """Returns each participant once, except the host and those with a telephone alone."""
    return [
        one
        for one in everybody_once(instance)
        if one.account_id != instance.host_id and not one.traits & Trait.PHONE
    ]


def poll_answers(instance: Instance) -> list[Json]:
    """Returns each participant who answered, with all of their answers."""
    if not instance.polls:
        return []
    answered = (_answered(one, instance.polls) for one in can_answer(instance))
    return [each for each in answered if each]


def _answered(one: Participant, questions: list[Json]) -> Json | None:
    chance = random.Random(f"{one.id}:polls")  # noqa: S311
    if chance.random() > _SHARE_WHO_ANSWER:
        return None
    details = [{"question": each["name"], "answer": _answer(chance, each)} for each in questions]
    return {"name": one.name, "email": one.email, "question_details": details}


def _answer(chance: random.Random, question: Json) -> str:
    """Returns the answer to one question; several choices are separated by semicolons."""
    choices = list(question["answers"])
    if question.get("type") != QuestionType.MULTIPLE.value:
        return str(chance.choice(choices))
    chosen = set(chance.sample(range(len(choices)), chance.randint(1, len(choices))))
    return ";".join(str(each) for at, each in enumerate(choices) if at in chosen)
