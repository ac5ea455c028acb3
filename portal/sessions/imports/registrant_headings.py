"""Headings that mean a field of a registrant, beside its name and its title, in many languages."""
# untranslated: headings are compared with those of tables

from portal.imports.sheets.languages import EMAIL, FIRST_NAME, LAST_NAME

ALSO: dict[str, tuple[str, ...]] = {
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
