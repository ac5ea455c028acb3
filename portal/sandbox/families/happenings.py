"""Events of sessions, sent to each subscriber (spec 6)."""

from typing import Any

from django.dispatch import receiver

from portal.contract.webhooks import WebhookEvent
from portal.sandbox.families.events import emit
from portal.sandbox.history import course
from portal.sandbox.history.hosts import Attendee
from portal.sandbox.history.roster import Participant
from portal.sandbox.identifiers import timestamp
from portal.sandbox.models import Instance, Session


@receiver(course.session_began)
def _began(instance: Instance, **_: Any) -> None:
    emit(WebhookEvent.MEETING_STARTED, event_object(instance))


@receiver(course.session_ended)
def _ended(instance: Instance, **_: Any) -> None:
    emit(WebhookEvent.MEETING_ENDED, event_object(instance))


@receiver(course.session_recorded)
def _recorded(instance: Instance, **_: Any) -> None:
    emit(WebhookEvent.RECORDING_COMPLETED, event_object(instance))


@receiver(course.participant_joined)
def _joined(instance: Instance, participant: Participant, **_: Any) -> None:
    emit(
        WebhookEvent.PARTICIPANT_JOINED,
        event_object(instance) | {"participant": _present(participant)},
    )


@receiver(course.joined_before_host)
def _joined_early(instance: Instance, participant: Participant, **_: Any) -> None:
    emit(WebhookEvent.MEETING_JBH, event_object(instance) | {"participant": _present(participant)})


@receiver(course.somebody_waits)
def _waits(session: Session, who: Attendee, **_: Any) -> None:
    """Reports a person who waits for the host. The meeting does not run yet: its UUID is that of
    the next instance."""
    emit(
        WebhookEvent.MEETING_JOIN,
        {
            "id": str(session.number),
            "uuid": session.uuid,
            "host_id": session.host_id,
            "topic": session.topic,
            "type": session.type,
            "start_time": timestamp(session.start_time),
            "participant": {"user_id": who.user_id, "user_name": who.name},
        },
    )


@receiver(course.participant_left)
def _left(instance: Instance, participant: Participant, **_: Any) -> None:
    emit(
        WebhookEvent.PARTICIPANT_LEFT,
        event_object(instance) | {"participant": _present(participant)},
    )


def event_object(instance: Instance) -> dict[str, Any]:
    """Returns an instance of a session as subscribers receive it."""
    return {
        "id": str(instance.number),
        "uuid": instance.uuid,
        "host_id": instance.host_id,
        "topic": instance.topic,
        "type": instance.type,
        "start_time": timestamp(instance.start_time),
        "end_time": timestamp(instance.end_time) if instance.end_time else None,
    }


def _present(one: Participant) -> dict[str, Any]:
    return {
        "id": one.id,
        "user_id": one.user_id,
        "user_name": one.name,
        "join_time": timestamp(one.joined),
        "leave_time": timestamp(one.left) if one.left else None,
    }
