# ruff: noqa: RUF001 - letters of other alphabets are meant
# untranslated: what tables have in any language is compared, and never shown
"""Headings and values of tables of people in other languages, and as other products export them.

In the order of German, French, Spanish, Italian, Portuguese, Dutch, Polish, Japanese, Chinese, and
then others. Of the products these are Zoom, Webex, Microsoft 365 and Active Directory, Google
Workspace and Okta, where they differ from plain English.
"""

import re

from portal.contract.users import LicenceType, UserStatus
from portal.imports.sheets.languages import EMAIL, FIRST_NAME, LAST_NAME, PASSWORD, TIME_ZONE

# Who signs in by which name is mostly shown by their address, but the domain is the better sign.
_USER_NAME = (
    *("user id/email", "user id or email", "user principal name", "upn", "login", "sign-in name"),
    *("user name", "user id", "Benutzername", "Anmeldename", "Benutzerprinzipalname"),
    *("Nom d'utilisateur", "Nom d'utilisateur principal", "Identifiant", "Nombre de usuario"),
    *("Nombre principal de usuario", "Nome utente", "Nome dell'entità utente", "Nome de usuário"),
    *("Nome de utilizador", "Nome principal do usuário", "Gebruikersnaam", "Nazwa użytkownika"),
    *("Główna nazwa użytkownika", "ユーザー名", "ユーザープリンシパル名", "用户名", "用户主体名称"),
    *("使用者名稱", "使用者主體名稱", "사용자 이름", "Имя пользователя", "Användarnamn"),
)
# In English, the likeliest first.
_ENGLISH: dict[str, tuple[str, ...]] = {
    "action": ("do", "operation", "command", "task"),
    "create_action": ("how they get in", "way in", "creation", "create type", "sign in with"),
    "email": ("email address", "e-mail", "mail", "primary email", "work email", "user email"),
    "first_name": ("firstname", "given name", "forename", "christian name"),
    "last_name": ("lastname", "surname", "family name", "sn"),
    "type": ("licence", "license", "licences", "licence type", "license type", "user type"),
    "password": ("initial password", "temporary password"),
    "dept": ("department", "dept name"),
    "timezone": ("time zone", "tz", "zoneinfo", "time zone id"),
    "language": ("preferred language", "locale", "preferred locale", "lang"),
    "pmi": ("personal meeting id", "personal meeting number"),
    "use_pmi": ("use pmi for instant meetings", "use personal meeting id for instant meetings"),
    "host_key": ("hostkey", "host pin"),
    "vanity_name": ("vanity url", "personal link", "vanity", "personal meeting room name"),
    "cms_user_id": ("cms id",),
    "status": ("user status", "account status", "active"),
    "groups": ("group", "user group", "user groups", "group ids", "group names"),
    "im_groups": ("im group", "im group ids", "chat groups", "im group names"),
}
_OTHERS: dict[str, tuple[str, ...]] = {
    "action": ("Aktion", "Acción", "Azione", "Ação", "Actie", "Akcja", "アクション", "操作"),
    "email": (*EMAIL, *_USER_NAME),
    "first_name": FIRST_NAME,
    "last_name": LAST_NAME,
    "type": (
        *("licenses", "assigned licenses", "assigned licences", "meeting license"),
        *("Lizenz", "Lizenzen", "Lizenztyp", "Lizenzart", "Zugewiesene Lizenzen"),
        *("Type de licence", "Licences attribuées", "Licencia", "Licencias", "Tipo de licencia"),
        *("Licenza", "Licenze", "Tipo di licenza", "Licença", "Licenças", "Tipo de licença"),
        *("Licentie", "Licenties", "Licentietype", "Licencja", "Licencje", "Typ licencji"),
        *("Rodzaj licencji", "ライセンス", "ライセンスの種類", "ライセンスタイプ"),
        *("许可证", "许可证类型", "授权", "授權", "授權類型", "라이선스", "라이센스"),
        *("Лицензия", "Лицензии", "Тип лицензии", "Licens", "Licenser", "Lisens", "Lisenssi"),
        "Lisans",
    ),
    "password": PASSWORD,
    "dept": (
        *("Abteilung", "Fachabteilung", "Bereich", "Département", "Service", "Departamento"),
        *("Área", "Reparto", "Dipartimento", "Setor", "Afdeling", "Dział", "Departament"),
        *("部署", "部門", "部门", "부서", "Отдел", "Подразделение", "Департамент", "Avdelning"),
        *("Avdeling", "Osasto", "Oddělení", "Departman", "Bölüm", "Osztály"),
    ),
    "timezone": TIME_ZONE,
    "language": (
        *("Sprache", "Bevorzugte Sprache", "Langue", "Langue préférée", "Idioma"),
        *("Idioma preferido", "Lingua", "Lingua preferita", "Taal", "Voorkeurstaal", "Język"),
        *("Preferowany język", "言語", "优先语言", "语言", "首选语言", "語言", "慣用語言", "언어"),
        *("Язык", "Språk", "Sprog", "Kieli", "Jazyk", "Dil", "Nyelv"),
    ),
    "pmi": (
        *("Persönliche Meeting-ID", "ID de réunion personnelle", "ID de reunión personal"),
        *("ID riunione personale", "ID pessoal da reunião", "Persoonlijke vergadering-id"),
        *("Osobisty identyfikator spotkania", "パーソナルミーティングID", "个人会议号"),
        *("个人会议ID", "個人會議ID", "個人會議號"),
    ),
    "host_key": (
        *("Host-Schlüssel", "Clé de l'hôte", "Clave de anfitrión", "Chiave host"),
        *("Chave do anfitrião", "Hostsleutel", "Klucz hosta", "ホストキー", "主持人密钥"),
    ),
    "status": (
        *("enabled", "account enabled", "Kontostatus", "Benutzerstatus", "Aktiv", "Aktiviert"),
        *("Statut", "État", "Actif", "Estado", "Activo", "Stato", "Attivo", "Situação", "Ativo"),
        *("Actief", "Stan", "Aktywny", "ステータス", "状態", "状态", "狀態", "상태", "Статус"),
        *("Состояние", "Tila", "Stav", "Durum"),
    ),
    "groups": (
        *("Gruppe", "Gruppen", "Benutzergruppe", "Benutzergruppen", "Groupe", "Groupes"),
        *("Grupo", "Grupos", "Gruppo", "Gruppi", "Groep", "Groepen", "Grupa", "Grupy"),
        *("グループ", "组", "群组", "群組", "그룹", "Группа", "Группы", "Grupp", "Grupper"),
        *("Ryhmä", "Ryhmät", "Skupina", "Skupiny"),
    ),
}
ALSO = {name: (*_ENGLISH.get(name, ()), *_OTHERS.get(name, ())) for name in _ENGLISH | _OTHERS}
_BASIC = (
    *("free", "none", "no licence", "no license", "unlicensed", "not licensed"),
    *("Basis", "kostenlos", "ohne Lizenz", "keine Lizenz", "nicht lizenziert", "unlizenziert"),
    *("basique", "de base", "gratuit", "sans licence", "básico", "básica", "gratis", "gratuita"),
    *("sin licencia", "base", "di base", "gratuito", "senza licenza", "sem licença"),
    *("zonder licentie", "geen licentie", "podstawowy", "podstawowa", "bez licencji", "darmowa"),
    *("基本", "ベーシック", "無料", "ライセンスなし", "基础版", "基本版", "免费", "免費", "未授权"),
    *("기본", "무료", "базовый", "базовая", "бесплатный", "без лицензии"),
)
_PRO = (
    *("licensed", "paid", "professional", "Lizenziert", "mit Lizenz", "kostenpflichtig"),
    *("professionell", "sous licence", "avec licence", "payant", "professionnel"),
    *("con licencia", "de pago", "profesional", "con licenza", "a pagamento", "professionale"),
    *("licenciado", "com licença", "pago", "profissional", "gelicentieerd", "met licentie"),
    *("betaald", "professioneel", "licencjonowany", "z licencją", "płatna", "profesjonalny"),
    *("有料", "プロ", "ライセンスあり", "ライセンス済み", "专业版", "專業版", "已授权", "已授權"),
    *("유료", "프로", "профессиональный", "платный", "с лицензией"),
)
_CORP = (
    *("corporate", "on-prem", "on-premise", "on-premises", "Unternehmenslizenz", "corporativa"),
    *("d'entreprise", "corporativo", "aziendale", "corporatif", "zakelijk", "firmowa", "企業"),
)
LICENCES = (
    dict.fromkeys(_BASIC, LicenceType.BASIC)
    | dict.fromkeys(_PRO, LicenceType.PRO)
    | dict.fromkeys(_CORP, LicenceType.CORP)
)
_ACTIVE = (
    *("enabled", "provisioned", "true", "yes", "licensed user", "aktiviert", "actif", "activé"),
    *("activo", "attivo", "abilitato", "ativo", "ativado", "actief", "aktywny", "włączony"),
    *("有効", "アクティブ", "启用", "啟用", "活动", "활성", "активен", "активный", "aktivní", "ja"),
)
_INACTIVE = (
    *("deactivated", "disabled", "suspended", "deprovisioned", "blocked", "locked", "archived"),
    *("false", "no", "inaktiv", "deaktiviert", "gesperrt", "inactif", "désactivé", "suspendu"),
    *("inactivo", "desactivado", "suspendido", "inattivo", "disattivato", "sospeso", "inativo"),
    *("desativado", "suspenso", "inactief", "gedeactiveerd", "nieaktywny", "wyłączony"),
    *("zawieszony", "無効", "非アクティブ", "停止", "禁用", "停用", "비활성", "неактивен", "nein"),
)
_PENDING = (
    *("invited", "invite pending", "staged", "pending activation", "not verified", "ausstehend"),
    *("eingeladen", "en attente", "invité", "pendiente", "invitado", "in attesa", "invitato"),
    *("pendente", "convidado", "in behandeling", "uitgenodigd", "oczekujący", "zaproszony"),
    *("保留中", "招待済み", "待处理", "已邀请", "待處理", "대기 중"),
)
STATUSES = (
    dict.fromkeys(_ACTIVE, UserStatus.ACTIVE)
    | dict.fromkeys(_INACTIVE, UserStatus.INACTIVE)
    | dict.fromkeys(_PENDING, UserStatus.PENDING)
)
# Names of products that a list of somebody's licences holds, and which of them are for nothing.
_PRODUCT = re.compile(
    r"zoom (one|workplace|meetings?|rooms?)\b|webex\b|cisco webex\b|microsoft (365|teams)\b"
    r"|office 365\b|google workspace\b|g suite\b",
    re.IGNORECASE,
)
_FREE = re.compile(r"\bfree\b|\bunlicensed\b|^(zoom|webex|cisco).*\bbasic\b", re.IGNORECASE)


def licence_of_product(text: str) -> LicenceType | None:
    """Returns the licence that matches another product's; None for other texts."""
    if not _PRODUCT.match(text):
        return None
    return LicenceType.BASIC if _FREE.search(text) else LicenceType.PRO
