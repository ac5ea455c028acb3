"""Assistants and schedulers of a person (spec 2.5 and 4.4)."""

from pydantic import Field

from portal.contract.inverse import PutsBack, TakesOut
from portal.contract.methods import DELETE, GET, POST
from portal.contract.model import Model
from portal.contract.operation import Effect, Family
from portal.contract.problems import PersonReference
from portal.contract.times import Timestamp

_ASSISTANTS = PutsBack("assistants.add", "assistants", listing="assistants.list")
_SCHEDULERS = PutsBack("assistants.add", "assistants", listing="schedulers.list", turned=True)


class Delegate(PersonReference):
    """A colleague, named by id or by email; with an id the email is ignored."""


class DelegateList(Model):
    """Assistants or schedulers; the interface calls the array `assistants` for both."""

    assistants: list[Delegate] = Field(
        title="Assistants", description="At most 30 people.", max_length=30
    )


class AddedDelegates(Model):
    add_at: Timestamp | None = Field(None, title="Added")
    ids: str = Field("", title="User IDs", description="Separated by commas.")


class Assistants(Family, name="assistants"):
    """Those who may schedule for a person."""

    list = GET("/users/{userId}/assistants", "List assistants", returns=DelegateList)
    add = POST(
        "/users/{userId}/assistants",
        "Add assistants",
        body=DelegateList,
        returns=AddedDelegates,
        before=list,
        locates=True,
        inverse=TakesOut("assistants.remove", "assistants", listing="assistants.list"),
    )
    remove_all = DELETE(
        "/users/{userId}/assistants",
        "Remove all assistants",
        before=list,
        inverse=_ASSISTANTS,
    )
    remove = DELETE(
        "/users/{userId}/assistants/{assistantId}",
        "Remove an assistant",
        effect=Effect.WRITE,
        before=list,
        inverse=_ASSISTANTS,
    )


class Schedulers(Family, name="schedulers"):
    """Those for whom a person may schedule."""

    list = GET("/users/{userId}/schedulers", "List schedulers", returns=DelegateList)
    remove_all = DELETE(
        "/users/{userId}/schedulers",
        "Remove all schedulers",
        before=list,
        inverse=_SCHEDULERS,
    )
    remove = DELETE(
        "/users/{userId}/schedulers/{schedulerId}",
        "Remove a scheduler",
        effect=Effect.WRITE,
        before=list,
        inverse=_SCHEDULERS,
    )
