"""The rows of `operations.csv`, read into what an operation declares."""

import csv
import re
from dataclasses import dataclass
from pathlib import Path

_PARENTHESES = re.compile(r"\([^()]*\)")
_WORD = re.compile(r"\b[a-z][a-z0-9_]*\b", re.IGNORECASE)


@dataclass(frozen=True)
class OperationRow:
    """One operation as the document lists it."""

    method: str
    path: str
    taken: str
    success: str
    other: str

    @property
    def name(self) -> str:
        return f"{self.method} {self.path}"

    @property
    def status(self) -> int:
        return int(self.success[:3])

    @property
    def answer(self) -> str:
        """Returns the answer, without remarks."""
        return _without_remarks(self.success[3:]).strip()

    @property
    def errors(self) -> set[int]:
        return {int(status) for status in re.findall(r"\b[345]\d\d\b", self.other)}

    @property
    def query(self) -> set[str]:
        if self.body:
            before, _, _ = self.taken.rpartition("body")
            return set(_WORD.findall(_without_remarks(before)))
        return set(_WORD.findall(_without_remarks(self.taken)))

    @property
    def required_query(self) -> set[str]:
        """The days are required wherever they are listed (section 2.2)."""
        marked = re.findall(r"(\w+) \([^()]*\*\*required\*\*[^()]*\)", self.taken.split("body")[0])
        return {*marked, *({"from", "to"} & self.query)} & self.query

    @property
    def body(self) -> str:
        """Returns the words for the body; empty if there is none."""
        found = re.search(r"(?:body|multipart form field)\b:? ?(.*)", self.taken, re.DOTALL)
        return found[1] if found else ""

    @property
    def paging(self) -> str | None:
        return next(
            (kind for kind in ("page_number", "next_page_token") if kind in self.query), None
        )

    @property
    def named_in_body(self) -> set[str]:
        return _in_braces(self.body)

    @property
    def named_in_answer(self) -> set[str]:
        return _in_braces(self.answer)


def _without_remarks(text: str) -> str:
    while _PARENTHESES.search(text):
        text = _PARENTHESES.sub("", text)
    return text


def _in_braces(text: str) -> set[str]:
    """The field names that are listed in braces, at any depth."""
    text = _without_remarks(text)
    named: set[str] = set()
    while found := re.search(r"\{([^{}]*)\}", text):
        parts = re.split(r",|\bof\b|\+", found[1].replace("[]", ""))
        named |= {part.strip() for part in parts if re.fullmatch(r"[a-z][a-z0-9_]*", part.strip())}
        text = text.replace(found[0], "")
    return named


def rows() -> list[OperationRow]:
    path = Path(__file__).with_name("operations.csv")
    with path.open(newline="", encoding="utf-8") as file:
        return [
            OperationRow(
                line["method"], line["path"], line["query_and_body"], line["success"], line["other"]
            )
            for line in csv.DictReader(file)
        ]
