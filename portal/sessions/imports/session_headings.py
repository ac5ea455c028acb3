# ruff: noqa: RUF001, RUF005 - letters of other alphabets are meant
"""Headings and words of tables of sessions: in English, then in other languages in the order that
`portal.imports.sheets.languages` names. A word that means two columns is left to people."""
# untranslated: headings and words are compared with those of tables

from portal.contract.recurrence import RecurrenceType, WeekDay
from portal.imports.sheets.languages import PASSWORD, TIME_ZONE

ALSO: dict[str, tuple[str, ...]] = {
    "id": (
        *("meeting id", "webinar id", "meeting number", "webinar number", "number"),
        *("Meeting-ID", "Besprechungs-ID", "Webinar-ID", "Nummer", "Meetingnummer"),
        *("ID de réunion", "Identifiant de réunion", "Numéro", "ID de la reunión", "ID de reunión"),
        *("Número", "ID riunione", "ID della riunione", "Numero", "ID da reunião"),
        *("Vergadering-id", "Nummer van vergadering", "ID spotkania", "Numer", "Numer spotkania"),
        *(
            "ミーティングID",
            "会議ID",
            "番号",
            "会议号",
            "会议ID",
            "會議ID",
            "會議號",
            "编号",
            "회의 ID",
        ),
        *("Идентификатор конференции", "Номер"),
    ),
    "host": (
        *("host_email", "host email", "host id or email", "organizer", "organiser", "email"),
        *("Gastgeber", "Organisator", "Veranstalter", "Moderator", "Hôte", "Organisateur"),
        *("Animateur", "Anfitrión", "Organizador", "Organizzatore", "Ospitante", "Anfitrião"),
        *("Gastheer", "Organizator", "Prowadzący", "Gospodarz", "ホスト", "主催者", "主持人"),
        *("组织者", "組織者", "主辦人", "호스트", "주최자", "Организатор", "Värd", "Vært", "Vert"),
        *("Isäntä", "Hostitel", "E-Mail des Gastgebers", "E-mail de l'hôte", "e-mail hosta"),
    ),
    "topic": (
        *("title", "subject"),
        *("Thema", "Betreff", "Titel", "Sujet", "Titre", "Objet", "Tema", "Asunto", "Título"),
        *("Argomento", "Oggetto", "Titolo", "Tópico", "Assunto", "Onderwerp", "Temat", "Tytuł"),
        *("トピック", "件名", "タイトル", "主题", "主題", "标题", "標題", "주제", "제목", "Тема"),
        *("Название", "Ämne", "Emne", "Aihe", "Téma", "Předmět", "Konu"),
    ),
    "type": (
        "Typ",
        "Art",
        "Tipo",
        "Soort",
        "Rodzaj",
        "種類",
        "类型",
        "類型",
        "유형",
        "Тип",
        "Tyyppi",
    ),
    "start_time": (
        *("start", "starts", "start time", "date and time", "begins"),
        *("Beginn", "Startzeit", "Anfang", "Startdatum", "Datum und Uhrzeit", "Début"),
        *("Heure de début", "Date de début", "Date et heure", "Inicio", "Hora de inicio"),
        *("Fecha de inicio", "Fecha y hora", "Inizio", "Ora di inizio", "Data di inizio"),
        *("Data e ora", "Início", "Hora de início", "Data de início", "Data e hora", "Begintijd"),
        *("Aanvang", "Starttijd", "Datum en tijd", "Początek", "Rozpoczęcie"),
        *("Godzina rozpoczęcia", "Data rozpoczęcia", "Data i godzina", "開始", "開始時間"),
        *("開始日時", "開始時刻", "开始", "开始时间", "시작", "시작 시간", "Начало"),
        *("Время начала", "Дата и время", "Starttid", "Alkaa", "Začátek", "Başlangıç"),
    ),
    "timezone": (*("time zone", "tz"), *TIME_ZONE),
    "duration": (
        *("minutes", "length"),
        *("Dauer", "Länge", "Durée", "Duración", "Durata", "Duração", "Duur", "Czas trwania"),
        *("所要時間", "时长", "時長", "持续时间", "기간", "소요 시간", "Длительность"),
        *("Продолжительность", "Varaktighet", "Varighed", "Kesto", "Trvání", "Süre"),
    ),
    "agenda": (
        *("description",),
        *("Tagesordnung", "Beschreibung", "Ordre du jour", "Orden del día", "Descripción"),
        *("Ordine del giorno", "Descrizione", "Ordem do dia", "Descrição", "Beschrijving"),
        *("Omschrijving", "Porządek obrad", "Opis", "議題", "アジェンダ", "説明", "议程", "議程"),
        *("说明", "描述", "설명", "Повестка", "Описание", "Beskrivning", "Beskrivelse", "Popis"),
    ),
    "password": (
        *("passcode",),
        *PASSWORD,
        *("Kenncode", "Code secret", "Código de acceso", "Codice di accesso", "Código de acesso"),
        *("Toegangscode", "Kod dostępu", "パスコード", "암호"),
    ),
    "recurrence_type": (
        *("recurrence", "repeats", "recurrence type"),
        *("Wiederholung", "Wiederholungsart", "Serie", "Récurrence", "Répétition", "Recurrencia"),
        *("Repetición", "Ricorrenza", "Ripetizione", "Recorrência", "Repetição", "Herhaling"),
        *("Powtarzanie", "Cykliczność", "繰り返し", "重复", "重複", "반복", "Повторение"),
    ),
    "repeat_interval": (
        *("interval", "recurrence interval"),
        *("Intervall", "Intervalle", "Intervalo", "Intervallo", "Odstęp", "間隔", "间隔", "간격"),
        "Интервал",
    ),
    "weekly_days": (
        *("weekdays", "days", "week days"),
        *("Wochentage", "Wochentag", "Jours de la semaine", "Días de la semana"),
        *("Giorni della settimana", "Dias da semana", "Dagen van de week", "Weekdagen"),
        *("Dni tygodnia", "曜日", "星期", "요일", "Дни недели", "Veckodagar", "Ugedage"),
    ),
    "end_times": (
        *("number of occurrences", "times"),
        *("Anzahl der Termine", "Anzahl Termine", "Nombre d'occurrences", "Número de repeticiones"),
        *("Numero di occorrenze", "Número de ocorrências", "Aantal keren", "Liczba powtórzeń"),
        *("回数", "次数", "次數"),
    ),
    "end_date_time": (
        *("repeat until", "until", "end"),
        *("Wiederholen bis", "Serie endet", "Répéter jusqu'au", "Repetir hasta", "Ripeti fino a"),
        *("Repetir até", "Herhalen tot", "Powtarzaj do", "繰り返し終了", "重复至"),
    ),
    "approval_type": (
        *("Registrierung", "Anmeldung", "Inscription", "Inscripción", "Iscrizione", "Inscrição"),
        *(
            "Registratie",
            "Aanmelding",
            "Rejestracja",
            "登録",
            "注册",
            "註冊",
            "등록",
            "Регистрация",
        ),
    ),
    "waiting_room": (
        *("Warteraum", "Salle d'attente", "Sala de espera", "Sala d'attesa", "Wachtruimte"),
        *("Wachtkamer", "Poczekalnia", "待機室", "等候室", "대기실", "Зал ожидания"),
    ),
    "join_before_host": (
        *("Beitritt vor Gastgeber", "Beitritt vor Moderator", "Rejoindre avant l'hôte"),
        *("Entrar antes que el anfitrión", "Entra prima dell'organizzatore"),
        *("Entrar antes do anfitrião", "Deelnemen vóór host", "ホストの前に参加"),
    ),
    "auto_recording": (
        *("recording",),
        *("Aufzeichnung", "Automatische Aufzeichnung", "Enregistrement"),
        *("Enregistrement automatique", "Grabación", "Grabación automática"),
        *("Registrazione automatica", "Gravação", "Gravação automática", "Opname"),
        *(
            "Automatische opname",
            "Nagrywanie",
            "録画",
            "自動録画",
            "录制",
            "自动录制",
            "녹화",
            "Запись",
        ),
    ),
    "alternative_hosts": (
        *("Alternative Gastgeber", "Alternativer Gastgeber", "Hôtes alternatifs"),
        *("Anfitriones alternativos", "Organizzatori alternativi", "Anfitriões alternativos"),
        *(
            "Alternatieve hosts",
            "Alternatywni prowadzący",
            "代替ホスト",
            "备选主持人",
            "替代主持人",
        ),
    ),
    "monthly_day": ("month day",),
    "monthly_week": ("monthly on", "weekday of the month", "week in month"),
    "monthly_week_day": ("monthly weekday", "monthly week day", "day of that week"),
}
EVERY = {
    **dict.fromkeys(
        ("täglich", "quotidien", "diario", "diaria", "giornaliero", "diário", "dagelijks")
        + ("codziennie", "毎日", "每天", "每日", "매일", "ежедневно", "tous les jours"),
        RecurrenceType.DAILY,
    ),
    **dict.fromkeys(
        ("wöchentlich", "hebdomadaire", "semanal", "settimanale", "wekelijks", "co tydzień")
        + ("cotygodniowo", "毎週", "每周", "每週", "매주", "еженедельно"),
        RecurrenceType.WEEKLY,
    ),
    **dict.fromkeys(
        ("monatlich", "mensuel", "mensual", "mensile", "mensal", "maandelijks", "co miesiąc")
        + ("miesięcznie", "毎月", "每月", "매월", "ежемесячно"),
        RecurrenceType.MONTHLY,
    ),
}
# Whole names alone: short ones mean other days in other languages.
_WEEK = (
    ("Sonntag", "dimanche", "domingo", "domenica", "zondag", "niedziela", "日曜日", "星期日"),
    ("Montag", "lundi", "lunes", "lunedì", "segunda-feira", "maandag", "poniedziałek", "月曜日")
    + ("星期一",),
    ("Dienstag", "mardi", "martes", "martedì", "terça-feira", "dinsdag", "wtorek", "火曜日")
    + ("星期二",),
    ("Mittwoch", "mercredi", "miércoles", "mercoledì", "quarta-feira", "woensdag", "środa")
    + ("水曜日", "星期三"),
    ("Donnerstag", "jeudi", "jueves", "giovedì", "quinta-feira", "donderdag", "czwartek")
    + ("木曜日", "星期四"),
    ("Freitag", "vendredi", "viernes", "venerdì", "sexta-feira", "vrijdag", "piątek", "金曜日")
    + ("星期五",),
    ("Samstag", "Sonnabend", "samedi", "sábado", "sabato", "zaterdag", "sobota", "土曜日")
    + ("星期六",),
)
DAYS = {word: day for day, words in zip(sorted(WeekDay), _WEEK, strict=True) for word in words}
