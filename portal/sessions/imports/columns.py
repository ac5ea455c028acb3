"""The columns that a table of registrants may have, and the headings that mean them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from portal.contract.model import fields
from portal.contract.registrants import Registrant
from portal.sessions.lines import name_and_email
from portal.ui.sheets import Limits, SheetRow, Table, Unreadable, read
from portal.ui.sheets.headings import normal, with_last_name
from portal.ui.sheets.languages import EMAIL, FIRST_NAME, LAST_NAME

NEEDED = ("email", "first_name", "last_name")
TITLES = {
    name: info.title or name for name, info in fields(Registrant) if name != "custom_questions"
}
LIMITS = Limits(rows=20_000)
_ALSO = {
    "email": ("email address", "e-mail", "mail", "registrant email", "work email", *EMAIL),
    "first_name": ("firstname", "given name", "forename", *FIRST_NAME),
    "last_name": ("lastname", "surname", "family name", *LAST_NAME),
    "org": (
        *("organization", "company", "employer", "firm", "Firma", "Unternehmen", "Organisation"),
        *("Société", "Entreprise", "Empresa", "Organización", "Azienda", "Organizzazione"),
        *("Organização", "Bedrijf", "Organisatie", "Organizacja", "会社", "会社名", "組織"),
        *("公司", "单位", "회사", "Компания", "Организация"),
    ),
    "job_title": (
        *("title", "position", "role", "Funktion", "Berufsbezeichnung", "Fonction", "Poste"),
        *("Cargo", "Puesto", "Mansione", "Ruolo", "Functie", "Stanowisko", "役職", "职位", "職稱"),
        *("직함", "Должность"),
    ),
    "phone": (
        *("phone", "phone number", "telephone number", "mobile", "Telefon", "Telefonnummer"),
        *("Téléphone", "Teléfono", "Telefono", "Telefone", "Telefoon", "Telefoonnummer", "電話"),
        *("電話番号", "电话", "전화번호", "Телефон"),
    ),
    "address": (
        *("Adresse", "Anschrift", "Dirección", "Indirizzo", "Endereço", "Adres", "住所", "地址"),
        *("주소", "Адрес"),
    ),
    "city": (
        *("Stadt", "Ort", "Ville", "Ciudad", "Città", "Cidade", "Plaats", "Stad", "Miasto"),
        *("城市", "도시", "Город"),
    ),
    "zip": (
        *("zip code", "postal code", "post code", "zip/postal code", "PLZ", "Postleitzahl"),
        *("Code postal", "Código postal", "CAP", "CEP", "Postcode", "Kod pocztowy", "郵便番号"),
        *("邮编", "우편번호", "Индекс"),
    ),
    "state": (
        *("state/province", "province", "region", "county", "Bundesland", "Provincia"),
        *("都道府県", "省"),
    ),
    "country": (
        *("country/region", "Land", "Pays", "País", "Paese", "Kraj", "国", "国家", "國家", "국가"),
        "Страна",
    ),
    "no_of_employees": ("number of employees", "company size"),
    "purchasing_time_frame": ("purchasing time frame", "time frame"),
    "role_in_purchase_process": ("role in purchase process",),
    "comments": (
        *("questions & comments", "comment", "questions", "remarks", "Bemerkungen", "Kommentar"),
        *("Commentaires", "Comentarios", "Commenti", "Comentários", "Opmerkingen", "Uwagi"),
        *("備考", "备注", "비고", "Комментарии"),
    ),
}

_BY_HEADING = {
    normal(heading): name
    for name, title in TITLES.items()
    for heading in (name, title, *_ALSO.get(name, ()))
}


@dataclass(frozen=True)
class Reading:
    """What each column of a table is: a field's name, a question of the host's own, or nothing."""

    headings: tuple[str, ...]
    names: tuple[str, ...]
    questions: tuple[str, ...]

    @property
    def missing(self) -> list[str]:
        """The columns without which no row can be registered."""
        return [TITLES[name] for name in NEEDED if name not in self.names]

    @property
    def ignored(self) -> list[str]:
        return [
            heading or "(no header)"
            for heading, name, question in zip(
                self.headings, self.names, self.questions, strict=True
            )
            if not name and not question
        ]

    @property
    def asked(self) -> list[str]:
        """The questions of the host's own that columns answer."""
        return [question for question in self.questions if question]


def reading_of(
    headings: Sequence[str], known: Iterable[str] = (), *, takes_others: bool = False
) -> Reading:
    """What the headings mean. `known` are questions of the host's own that others have answered;
    with `takes_others`, every heading that is nothing else is one."""
    questions = {normal(title): title for title in known}
    names: list[str] = []
    asked: list[str] = []
    for heading in headings:
        name = _BY_HEADING.get(normal(heading), "")
        name = "" if name in names else name
        names.append(name)
        other = heading if takes_others else ""
        asked.append("" if name else questions.get(normal(heading), other))
    named = with_last_name(headings, names)
    pairs = zip(named, asked, strict=True)
    return Reading(tuple(headings), named, tuple("" if name else each for name, each in pairs))


def table_in(content: bytes | str, file_name: str = "") -> Table:
    """The table in a file or in what was pasted. Raises `Unreadable`.

    What was pasted may do without headings: then each line is a name and an email.
    """
    if isinstance(content, str) and _is_lines(content):
        return _from_lines(content)
    return read(content, file_name=file_name, limits=LIMITS)


def _is_lines(text: str) -> bool:
    first = next((line for line in text.splitlines() if line.strip()), "")
    return "@" in first


def _from_lines(text: str) -> Table:
    if len(text) > LIMITS.size:
        raise Unreadable(LIMITS.too_large)
    rows = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            name, email = name_and_email(line)
            first, _, last = name.rpartition(" ")
            rows.append(SheetRow(number, (email, first or last, last if first else "")))
    if len(rows) > LIMITS.rows:
        raise Unreadable(LIMITS.too_many_rows)
    return Table(NEEDED, tuple(rows), description="A name and an email per line")
