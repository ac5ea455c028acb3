"""People as mail programs, sheets and people themselves write them: names and addresses in a list.

Lists are separated by line breaks, semicolons or commas, which names contain too. What stands in
quotes, brackets or comments is one thing; an address in angle brackets ends a person. What cannot
be distinguished is reported, and never guessed.
"""

import re
import unicodedata
from bisect import bisect
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.utils import parseaddr
from html import unescape

from portal.translation import gettext as _

_SIGN = r"[^\s<>()\[\]\",;:@|]"
_BARE = re.compile(rf"(?<!{_SIGN}){_SIGN}++@[^\s<>()\[\]\",;:@|?]+")
_MAILTO = re.compile(r"(?:mailto|smtp):([^\s<>()\",;?]*)(?:\?[^\s<>()\",;]*)?", re.IGNORECASE)
_LINKED = re.compile(r"\[([^\[\]]*)\]\(\s*([^\s()]+@[^\s()]+?)\s*\)", re.IGNORECASE)
_ANGLED = re.compile(r"<([^<>@]*@[^<>@]*)>")
_BULLET = re.compile(r"\A\s*(?:[-*+\N{BULLET}\N{MIDDLE DOT}\N{EN DASH}]|\d{1,4}[.)])\s+")
# After a comma, where `Y` may be a name.
_LAST_OF_LIST = re.compile(
    r"\A(?:(?:and|und|&|\+)\s+|(?:et|y|e|og|och|en)\s+(?=\S+\Z))", re.IGNORECASE
)
_AND = re.compile(r"\A(?:and|und|et|y|e|og|och|en|&|\+)\s+", re.IGNORECASE)
_FOLDED = re.compile(r"[ \t]+<(?=[^<>@]*@)")
_ADJACENT = re.compile(r"(@[^<>@]*>)\s*(?=<)")
_GROUP = re.compile(r"^[^@<>\":]*:(?=.*@)", re.DOTALL)
# What mail programs of one house write in the place of an address.
_NO_ADDRESS = re.compile(r"(<[^<>@\r\n]*>)[ \t]*[,;]")
_ENDED = re.compile(r"[^\s:]\s*<[^<>]*@[^<>]*>")  # a name and its address: what follows is another
_COMMENT = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_BESIDE_ADDRESS = re.compile(r"\A[-/\u2013\u2014]+(?:\s|\Z)|\s[-/\u2013\u2014]+\Z")
# What may stand before and after the address of a cell: nothing, a bullet, a name in quotes or
# brackets.
_ALONE_BEFORE = re.compile(r"[\s.'*\u2022\u00b7\u2013-]*(?:(?:\"[^\"@]*\"|\([^()@]*\))\s+)?")
_ALONE_AFTER = re.compile(r"(?:\?\S*)?(?:\s+\([^()@]*\))?[\s.,;']*")
_LONGEST = 320  # characters of what stands in quotes or brackets
# What stands between a name in quotes or a comment, and the address that it goes with.
_BELONGS = re.compile(rf"[^,;<\"|]{{0,{_LONGEST}}}<|\s{{0,{_LONGEST}}}{_SIGN}++@")
_CLOSES = {"<": ">", "(": ")", "[": "]", '"': '"'}
_JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
# Those that join nothing: they stand at an end, or beside a letter that needs none.
_LOOSE_JOINERS = re.compile(rf"(?<![^\x00-\x7f])[{_JOINERS}]+|[{_JOINERS}]+(?![^\x00-\x7f])")
_LINE_ENDS = re.compile("[\x85\u2028\u2029]")
_SPACES = re.compile("[\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]")
# Marks of direction and of breaks, tags, and letters and signs that have no shape either.
_UNSEEN = re.compile(
    "[\xad\u034f\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\u2800"
    "\u3164\ufeff\uffa0\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001"
    "\U000e0020-\U000e007f]"
)
# Beside these: what chooses the shape of a letter or a picture, and vowels that are not written.
_UNSEEN_IN_ADDRESSES = re.compile(
    f"[{_JOINERS}\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)
# Quotes and separators as they stand on other keyboards.
_AS_TYPED = str.maketrans(
    {
        "\N{LEFT DOUBLE QUOTATION MARK}": '"',
        "\N{RIGHT DOUBLE QUOTATION MARK}": '"',
        "\N{DOUBLE LOW-9 QUOTATION MARK}": '"',
        "\N{LEFT-POINTING DOUBLE ANGLE QUOTATION MARK}": '"',
        "\N{RIGHT-POINTING DOUBLE ANGLE QUOTATION MARK}": '"',
        "\N{FULLWIDTH LESS-THAN SIGN}": "<",
        "\N{FULLWIDTH GREATER-THAN SIGN}": ">",
        "\N{FULLWIDTH COMMERCIAL AT}": "@",
        "\N{FULLWIDTH SEMICOLON}": ";",
        "\N{FULLWIDTH COMMA}": ",",
        "\N{IDEOGRAPHIC COMMA}": ",",
    }
)


@dataclass(frozen=True)
class Addressed:
    """A person in a list: `text` is what stands there, `problem` says why it names no one."""

    text: str
    name: str = ""
    email: str = ""
    problem: str = ""

    @property
    def names(self) -> tuple[str, str]:
        """First and last name; `Lovelace, Ada` has the last one first."""
        last, comma, first = self.name.partition(",")
        if comma:
            return first.strip(), last.strip()
        first, _space, last = self.name.rpartition(" ")
        return (first, last) if first else (last, "")


def people_in(text: str) -> list[Addressed]:
    """Returns the people that a text names, in its order."""
    shown = (unescape(text) if "&lt;" in text else text).replace("\r\n", "\n")
    plain = _MAILTO.sub(r"\1", _LINKED.sub(r'"\1" <\2>', visible(shown).translate(_AS_TYPED)))
    # An address in brackets is one, also where a program has broken the line within.
    whole = _ADJACENT.sub(r"\1; ", _FOLDED.sub(" <", _ANGLED.sub(_unbroken, plain)))
    whole = _NO_ADDRESS.sub(r"\1\n", whole)
    return [one for line in _lines(whole) for one in _of_line(line)]


def _unbroken(angled: re.Match[str]) -> str:
    lines = angled[1].splitlines()
    return f"<{''.join(map(str.strip, lines))}>" if len(lines) > 1 else angled[0]


def names_in(text: str) -> tuple[str, str]:
    """Returns the first and last name of a person who is named without an address."""
    return Addressed(text, _name(visible(text).translate(_AS_TYPED))).names


def address_in(text: str, name: str = "") -> str:
    """Returns the address of the only one whom a cell names, in any notation; a cell without an
    address as it is, which is for the contract to refuse.

    An address is never a part of what stands in the cell: raises `ValueError` for several, and for
    words around a bare one, unless they are the first and last `name` beside the cell.
    """
    bare = _address(text)
    if not re.search(r"[\s<>:()\[\],;|\"]", bare) or "@" not in bare:
        return bare
    text = _UNSEEN_IN_ADDRESSES.sub("", text)
    people = people_in(text)
    if len(people) == 1 and not people[0].problem and _is_set_apart(text, people[0], name):
        return people[0].email
    quoted = " ".join(text.split())
    if len(_addresses(visible(text).translate(_AS_TYPED))) > 1:
        words = _("“%(text)s” has more than one address. Enter one.")
    else:
        words = _(
            "“%(text)s” is not one address. Enter the address alone, or with the name before it as "
            "in Ada King <ada@example.com>."
        )
    raise ValueError(words % {"text": quoted})


def _address(text: str) -> str:
    """Returns an address without quotes around it, and with nothing in it that is not seen or that
    has the width of another script."""
    if not text.isascii():
        shown = "".join(
            each
            for each in unicodedata.normalize("NFC", _UNSEEN_IN_ADDRESSES.sub("", text))
            if unicodedata.category(each) != "Cf"  # untranslated: of Unicode, what has no shape
        )
        narrow = unicodedata.normalize("NFKC", shown)
        text = narrow if narrow.isascii() else shown
    return text[1:-1] if text[:1] == text[-1:] == "'" else text


def addresses_in(text: str) -> list[str]:
    """Returns the addresses of a cell for several people, each as `address_in` reads it. Raises
    `ValueError`."""
    people = people_in(text)
    if problem := next((one.problem for one in people if one.problem), ""):
        raise ValueError(problem)
    return [address_in(one.text) for one in people]


def _is_set_apart(text: str, one: Addressed, name: str) -> bool:
    """Returns whether the address stands alone, in brackets, or beside a name that is a name by its
    quotes, by its brackets or by the columns beside it."""
    plain = visible(unescape(text)).translate(_AS_TYPED)
    before, _address, after = plain.rpartition(one.email)
    before = re.sub(r"(?:mailto|smtp):$", "", before, flags=re.IGNORECASE)
    if before.rstrip()[-1:] in {*"<(["} and before.strip():
        return True
    if _ALONE_BEFORE.fullmatch(before) and _ALONE_AFTER.fullmatch(after):
        return True
    words = one.name.casefold().split()
    return len(words) > 1 and sorted(words) == sorted(name.casefold().split())


def has_unseen(text: str) -> bool:
    """Returns whether `visible` leaves out some of its characters."""
    has_joiner = any(each in text for each in _JOINERS)
    return not text.isascii() and bool(
        _UNSEEN.search(text) or (has_joiner and _LOOSE_JOINERS.search(text))
    )


def as_lines(people: Iterable[Addressed]) -> str:
    """Returns the people one on each line, as `people_in` reads them again."""
    return "\n".join(map(_line, people))


def _line(one: Addressed) -> str:
    if one.problem:
        return " ".join(one.text.split())
    name = f'"{one.name}"' if re.search(r"[^\w\s.'-]", one.name) else one.name
    return f"{name} <{one.email}>" if name else one.email


def visible(text: str) -> str:
    """Returns the text without invisible characters, with plain spaces, accents composed (NFC).

    What joins letters, or keeps them apart, stays within them: some languages are written with it.
    """
    if text.isascii():
        return text
    shown = _UNSEEN.sub("", unicodedata.normalize("NFC", text))
    spaced = _LINE_ENDS.sub("\n", _SPACES.sub(" ", shown))
    has_joiner = any(each in spaced for each in _JOINERS)
    return _LOOSE_JOINERS.sub("", spaced) if has_joiner else spaced


def _lines(text: str) -> Iterator[str]:
    """Yields the lines; one that begins with an address in brackets belongs to the one before."""
    joined = ""
    for line in _pieces(text, "\r\n"):
        last = _pieces(joined, ",;")[-1]
        is_rest = line.lstrip().startswith("<") and last.strip() and not _addresses(last)
        if not is_rest and joined.strip():
            yield joined
            joined = ""
        joined = f"{joined} {line.lstrip()}" if is_rest else line
    if joined.strip():
        yield joined


def _of_line(line: str) -> Iterator[Addressed]:
    line = _GROUP.sub("", _BULLET.sub("", line, count=1)).strip(" \t,;|")
    is_one = len(_addresses(line)) <= 1
    pieces = _beside_one(line) if is_one else _between_semicolons(line)
    if len(pieces) > 1:
        for piece in pieces:
            yield from _of_line(piece)
    elif is_one:
        yield _one(line)
    else:
        yield from _of_list(line)


def _between_semicolons(line: str) -> list[str]:
    return [piece for piece in _pieces(line, ";") if piece.strip(" \t,")]


def _beside_one(line: str) -> list[str]:
    """Returns the parts of a line with one address: in angle brackets it ends a person, and others
    have none."""
    ended = _ENDED.search(line)
    if ended is None:
        return [line]
    rest = line[ended.end() :]
    has_more = re.search(r"\w", _COMMENT.sub("", rest))
    return [line[: ended.end()], rest] if has_more else _between_semicolons(line)


def _of_list(line: str) -> Iterator[Addressed]:
    """Yields several addresses between commas, tabs or spaces."""
    words: list[str] = []  # what may be the beginning of a name
    for piece in filter(str.strip, _pieces(line, ",\t|")):
        result = _addresses(piece)
        if not result:
            words.append(piece.strip())
        elif len(result) > 1:
            yield from _unclear(words)
            yield from _in_a_row(piece)
            words = []
        elif "<" in piece:
            yield _one(", ".join([*words, _LAST_OF_LIST.sub("", piece.strip())]))
            words = []
        else:
            yield from _unclear(words)
            yield _one(_LAST_OF_LIST.sub("", piece.lstrip()))
            words = []
    yield from _unclear(words)


def _in_a_row(piece: str) -> Iterator[Addressed]:
    """Yields several addresses with nothing but spaces between, each after the name that it has."""
    begin = 0
    addresses = _addresses(piece)
    for at, address in enumerate(addresses):
        end = (
            address.end()
            + len(piece[address.end() :])
            - len(piece[address.end() :].lstrip(">)]'\""))
        )
        following = addresses[at + 1] if at + 1 < len(addresses) else None
        if following and re.fullmatch(
            r"[\s>)\]'\"]*<\s*", piece[address.end() : following.start()]
        ):
            if following[0].casefold() != address[0].strip("'").casefold():
                yield Addressed(piece[begin:].strip(), problem=_two_in_one(address[0]))
                return
            continue  # the same once more, as the name that the next one has
        yield _one(_AND.sub("", piece[begin:end].lstrip(), count=1))
        begin = end
    yield from _unclear(filter(None, [piece[begin:].strip()]))


def _two_in_one(name: str) -> str:
    return _("The name “%(name)s” contains another address.") % {"name": name}


def _unclear(words: Iterable[str]) -> Iterator[Addressed]:
    for each in words:
        problem = _("It is not clear whose name “%(name)s” is.") % {"name": each}
        yield Addressed(each, problem=problem)


def _one(text: str) -> Addressed:
    """Returns the person whom a text with at most one address names."""
    text = " ".join(text.split(" ")).strip(" ,;")
    result = next(iter(_addresses(text)), None)
    if result is None:
        problem = _("“%(text)s” has no email address.") % {"text": text.strip()}
        return Addressed(text.strip(), problem=problem)
    before, after = text[: result.start()], text[result.end() :]
    email = _address(result[0].strip(".'"))
    opening = before.rstrip()[-1:]
    closing = _CLOSES.get(opening, "") or ">"
    if opening == "<" or (opening and opening in '(["' and after.lstrip().startswith(closing)):
        before, after = before.rstrip()[:-1], after.lstrip().removeprefix(closing)
        name = _name(f"{before} {after}")
    else:
        name = " ".join(_name(piece) for piece in _pieces(f"{before} , {after}", ",;\t"))
        name = _BESIDE_ADDRESS.sub("", " ".join(name.split()))
        if before.strip(" ,;\t|") and re.match(r"\s*[,;\t|]\s*\w", after):  # a row with more cells
            return next(_unclear([text]))
    if name.casefold().strip("'") == email.casefold():
        name = ""
    if "@" in name or "<" in name:
        return Addressed(text, problem=_two_in_one(text))
    return Addressed(text, name, email)


def _name(text: str) -> str:
    """Returns a name without quotes, comments and encoding; a comment is one if nothing else is."""
    text = " ".join(text.split()).strip(" ,;")
    plain, _address = parseaddr(f"{text} <a@example.com>") if '"' in text else (text, "")
    # A comment within quotes is a part of the name.
    without = _COMMENT.sub(" ", plain) if '"' not in text else plain
    chosen = without if without.strip() else re.sub(r"[()\[\]]", " ", plain)
    chosen = " ".join(chosen.replace('"', " ").split()).strip(" ,;<>")
    if len(chosen) > 1 and chosen[0] == chosen[-1] == "'":
        chosen = chosen[1:-1].strip()
    return _decoded(chosen)


def _decoded(name: str) -> str:
    """Names as headers encode them: `=?utf-8?q?J=C3=B6rg?=`."""
    if "=?" not in name:
        return name
    try:
        return visible(str(make_header(decode_header(name))))
    except (HeaderParseError, LookupError, UnicodeError, ValueError):
        return name


def _addresses(text: str) -> list[re.Match[str]]:
    """Returns the addresses in a text, but for those in the quotes or comments of a name.

    A name has its address behind it, with nothing that separates people between.
    """
    hidden = [
        match.span()
        for match in re.finditer(r'"[^"]*"|\([^()]*\)', text)
        if _BELONGS.match(text, match.end())
    ]
    begins = [begin for begin, _end in hidden]

    def is_hidden(place: int) -> bool:
        before = bisect(begins, place) - 1
        return before >= 0 and place < hidden[before][1]

    return [one for one in _BARE.finditer(text) if not is_hidden(one.start())]


def _pieces(text: str, separators: str) -> list[str]:
    """Returns the text between separators, but for those in quotes, brackets or comments."""
    pieces, begin, awaited = [], 0, ""
    for match in re.finditer(rf'[{separators}<>()\[\]"]', text):
        place, each = match.start(), match[0]
        if awaited:
            awaited = "" if each == awaited else awaited
        elif each in separators:
            pieces.append(text[begin:place])
            begin = place + 1
        elif (closing := _CLOSES.get(each, "")) and _is_closed(text, place, closing):
            awaited = closing
    return [*pieces, text[begin:]]


def _is_closed(text: str, place: int, closing: str) -> bool:
    """Returns whether the bracket that opens there is closed within the length of a name or an
    address."""
    return text.find(closing, place + 1, place + _LONGEST) > 0
