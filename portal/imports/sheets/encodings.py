"""The encodings of text files, and which one a file is likely in that does not state its own."""

import codecs
import re
import unicodedata
from io import BytesIO

from portal.imports.sheets.garbled import is_garbled
from portal.imports.sheets.table import SheetUnreadable
from portal.translation import gettext as _, gettext_lazy, number as shown_number

ENCODINGS = {
    "utf-8": gettext_lazy("Unicode (UTF-8)"),
    "utf-16": gettext_lazy("Unicode (UTF-16)"),
    "cp1252": gettext_lazy("Western European (Windows-1252)"),
    "cp1250": gettext_lazy("Central European (Windows-1250)"),
    "cp1251": gettext_lazy("Cyrillic (Windows-1251)"),
    "cp1253": gettext_lazy("Greek (Windows-1253)"),
    "cp1254": gettext_lazy("Turkish (Windows-1254)"),
    "cp1255": gettext_lazy("Hebrew (Windows-1255)"),
    "cp1256": gettext_lazy("Arabic (Windows-1256)"),
    "cp1257": gettext_lazy("Baltic (Windows-1257)"),
    "cp1258": gettext_lazy("Vietnamese (Windows-1258)"),
    "cp874": gettext_lazy("Thai (Windows-874)"),
    "mac_roman": gettext_lazy("Western European (Macintosh)"),
    "shift_jis": gettext_lazy("Japanese (Shift JIS)"),
    "gb18030": gettext_lazy("Chinese (GB 18030)"),
    "big5": gettext_lazy("Chinese (Big5)"),
    "euc_kr": gettext_lazy("Korean (EUC-KR)"),
}
# What Windows writes by the name of a standard, which has fewer characters.
_OF_WINDOWS = {"shift_jis": "cp932", "big5": "cp950", "euc_kr": "cp949"}
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig", "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32", "utf-16"),
    (codecs.BOM_UTF32_BE, "utf-32", "utf-16"),
    (codecs.BOM_UTF16_LE, "utf-16", "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16", "utf-16"),
)
_SAMPLE = 64_000  # bytes
_CELLS = re.compile(rb"[,;\t\r\n]+")  # none of these is a part of a letter of several bytes
_USUAL = "cp1252"
# By what the detector calls them. Without that of Macintosh, which makes sense of too much.
_DETECTED = {
    codecs.lookup(codec).name: name
    for name in ENCODINGS
    if name not in {"utf-8", "utf-16", "mac_roman"}
    for codec in (_OF_WINDOWS.get(name, name), name)
} | {"big5hkscs": "big5"}
# Which part of the confidence in the likeliest encoding the usual one needs, to be taken instead;
# and which part of that in the one taken another needs, to raise doubts.
_NEAR = 0.65
_DOUBTFUL = 0.5
_DOUBTFUL_IN_WEST = 0.7  # where all letters are those of names in Western Europe
_LEAST = 0.003  # confidence in any text that makes words
_OF_WEST = frozenset("ÄÖÜßäöüÉÈÊËéèêëÁÀÂáàâÍÎÏíîïÓÔóôÚÛúûÇçÑñÃÕãõÅåÆæØøŒœ")


def decoded(content: bytes, encoding: str) -> tuple[str, str, bool, bool]:
    """Returns the text, the key of its encoding, whether that is only likely, and whether names may
    be wrong: another is as likely, or words are garbled. `encoding` is empty to detect it."""
    for mark, codec, name in _MARKS:
        if content.startswith(mark):
            return _strictly(content, codec, name), name, False, False
    if not encoding:
        try:
            return content.decode(), "utf-8", False, False
        except UnicodeDecodeError:
            pass
        # Text in UTF-16 whose first half is Latin has a NUL in every second place.
        head = content[:_SAMPLE]
        for codec, place in (("utf-16-le", 1), ("utf-16-be", 0)):
            if len(content) % 2 == 0 and head[place::2].count(0) > len(head) // 4:
                return _strictly(content, codec, "utf-16"), "utf-16", False, False
    sample = _foreign_cells(content)
    likely = _likely(sample)
    name = encoding or _chosen(sample, likely)
    text = _strictly(content, _OF_WINDOWS.get(name, name), name)
    is_doubtful = is_garbled(text) or _is_mixed(content, name) or _is_doubtful(sample, name, likely)
    return text, name, True, is_doubtful


def _is_mixed(content: bytes, name: str) -> bool:
    """Returns whether a cell of a text in letters of one byte is one in UTF-8."""
    if name in _OF_WINDOWS or name == "gb18030":
        return False
    lines = (line for line in BytesIO(content) if not line.isascii())
    return any(_is_unicode(cell) for line in lines for cell in _CELLS.split(line))


def _is_unicode(cell: bytes) -> bool:
    if cell.isascii():
        return False
    try:
        cell.decode()
    except UnicodeDecodeError:
        return False
    return True


def _foreign_cells(content: bytes) -> bytes:
    """Returns cells with letters that encodings differ in, as many as a sample needs."""
    sample: list[bytes] = []
    size = 0
    for line in BytesIO(content):
        if not line.isascii():
            cells = (cell for cell in _CELLS.split(line[:_SAMPLE]) if not cell.isascii())
            sample.append(b",".join(cells))
            size += len(sample[-1])
        if size >= _SAMPLE:
            break
    return b"\n".join(sample)


def _likely(sample: bytes) -> dict[str, float]:
    """Returns the confidence in each encoding, the likeliest first."""
    from chardet import detect_all  # noqa: PLC0415 - large, and seldom needed

    results = detect_all(sample, ignore_threshold=True, include_encodings=_DETECTED)
    likely: dict[str, float] = {}
    for result in results:
        codec = codecs.lookup(result["encoding"] or "ascii").name
        if codec in _DETECTED:
            likely.setdefault(_DETECTED[codec], result["confidence"])
    return likely


def _chosen(sample: bytes, likely: dict[str, float]) -> str:
    best = next(iter(likely), _USUAL)
    is_near = likely.get(_USUAL, 0) >= likely.get(best, 0) * _NEAR
    return _USUAL if is_near or _read(sample, best) == _read(sample, _USUAL) else best


def _is_doubtful(sample: bytes, name: str, likely: dict[str, float]) -> bool:
    """Returns whether the text makes no words, or a likely encoding makes other ones of it."""
    if likely.get(name, 0) < _LEAST:
        return True
    text = _read(sample, name)
    letters = {letter for letter in text if letter.isalpha() and not letter.isascii()}
    is_western = name == _USUAL and letters <= _OF_WEST
    least = likely[name] * (_DOUBTFUL_IN_WEST if is_western else _DOUBTFUL)
    others = (other for other, confidence in likely.items() if confidence >= least)
    return any(_read(sample, other) != text for other in others)


def _read(sample: bytes, name: str) -> str:
    return sample.decode(_OF_WINDOWS.get(name, name), "replace")


def _strictly(content: bytes, codec: str, name: str) -> str:
    try:
        # Vietnamese is encoded in marks beside their letters.
        text = content.decode(codec)
        return unicodedata.normalize("NFC", text) if codec == "cp1258" else text
    except UnicodeDecodeError as error:
        raise SheetUnreadable(
            _(
                "This is not text in %(encoding)s: the byte at %(place)s means nothing there. Save "
                "the file as CSV (UTF-8), or choose its encoding."
            )
            % {"encoding": ENCODINGS[name], "place": shown_number(error.start + 1)}
        ) from None
