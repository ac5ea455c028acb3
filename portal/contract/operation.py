"""Operations of the interface as data (spec section 4), and families that can call them.

A family lists its operations as class attributes. On the class an operation is a description, which
the sandbox serves and the documents are made from; on an instance it is a call:

    Users.create.path                       # "/users"
    Users(caller).create(NewUser(...))      # -> CreatedUser

A call takes the path's ids in their order, then the query or the body, distinguished by their
types.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum, auto
from functools import cached_property
from typing import Any, Generic, Literal, Protocol, Self, TypeVar, cast, overload

from portal.contract.inverse import Inverse
from portal.contract.model import Model, has_required
from portal.contract.path import PATH_PARAMETERS, Id, PathParameter, encoded
from portal.contract.reading import LeftOut, all_left_out_of
from portal.contract.words import gettext

I = TypeVar("I")  # noqa: E741 - the models a call takes: query, body, or both
R = TypeVar("R")  # what a call returns
R_co = TypeVar("R_co", covariant=True)  # the same of operations: who takes any takes this
T = TypeVar("T")  # the records of a paged list
Method = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]


class Weight(StrEnum):
    """Classes of operations by what they ask of the service. Each has a limit of its own: of
    requests a second, and for what is `SCARCE` a minute."""

    LIGHT = auto()
    MEDIUM = auto()
    HEAVY = auto()
    SCARCE = auto()


class Effect(StrEnum):
    """The effect of an operation on the account; roles are granted by it."""

    READ = "read"
    WRITE = "write"
    DESTRUCTIVE = "destructive"


class PagingKind(StrEnum):
    BY_NUMBER = "page_number"
    BY_TOKEN = "next_page_token"  # noqa: S105


@dataclass(frozen=True)
class Paging(Generic[T]):
    """The paging of a list (spec 2.3), and the name under which its records stand.

    `key` are the fields that together identify a record; without any, only the whole record does.
    """

    kind: PagingKind
    records: str
    item: type[T]
    key: tuple[str, ...] = ("id",)


def by_number(records: str, item: type[T], *key: str) -> Paging[T]:
    return Paging(PagingKind.BY_NUMBER, records, item, key or ("id",))


def by_token(records: str, item: type[T], *key: str) -> Paging[T]:
    return Paging(PagingKind.BY_TOKEN, records, item, key or ("id",))


class Caller(Protocol):
    """Carries a call out. The client sends it; access checks and records it first."""

    def __call__(self, call: "Call[R]") -> R: ...

    def pages(self, call: "Call[R]") -> Iterator[R]: ...


@dataclass(frozen=True)
class Operation(Generic[I, R_co]):
    """One row of the interface.

    `words` say what it does. `before` is the GET that reads the state a write is about to change,
    `inverse` how the write is undone, which each that changes something declares; `locates` says
    that a create answers with `Content-Location` (spec 1, rule 5); `addressed` are the path
    parameters that its family types otherwise than `PATH_PARAMETERS`. `errors` are the
    statuses that the document lists, `decided` those that follow from what it says without listing
    them. `weight` is its class
    if that is not its family's, nor the usual one.
    """

    method: Method
    path: str
    words: str
    status: int
    query: type[Model] | None = None
    body: type[Model] | None = None
    returns: type[Model] | None = None
    pages: Paging[Any] | None = None
    effect: Effect = Effect.READ
    locates: bool = False
    errors: tuple[int, ...] = ()
    decided: tuple[int, ...] = ()
    before: "Operation[Any, Any] | None" = None
    inverse: Inverse | None = field(default=None, hash=False)  # some of its parts are mappings
    deprecated: bool = False
    weight: Weight | None = field(default=None, compare=False)
    addressed: tuple[PathParameter, ...] = field(default=(), compare=False)
    family: str = field(default="", compare=False)
    attribute: str = field(default="", compare=False)

    def __set_name__(self, owner: type, name: str) -> None:
        # A class elsewhere that refers to an operation does not name it.
        if issubclass(owner, Family):
            object.__setattr__(self, "attribute", name)

    @property
    def summary(self) -> str:
        """Returns what the operation does, in the reader's language."""
        return gettext(self.words)

    @property
    def name(self) -> str:
        """Returns the name in code, logs and the audit trail: `users.create`."""
        return f"{self.family}.{self.attribute}"

    @property
    def reads_one(self) -> bool:
        """Returns whether it reads a single object."""
        return self.method == "GET" and bool(self.path_parameters) and not self.pages

    @property
    def path_parameters(self) -> tuple[str, ...]:
        return tuple(re.findall(r"\{(\w+)\}", self.path))

    @property
    def refusals(self) -> tuple[int, ...]:
        """Returns every status but 5xx that a refusal of a request in good form may have."""
        usual = {400, 401, 429, *self.errors, *self.decided}
        usual |= {404} if self.path_parameters else set()
        usual |= {413, 415} if self.body else set()
        return tuple(sorted(usual))

    @cached_property
    def ids(self) -> tuple[PathParameter, ...]:
        own = {parameter.name: parameter for parameter in self.addressed}
        return tuple(own.get(name) or PATH_PARAMETERS[name] for name in self.path_parameters)

    @overload
    def __get__(self, instance: None, owner: type["Family"]) -> Self: ...

    @overload
    def __get__(self, instance: "Operation[Any, Any]", owner: object) -> Self: ...

    @overload
    def __get__(self, instance: "Family", owner: type["Family"]) -> "Bound[I, R_co]": ...

    def __get__(self, instance: object, owner: object) -> "Self | Bound[I, R_co]":
        return Bound(self, instance.caller) if isinstance(instance, Family) else self

    def call(self, *arguments: Id | I) -> "Call[R_co]":
        """Returns a call of this operation.

        `TypeError` if an id, the query or the body is amiss, `NotAnId` for an id that would
        address something else or is not of its type.
        """
        ids = [p for p in arguments if isinstance(p, str | int) and not isinstance(p, bool)]
        models = [argument for argument in arguments if isinstance(argument, Model)]
        query = next((m for m in models if self.query and isinstance(m, self.query)), None)
        body = next((m for m in models if self.body and isinstance(m, self.body)), None)
        if len(ids) != len(self.path_parameters) or len(arguments) != len(ids) + len(models):
            raise TypeError(f"{self.name} takes {', '.join(self.path_parameters) or 'no id'}")
        if len(models) != (query is not None) + (body is not None):
            raise TypeError(f"{self.name} takes other models than {models!r}")
        if self.body and body is None:
            raise TypeError(f"{self.name} takes a body: {self.body.__name__}")
        if self.query and query is None and has_required(self.query):
            raise TypeError(f"{self.name} takes a query: {self.query.__name__}")
        checked = (named.check(value) for named, value in zip(self.ids, ids, strict=True))
        return Call(self, tuple(checked), query, body)


AnyOperation = Operation[Any, Any]


@dataclass(frozen=True)
class PagedOperation(Operation[I, R_co], Generic[I, R_co, T]):
    """A list that comes in pages; an instance's call returns one of them, `.all` every record."""

    @overload
    def __get__(self, instance: None, owner: type["Family"]) -> Self: ...

    @overload
    def __get__(self, instance: AnyOperation, owner: object) -> Self: ...

    @overload
    def __get__(self, instance: "Family", owner: type["Family"]) -> "BoundPaged[I, R_co, T]": ...

    def __get__(self, instance: object, owner: object) -> "Self | BoundPaged[I, R_co, T]":
        return BoundPaged(self, instance.caller) if isinstance(instance, Family) else self


@dataclass(frozen=True)
class Call(Generic[R_co]):
    """One request in the making: an operation with its ids, query and body. `next_page_token`
    continues a list that is declared by number, if a service pages it by token."""

    operation: Operation[Any, R_co]
    ids: tuple[Id, ...] = ()
    query: Model | None = None
    body: Model | None = None
    next_page_token: str = ""

    @property
    def path(self) -> str:
        """Returns the path with its ids percent-encoded, twice if an id holds a slash."""
        return self.filled(self.operation.path)

    def filled(self, template: str) -> str:
        """Returns this path of the same ids, with them in it."""
        ids = dict(zip(self.operation.path_parameters, self.ids, strict=True))
        return re.sub(r"\{(\w+)\}", lambda match: encoded(ids[match[1]]), template)

    @property
    def parameters(self) -> dict[str, str]:
        """Returns the query as it travels; what is not set is left out."""
        sent = self.query.sent() if self.query else {}
        if self.next_page_token:
            sent = {**sent, "page_number": None, "next_page_token": self.next_page_token}
        return {name: _as_text(value) for name, value in sent.items() if value is not None}


def _as_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


class Bound(Generic[I, R_co]):
    """An operation that can be called."""

    def __init__(self, operation: Operation[I, R_co], caller: Caller) -> None:
        self.operation = operation
        self.caller = caller

    def __call__(self, *arguments: Id | I) -> R_co:
        return self.caller(self.operation.call(*arguments))


class BoundPaged(Bound[I, R_co], Generic[I, R_co, T]):
    """A paged list that can be called: once for a page, or through all of them."""

    def pages(self, *arguments: Id | I) -> Iterator[R_co]:
        return self.caller.pages(self.operation.call(*arguments))

    def all(self, *arguments: Id | I, left_out: list[LeftOut] | None = None) -> Iterator[T]:
        """Yields every record of all pages, each once; `left_out` gets those that cannot be
        read."""
        paging = cast(Paging[T], self.operation.pages)
        for page in self.pages(*arguments):
            if left_out is not None:
                left_out += all_left_out_of(page)
            yield from getattr(page, paging.records) or ()


class _Title:
    """The title of a family, in the reader's language."""

    def __get__(self, instance: object, owner: type["Family"]) -> str:
        return gettext(owner.words)


class Family:
    """The operations on one kind of resource."""

    name: str
    words: str
    title = _Title()

    def __init_subclass__(
        cls,
        *,
        name: str,
        title: str = "",
        weight: Weight | None = None,
        addressed: tuple[PathParameter, ...] = (),
    ) -> None:
        cls.name = name
        cls.words = title or name.replace("_", " ").capitalize()
        for operation in cls.operations():
            object.__setattr__(operation, "family", name)
            usual = Weight.LIGHT if operation.reads_one else Weight.MEDIUM
            object.__setattr__(operation, "weight", operation.weight or weight or usual)
            object.__setattr__(operation, "addressed", addressed)

    def __init__(self, caller: Caller) -> None:
        self.caller = caller

    @classmethod
    def operations(cls) -> Iterator[AnyOperation]:
        return (value for value in vars(cls).values() if isinstance(value, Operation))
