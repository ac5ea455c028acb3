"""What a person types into the forms of the portal, over the account of a `Stage`, by route.

What a route lacks here is typed as in `tests/support/filled_forms.py`, as far as its page has such
a control.
"""

from typing import Any

from tests.support.filled_forms import TYPED, _picture
from tests.support.presser.stage import Stage

Typed = dict[str, Any]
FIRST = "the first that the control offers"
LAST = "the last that the control offers"
_BASELINE = """version: 1
name: Imported rules
kind: people
scope: all
settings:
  in_meeting:
    chat: true
"""
_DEVICES = "Name,IP address,Protocol\nLobby,192.0.2.9,SIP\n"


class Offered(str):
    """Stands for the first choice of a control that has this in it."""

    __slots__ = ()


def typed_on(route: str, stage: Stage) -> Typed:
    typed = {**TYPED.get(route, {}), **_of(stage).get(route, {})}
    typed.pop("said", None)
    return typed


def queries_of(route: str, stage: Stage) -> list[str]:
    """Returns what follows the address of a page that others lead to in different words."""
    pair = "&".join(f"subject={one['id']}" for one in stage.people[:2])
    accounts = "&".join(f"subject={one}" for one in stage.sub_accounts)
    found = {
        "account:compare-people-copy": pair,
        "account:compare-people-add": pair,
        "account:compare-sub-accounts-copy": accounts,
        "account:compare-sub-accounts-add": accounts,
        "account:sub-account-plan-change": "plan=base",
        "reports:saved-new": "report=hosts&subject=&query=",
    }
    family = route.partition(":")[0]
    if route in {"meetings:create", "webinars:create"}:
        like = f"copy={stage.of_family[family]['session_id']}"
        return [f"host={stage.people[0]['id']}", like]
    return [found.get(route, "")]


def _of(stage: Stage) -> dict[str, Typed]:
    other, fourth = stage.people[3], stage.people[4]
    person, second = stage.people[0], stage.people[1]
    sessions = f"host,topic,start\n{fourth['email']},Imported,2038-03-01 09:00\n"
    groups, im_groups = stage.of_family["groups"], stage.of_family["im-groups"]
    return {
        "connections:new": {
            "name": "Second",
            "base_url": stage.connection.base_url,
            "way": "query",
            "token": stage.sandbox.token,
        },
        "team:invite": {"email": "new.colleague@example.com", "name": "New"},
        "team:role-new": {"name": "Role of the stage", "webinars": "read"},
        "team:role-edit": {"meetings": "read"},
        "connections:share-new": {"user": getattr(stage.another, "pk", "")},
        "connections:share-end": {"ends_at": "2033-03-01T10:00"},
        "connections:hand-over": {"to": FIRST, "name": stage.connection.name},
        "account:compare-people-copy": {"source": FIRST, "targets": LAST},
        "account:compare-sub-accounts-copy": {"source": FIRST, "targets": LAST},
        "account:baselines-import": {"text": _BASELINE},
        "account:baselines-new": {"name": "House rules", "scope": "all", "in_meeting.chat": "true"},
        "account:compare-people-add": {"picked": other["id"], "group": FIRST},
        "account:compare-sub-accounts-add": {"picked": FIRST},
        "account:compare-groups-add": {"picked": FIRST},
        "account:compare-im-groups-add": {"picked": FIRST},
        "people:zpk": {"zpk": stage.zpk},
        "account:devices-import": {"pasted": _DEVICES, "text": _DEVICES},
        "account:tracking-fields-import": {"text": "Field\nUnit\n"},
        "account:sub-accounts-new": {"email": "owner.of.new@example.com"},
        "chat:reason": {"reason": "A dispute of the board"},
        "dashboards:alert-rule-new": {"kind": "participants", "threshold": "400"},
        "groups:create": {"name": "Pressed sales"},
        "groups:change": {"name": "Pressed sales"},
        "im-groups:create": {"name": "Pressed sales"},
        "im-groups:change": {"name": "Pressed sales"},
        "groups:members-add": {"emails": other["email"]},
        "im-groups:members-add": {"emails": other["email"]},
        "people:assistants-add": {"emails": other["email"]},
        "people:groups-join": {"picked": groups["other"]},
        "people:im-groups-join": {"picked": im_groups["other"]},
        "people:licences-protected-add": {
            "person": second["email"],
            "reason": "Back in May",
        },
        "people:onboarding-new": {"name": "Interns"},
        "people:import": {"text": "email\nimported@example.com\n"},
        "people:picture": {"picture": _picture},
        "people:password": {"password": "correct horse 1"},
        "people:email": {"email": "renamed@brightwater.example"},
        "people:remove": {"action": "disassociate"},
        "people:licence": {"licence-type": "1"},
        "recordings:retention-new": {"older_than": "400"},
        "webhooks:follow-signed": {"secret": "a-secret-of-the-service"},
        "reports:saved-new": {"name": "Monday", "frequency": "weekly"},
        "reports:saved-edit": {"name": "Monday"},
        "meetings:create": {"host": person["id"], "start_time": "2038-03-01T09:00"},
        "webinars:create": {"host": person["id"], "start_time": "2038-03-01T09:00"},
        "meetings:template-new": {"name": "Weekly"},
        "webinars:template-new": {"name": "Weekly"},
        "meetings:import": {"text": sessions},
        "webinars:import": {"text": sessions},
        "meetings:registrants-import": {"text": "email,first_name\nguest9@example.com,Guest\n"},
        "webinars:registrants-import": {"text": "email,first_name\nguest9@example.com,Guest\n"},
    }
