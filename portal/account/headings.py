"""Headings and values of tables of devices and tracking fields in other languages and products.

In the order of German, French, Spanish, Italian, Portuguese, Dutch, Polish, Japanese, Chinese, and
then others. Of the products these are Zoom, Webex and Cisco, Poly and Pexip, where they differ from
plain English.
"""

# untranslated: the words of any language are compared with those of a table
from portal.contract.devices import DeviceEncryption, DeviceProtocol
from portal.imports.sheets.headings import normal
from portal.imports.sheets.languages import NO, YES

_NAME = (
    *("Name", "Bezeichnung", "Nom", "Nombre", "Nome", "Naam", "Nazwa", "名前", "名称", "名稱"),
    *("이름", "Имя", "Название", "Namn", "Navn", "Nimi", "Název", "Ad", "Név"),
)
DEVICE_HEADINGS = {
    "name": (
        *("device name", "display name", "system name", "endpoint name", "room system name"),
        *("h.323/sip device", "device", "endpoint", "room name", "system", "host name", "label"),
        *("Gerätename", "Gerät", "Nom de l'appareil", "Appareil", "Nombre del dispositivo"),
        *("Dispositivo", "Nome dispositivo", "Nome do dispositivo", "Apparaatnaam", "Apparaat"),
        *(
            "Nazwa urządzenia",
            "Urządzenie",
            "デバイス名",
            "デバイス",
            "设备名称",
            "设备",
            "裝置名稱",
        ),
        *("장치 이름", "Имя устройства", "Устройство", "Enhetsnamn", *_NAME),
    ),
    "ip": (
        *("ip", "ip address", "ipv4", "ipv4 address", "ip/e.164", "ip or host name", "address"),
        *("device address", "device ip", "network address", "sip address", "sip uri", "uri"),
        *("dial string", "dialing address", "alias", "fqdn"),
        *("IP-Adresse", "Adresse", "Adresse IP", "Dirección IP", "Dirección", "Indirizzo IP"),
        *("Indirizzo", "Endereço IP", "Endereço", "IP-adres", "Adres", "Adres IP", "IPアドレス"),
        *("アドレス", "IP地址", "地址", "IP 位址", "IP 주소", "IP-адрес", "Адрес", "IP-adress"),
    ),
    "protocol": (
        *("call protocol", "signaling protocol", "signalling", "dial protocol", "call type"),
        *("device type", "type", "Protokoll", "Protocole", "Protocolo", "Protocollo", "Protokół"),
        *("プロトコル", "协议", "通訊協定", "프로토콜", "Протокол", "Protokol"),
    ),
    "encryption": (
        *("encrypted", "encrypt", "media encryption", "call encryption", "encryption mode"),
        *("secure", "Verschlüsselung", "Verschlüsselt", "Chiffrement", "Chiffré", "Cifrado"),
        *("Encriptación", "Crittografia", "Cifratura", "Criptografia", "Encriptação"),
        *("Versleuteling", "Encryptie", "Szyfrowanie", "暗号化", "加密", "암호화", "Шифрование"),
        "Kryptering",
    ),
}
PROTOCOLS = {
    normal(word): kind
    for kind, words in {
        DeviceProtocol.H323: ("h323", "h.323 device", "h.323 endpoint", "h.323/ip"),
        DeviceProtocol.SIP: ("sip device", "sip endpoint", "sips", "sip tls", "sip/tls"),
    }.items()
    for word in words
}
_ALWAYS = ("true", "on", "1", "required", "enabled", "force", "forced", "mandatory", "encrypted")
_NEVER = ("false", "off", "0", "disabled", "none", "unencrypted", "not encrypted")
_AUTOMATIC = (
    *("best effort", "optional", "if available", "when available", "default", "automatisch"),
    *("automatique", "automático", "automatico", "automatyczne", "自動", "自动", "자동"),
)
ENCRYPTIONS = {
    normal(word): kind
    for kind, words in {
        DeviceEncryption.YES: (*_ALWAYS, *YES),
        DeviceEncryption.NO: (*_NEVER, *NO),
        DeviceEncryption.AUTO: _AUTOMATIC,
    }.items()
    for word in words
}
FIELD_HEADINGS = {
    "field": (
        *("field name", "tracking field", "tracking field name", "display name", "label"),
        *("session type", "tracking code", "tracking code name", "Feld", "Feldname"),
        *("Verfolgungsfeld", "Champ", "Nom du champ", "Champ de suivi", "Campo"),
        *("Nombre del campo", "Campo de seguimiento", "Nome campo", "Campo di monitoraggio"),
        *("Nome do campo", "Campo de rastreamento", "Veld", "Veldnaam", "Pole", "Nazwa pola"),
        *(
            "追跡フィールド",
            "フィールド名",
            "跟踪字段",
            "字段",
            "追蹤欄位",
            "추적 필드",
            "Поле",
            *_NAME,
        ),
    ),
    "required": (
        *("mandatory", "is required", "compulsory", "Erforderlich", "Pflichtfeld", "Pflicht"),
        *("Obligatoire", "Requis", "Obligatorio", "Requerido", "Obbligatorio", "Obrigatório"),
        *("Verplicht", "Vereist", "Wymagane", "Obowiązkowe", "必須", "必填", "필수"),
        *("Обязательное", "Обязательно", "Obligatorisk"),
    ),
    "visible": (
        *("is visible", "shown", "show", "displayed", "Sichtbar", "Anzeigen", "Affiché"),
        *("Visibile", "Visível", "Zichtbaar", "Widoczne", "表示", "可见", "可見", "표시"),
        *("Видимое", "Видимо", "Synlig"),
    ),
    "recommended_values": (
        *("recommended", "values", "value list", "default values", "input values", "options"),
        *("choices", "pick list", "picklist", "dropdown values", "allowed values", "suggestions"),
        *("Empfohlene Werte", "Werte", "Auswahl", "Valeurs recommandées", "Valeurs"),
        *("Valores recomendados", "Valores", "Valori consigliati", "Valori"),
        *("Aanbevolen waarden", "Waarden", "Zalecane wartości", "Wartości", "推奨値", "値"),
        *("推荐值", "值", "建議值", "권장 값", "Рекомендуемые значения", "Значения"),
    ),
}
