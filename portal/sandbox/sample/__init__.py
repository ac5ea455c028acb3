"""A sample account, the same for the same seed and moment, with dates around that moment."""

import random
from datetime import datetime

from django.db import transaction

from portal.sandbox.models import ConferenceRoom
from portal.sandbox.sample.accounts import affiliate
from portal.sandbox.sample.chat import converse
from portal.sandbox.sample.equipment import equip, furnish, install
from portal.sandbox.sample.groups import form_groups, keep_groups, keep_people
from portal.sandbox.sample.history import hold, hold_weekly
from portal.sandbox.sample.people import appoint_assistants, hire, prefer
from portal.sandbox.sample.plans import keep_sessions
from portal.sandbox.sample.recordings import record, record_held, share
from portal.sandbox.sample.sessions import schedule


@transaction.atomic
def load(
    people: int, seed: int, moment: datetime, *, required_tracking_field: bool = False
) -> None:
    """Fills an empty database with an account of this number of people, as of `moment`."""
    today = moment.replace(microsecond=0)
    users = hire(people, _chance(seed, "people"), today)
    formed = form_groups(users, _chance(seed, "groups"))
    keep_people(users, formed)
    keep_groups(formed)
    appoint_assistants(users, _chance(seed, "assistants"))
    prefer(users, _chance(seed, "preferences"))
    equip(users, _chance(seed, "telephony"))
    sessions = schedule(users, _chance(seed, "sessions"), today)
    keep_sessions(sessions, _chance(seed, "plans"), today)
    record(users, _chance(seed, "recordings"), today)
    affiliate(_chance(seed, "accounts"), today)
    install(_chance(seed, "equipment"), asks_for_cost_centre=required_tracking_field)
    rooms = furnish(len(users), _chance(seed, "rooms"))
    ConferenceRoom.objects.bulk_create(rooms)
    hold(users, rooms, _chance(seed, "history"), today)
    record_held(_chance(seed, "held recordings"), today)
    share(_chance(seed, "sharing"))
    hold_weekly(users, rooms, _chance(seed, "weekly webinar"), today)
    ConferenceRoom.objects.bulk_update(rooms, ["last_start_time"], batch_size=200)
    converse(users, _chance(seed, "chat"), today)


def _chance(seed: int, what: str) -> random.Random:
    """Returns random numbers for one area of the sample, so that a new area changes no other."""
    return random.Random(f"{seed}:{what}")  # noqa: S311
