"""Headings and values as people and other products write them."""

import pytest
from hypothesis import given, strategies as st

from portal.contract.types import time_zone_ids
from portal.contract.users import CreateAction, LicenceType, NewUserInfo, UserStatus, UserUpdate
from portal.imports.sheets import Sheet, SheetRow
from portal.imports.sheets.headings import FULL_NAME
from portal.people.imports.columns import COLUMNS, PersonImportRow, mapping_of, names_in

EXPORTS = {
    "the interface": (
        "id,email,first_name,last_name,type,dept,timezone,pmi,status,group_ids,im_group_ids",
        ",email,first_name,last_name,type,dept,timezone,pmi,status,groups,im_groups",
    ),
    "a conferencing portal": (
        "Email,First Name,Last Name,Department,User Type,User Group,IM Group,Time Zone,Host Key",
        "email,first_name,last_name,dept,type,groups,im_groups,timezone,host_key",
    ),
    "an office suite": (
        "Block credential,City,Department,Display name,First name,Last name,Preferred language,"
        "State,Licenses,User principal name",
        ",,dept,,first_name,last_name,language,,type,email",
    ),
    "a workspace": (
        "First Name [Required],Last Name [Required],Email Address [Required],Password [Required],"
        "Status [READ ONLY],Org Unit Path [Required],Recovery Email,Department",
        "first_name,last_name,email,password,status,,,dept",
    ),
    "an identity provider": (
        "login,firstName,lastName,email,secondEmail,department,locale,timezone,status",
        ",first_name,last_name,email,,dept,language,timezone,status",
    ),
    "an old directory": (
        "GivenName,Surname,SamAccountName,EmailAddress,UserPrincipalName,Department,Enabled",
        "first_name,last_name,,email,,dept,status",
    ),
    "a meeting service": (
        "First Name,Last Name,Display Name,User ID/Email (Required),User Status,Time Zone",
        "first_name,last_name,,email,status,timezone",
    ),
    "German": (
        "Vorname,Nachname,E-Mail,Abteilung,Lizenz,Zeitzone",
        "first_name,last_name,email,dept,type,timezone",
    ),
    "German, with a name": (
        "Name,Vorname,E-Mail-Adresse,Kennwort,Sprache,Gruppen",
        "last_name,first_name,email,password,language,groups",
    ),
    "a human resources system": ("Name,E-Mail,Abteilung", "full_name,email,dept"),
    "a directory's list": ("Display name,Mail,Department", "full_name,email,dept"),
    "French": (
        "Prénom,Nom,Adresse e-mail,Département,Type de licence,Fuseau horaire,Statut",
        "first_name,last_name,email,dept,type,timezone,status",
    ),
    "French, without accents": (
        "PRENOM,NOM,COURRIEL,DEPARTEMENT,LICENCE,FUSEAU HORAIRE,STATUT",
        "first_name,last_name,email,dept,type,timezone,status",
    ),
    "Spanish": (
        "Nombre,Apellidos,Correo electrónico,Departamento,Licencia,Zona horaria,Estado",
        "first_name,last_name,email,dept,type,timezone,status",
    ),
    "Italian": (
        "Nome,Cognome,Indirizzo e-mail,Reparto,Licenza,Fuso orario,Stato",
        "first_name,last_name,email,dept,type,timezone,status",
    ),
    "Portuguese": (
        "Nome,Sobrenome,Endereço de e-mail,Departamento,Licença,Fuso horário,Senha",
        "first_name,last_name,email,dept,type,timezone,password",
    ),
    "Dutch": (
        "Voornaam,Achternaam,E-mailadres,Afdeling,Licentie,Tijdzone,Gebruikersnaam",
        "first_name,last_name,email,dept,type,timezone,",
    ),
    "Polish": (
        "Imię,Nazwisko,Adres e-mail,Dział,Licencja,Strefa czasowa",
        "first_name,last_name,email,dept,type,timezone",
    ),
    "Japanese": (
        "姓,名,メールアドレス,部署,ライセンス,タイムゾーン,パスワード",
        "last_name,first_name,email,dept,type,timezone,password",
    ),
    "Chinese": (
        "姓,名,电子邮件,部门,许可证,时区,状态",
        "last_name,first_name,email,dept,type,timezone,status",
    ),
}


@pytest.mark.parametrize("product", EXPORTS)
def test_the_headings_of_other_products_are_understood(product):
    headings, names = EXPORTS[product]
    assert names_in(headings.split(",")) == tuple(names.split(","))


@pytest.mark.parametrize("write", [str.upper, str.title, lambda name: name.replace("_", " ")])
def test_case_spaces_and_underscores_make_no_difference(write):
    names = tuple(name for name in COLUMNS if name != FULL_NAME)  # which goes beside no other name
    assert names_in([write(name) for name in names]) == names


def test_no_heading_means_two_columns():
    met: dict[str, str] = {}
    for name, column in COLUMNS.items():
        for heading in column.headings:
            assert met.setdefault(heading, name) == name, heading


@pytest.mark.parametrize(
    ("column", "cell", "value"),
    [
        ("type", "2", LicenceType.PRO),
        ("type", " Licensed ", LicenceType.PRO),
        ("type", "ON-PREM", LicenceType.CORP),
        ("type", "basic", LicenceType.BASIC),
        ("type", "Lizenziert", LicenceType.PRO),
        ("type", "Sans licence", LicenceType.BASIC),
        ("type", "Básico", LicenceType.BASIC),
        ("type", "有料", LicenceType.PRO),
        ("type", "免费", LicenceType.BASIC),
        ("type", "Zoom Workplace Pro", LicenceType.PRO),
        ("type", "Zoom Workplace Basic", LicenceType.BASIC),
        ("type", "Microsoft Teams (free)", LicenceType.BASIC),
        ("type", "Microsoft 365 E3+Power BI", LicenceType.PRO),
        ("type", "Google Workspace Business Starter", LicenceType.PRO),
        ("type", "Unlicensed", LicenceType.BASIC),
        ("status", "Gesperrt", UserStatus.INACTIVE),
        ("status", "désactivé", UserStatus.INACTIVE),
        ("status", "有効", UserStatus.ACTIVE),
        ("status", "False", UserStatus.INACTIVE),
        ("use_pmi", "X", True),
        ("use_pmi", "sí", True),
        ("use_pmi", "Nie", False),
        ("use_pmi", "No", False),
        ("timezone", "europe/berlin", "Europe/Berlin"),
        ("timezone", "W. Europe Standard Time", "Europe/Berlin"),
        ("timezone", "Pacific Standard Time", "America/Los_Angeles"),
        ("language", "en_GB", "en-GB"),
        ("pmi", "123 456-7890", "1234567890"),
        ("status", "SUSPENDED", UserStatus.INACTIVE),
        ("status", "Active", UserStatus.ACTIVE),
        ("action", "Delete", "delete"),
        ("action", "auto create", CreateAction.AUTO_CREATE),
        ("create_action", "Invite by email", "create"),
        ("groups", "Sales; EMEA ;;Sales", ["Sales", "EMEA"]),
        ("dept", " =HYPERLINK(1)", "=HYPERLINK(1)"),
        ("dept", "Cafe\u0301 \u200b", "Café"),
        ("first_name", "'t Hooft", "'t Hooft"),
        ("password", " leads and ends ", " leads and ends "),
    ],
)
def test_values_are_understood_as_they_are_written(column, cell, value):
    found = COLUMNS[column].value(COLUMNS[column].text(cell))
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    ("column", "cell", "said"),
    [
        ("type", "Gold", "none of: Basic, Pro, Corp"),
        ("type", "Gold+Silver", "none of: Basic, Pro, Corp"),
        ("use_pmi", "perhaps", "Enter yes or no"),
        ("timezone", "Mars/Olympus", "not a time zone"),
        ("status", "California", "none of: Active"),
        ("action", "explode", "none of: create, update"),
    ],
)
def test_what_is_not_understood_is_never_guessed(column, cell, said):
    with pytest.raises(ValueError, match=said):
        COLUMNS[column].value(cell)


def test_a_password_that_an_export_hides_is_none():
    assert COLUMNS["password"].value("****") == ""


@given(st.sampled_from(sorted(time_zone_ids())))
def test_every_zone_is_understood_in_any_case(zone):
    assert COLUMNS["timezone"].value(zone.upper()).casefold() == zone.casefold()


_cells = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=80)


@given(st.lists(_cells, min_size=len(COLUMNS), max_size=len(COLUMNS)))
def test_any_row_is_asked_for_rightly_or_reported_wrong(cells):
    table = Sheet(tuple(COLUMNS), (SheetRow(2, tuple(cells)),))
    [wanted] = mapping_of(tuple(COLUMNS), tuple(COLUMNS)).rows(table, PersonImportRow)
    if not wanted.problems:
        UserUpdate.model_validate(wanted.profile)
        NewUserInfo(email=wanted.email, type=wanted.licence)
        assert wanted.key == wanted.email.casefold()


def test_second_row_for_one_person_or_meeting_id_is_wrong():
    rows = [("a@x.example", "1234567890"), ("A@X.example", ""), ("b@x.example", "123 456 7890")]
    table = Sheet(("email", "pmi"), tuple(SheetRow(n, row) for n, row in enumerate(rows, start=2)))
    found = mapping_of(("email", "pmi"), ("email", "pmi")).rows(table, PersonImportRow)
    assert [wanted.problems for wanted in found] == [
        [],
        [("email", "Row 2 has the same: a@x.example.")],
        [("pmi", "Row 2 has the same: 1234567890.")],
    ]
