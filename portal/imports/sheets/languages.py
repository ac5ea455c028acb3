# ruff: noqa: RUF001 - letters of other alphabets are meant
# untranslated: these are compared with what stands in tables
"""Headings of columns that several kinds of table have, in the languages that tables come in.

In the order of German, French, Spanish, Italian, Portuguese, Dutch, Polish, Japanese, Chinese, and
then others. A word that means two columns is left to people.
"""

EMAIL = (
    *("E-Mail-Adresse", "Mailadresse", "E-Mail (geschäftlich)"),
    *("Adresse e-mail", "Adresse mail", "Adresse électronique", "Courriel", "Adresse courriel"),
    *("Correo", "Correo electrónico", "Dirección de correo electrónico", "Dirección de correo"),
    *("Indirizzo e-mail", "Posta elettronica", "Indirizzo di posta elettronica"),
    *("Endereço de e-mail", "Correio eletrónico", "Correio eletrônico"),
    *("E-mailadres", "Mailadres"),
    *("Adres e-mail", "Adres email", "Poczta elektroniczna"),
    *("メール", "メールアドレス", "Eメール", "電子メール", "電子メールアドレス"),
    *("邮箱", "邮箱地址", "电子邮箱", "电子邮件", "电子邮件地址", "邮件地址"),
    *("郵箱", "電子郵件", "電子郵件地址", "電子信箱"),
    *("이메일", "이메일 주소", "전자 메일"),
    *("Электронная почта", "Адрес электронной почты", "Эл. почта", "Почта"),
    *("E-post", "E-postadress", "E-postadresse", "E-mailadresse", "Sähköposti", "E-mailová adresa"),
    *("E-posta", "E-posta adresi", "E-mail cím"),
)
FIRST_NAME = (
    *("Vorname", "Rufname", "Prénom", "Nombre", "Nombres", "Nombre de pila", "Primer nombre"),
    *("Nome", "Primeiro nome", "Nome próprio", "Voornaam", "Roepnaam", "Imię", "Imiona"),
    *("名", "ファーストネーム", "이름", "Имя", "Förnamn", "Fornavn", "Etunimi", "Jméno", "Adı"),
    "Keresztnév",
)
LAST_NAME = (
    *("Nachname", "Familienname", "Zuname", "Nom", "Nom de famille", "Apellido", "Apellidos"),
    *("Cognome", "Sobrenome", "Apelido", "Último nome", "Achternaam", "Familienaam", "Nazwisko"),
    *("姓", "苗字", "ラストネーム", "姓氏", "성", "Фамилия", "Efternamn", "Efternavn", "Etternavn"),
    *("Sukunimi", "Příjmení", "Soyadı", "Soyad", "Vezetéknév"),
)
# Where there is a first name beside it, this is the other one; alone it is both.
NAME = ("Name", "Naam", "Namn", "Navn")
TIME_ZONE = (
    *("Zeitzone", "Fuseau horaire", "Fuseau", "Zona horaria", "Huso horario", "Fuso orario"),
    *("Fuso horário", "Tijdzone", "Strefa czasowa", "タイムゾーン", "时区", "時區", "시간대"),
    *("Часовой пояс", "Tidszon", "Tidszone", "Tidssone", "Aikavyöhyke", "Časové pásmo"),
    *("Saat dilimi", "Időzóna"),
)
PASSWORD = (
    *("Passwort", "Kennwort", "Mot de passe", "Contraseña", "Parola d'ordine", "Senha"),
    *("Palavra-passe", "Wachtwoord", "Hasło", "パスワード", "密码", "密碼", "비밀번호", "Пароль"),
    *("Lösenord", "Adgangskode", "Passord", "Salasana", "Heslo", "Şifre", "Jelszó"),
)
# Values.
YES = frozenset(
    (
        *("ja", "oui", "wahr", "vrai", "sí", "si", "sì", "verdadero", "vero", "sim", "verdadeiro"),
        *(
            "waar",
            "tak",
            "prawda",
            "はい",
            "有効",
            "是",
            "启用",
            "啟用",
            "예",
            "да",
            "joo",
            "kyllä",
        ),
        *("ano", "evet", "igen"),
    )
)
NO = frozenset(
    (
        *("nein", "non", "falsch", "faux", "falso", "não", "nao", "nee", "onwaar", "nie", "fałsz"),
        *("いいえ", "無効", "否", "禁用", "停用", "아니요", "нет", "nej", "nei", "ei", "ne"),
        *("hayır", "nem"),
    )
)
