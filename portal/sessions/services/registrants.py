"""Those who registered for a session, as the service lists them: by status, for one occurrence."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from portal.client import Api, page_at
from portal.contract.model import Titles
from portal.contract.reading import believed
from portal.contract.registrants import (
    AddedRegistrant,
    CustomAnswer,
    NewRegistrantQuery,
    Registrant,
    RegistrantDetails,
    RegistrantsQuery,
    RegistrantStatus,
)
from portal.contract.session_kinds import RegistrantFamily
from portal.translation import folded, gettext as _, spellings

LARGEST_PAGE = 300
SEARCHED = 10_000  # as many are looked through by one search
_READ_FOR_QUESTIONS = 600  # as many are looked through for the questions that were asked
# What registrants may be asked besides name and email, by the field, without the host's own.
QUESTIONS = Titles(Registrant, without=("email", "first_name", "last_name", "custom_questions"))


@dataclass(frozen=True)
class RegistrantLookup:
    """Which registrants are meant. `search` are words; the service itself cannot search."""

    status: RegistrantStatus = RegistrantStatus.APPROVED
    occurrence_id: str = ""
    search: str = ""

    def query(self, size: int = LARGEST_PAGE, number: int = 1) -> RegistrantsQuery:
        query = RegistrantsQuery(status=self.status, page_size=size, page_number=number)
        if not self.occurrence_id:
            return query
        return query.model_copy(update={"occurrence_id": self.occurrence_id})


@dataclass(frozen=True)
class RegistrantListing:
    """One page of them. `is_cut` says that a search gave up before the last one."""

    people: list[RegistrantDetails]
    total: int
    number: int
    is_cut: bool = False


@dataclass(frozen=True)
class Registrants:
    """The registrants of one session. Each method raises `ApiError`."""

    api: Api
    family: RegistrantFamily
    session_id: str

    def page(self, lookup: RegistrantLookup, *, number: int, size: int) -> RegistrantListing:
        """A page as the service pages them or, of a search, as it found them."""
        if lookup.search.strip():
            return self._search(lookup, number=number, size=size)
        call = self.family.list.call(self.session_id, lookup.query(size, number))
        answer = page_at(self.api.caller, call)
        total = answer.total_records
        if total is None:
            total = (number - 1) * size + len(answer.registrants)
        return RegistrantListing(answer.registrants, total, number)

    def count(self, lookup: RegistrantLookup) -> int | None:
        """Returns the number of registrants; `None` if it is not known."""
        answer = self.api.caller(self.family.list.call(self.session_id, lookup.query(1)))
        return believed(answer.total_records, answer.registrants)

    def all(self, lookup: RegistrantLookup) -> Iterator[RegistrantDetails]:
        """All of them that a search finds, read page by page."""
        words = spellings(lookup.search)
        for page in self.api.caller.pages(self.family.list.call(self.session_id, lookup.query())):
            yield from (one for one in page.registrants if _has(one, words))

    def called(self, lookup: RegistrantLookup, ids: Iterable[str]) -> list[RegistrantDetails]:
        """Returns those with these ids, whatever is searched, in the service's order; reading ends
        with the last of them."""
        missing, people = set(ids), []
        for one in self.all(replace(lookup, search="")) if missing else ():
            if one.id in missing:
                missing.discard(one.id)
                people.append(one)
            if not missing:
                break
        return people

    def with_email(self, email: str) -> RegistrantDetails | None:
        """Returns the registrant with this address, of any status."""
        for status in RegistrantStatus:
            for one in self.all(RegistrantLookup(status)):
                if one.email.casefold() == email.casefold():
                    return one
        return None

    def questions(self) -> list[str]:
        """Returns the questions besides the usual, as far as their answers show.

        The interface lists no questions of a session; only answered ones can be seen.
        """
        titles: dict[str, None] = {}
        for status in (RegistrantStatus.APPROVED, RegistrantStatus.PENDING):
            for one in islice(self.all(RegistrantLookup(status)), _READ_FOR_QUESTIONS):
                titles |= dict.fromkeys(own_questions([one]))
        return list(titles)

    def add(self, person: Registrant, occurrence_ids: Iterable[str] = ()) -> AddedRegistrant:
        """Registers for these occurrences, or for all there are."""
        chosen = ",".join(occurrence_ids)
        about = [NewRegistrantQuery(occurrence_ids=chosen)] if chosen else []
        return self.api.caller(self.family.add.call(self.session_id, *about, person))

    def _search(self, lookup: RegistrantLookup, *, number: int, size: int) -> RegistrantListing:
        words = spellings(lookup.search)
        matches: list[RegistrantDetails] = []
        seen = 0
        listed = self.all(replace(lookup, search=""))
        for one in islice(listed, SEARCHED):
            seen += 1
            if _has(one, words):
                matches.append(one)
        number = max(1, min(number, -(-len(matches) // size)))
        first = (number - 1) * size
        return RegistrantListing(
            matches[first : first + size], len(matches), number, is_cut=seen == SEARCHED
        )


def name_of(person: RegistrantDetails) -> str:
    return f"{person.first_name} {person.last_name}".strip() or person.email or person.id


def answers(person: RegistrantDetails) -> list[tuple[str, str]]:
    """Returns a registrant's answers, by the question: the usual ones, then the host's own."""
    values = [(title, answer_to(person, name)) for name, title in QUESTIONS.items()]
    given = [(title, value) for title, value in values if value]
    return given + [(one.title or _("Question"), one.value or "") for one in _own(person)]


def answer_to(person: RegistrantDetails, name: str) -> str:
    """The answer to one of `QUESTIONS`, in words."""
    value = getattr(person, name, None)
    return str(getattr(value, "label", value)) if value else ""


def answer_to_own(person: RegistrantDetails, title: str) -> str:
    return next((one.value or "" for one in _own(person) if one.title == title), "")


def own_questions(people: Iterable[RegistrantDetails]) -> list[str]:
    """The questions of the host's own that these answered."""
    return list(dict.fromkeys(one.title for each in people for one in _own(each) if one.title))


def _own(person: RegistrantDetails) -> list[CustomAnswer]:
    return person.custom_questions or []


def _has(person: RegistrantDetails, words: list[tuple[str, ...]]) -> bool:
    """Returns whether every word stands in a field that a person would search by."""
    if not words:
        return True
    values = [person.first_name, person.last_name, person.email, person.org, person.job_title]
    values += [each.value for each in person.custom_questions or ()]
    text = folded(" ".join(filter(None, values)))
    return all(any(form in text for form in forms) for forms in words)
