"""Names of fields and identifiers: their words, and what a name says about its value."""

from __future__ import annotations

import builtins
import keyword
import re
import sys
from functools import lru_cache
from typing import Final

from privstamp.text.vocabulary import default, is_public

_PARTS: Final = re.compile(r"[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+|[A-Z]|\d+|[^\W\d_A-Za-z]+", re.UNICODE)

_PERSON: Final = """
first name|last name|given name|family name|middle name|maiden name|full name|surname|forename
firstname|lastname|fullname|patient name|customer name|client name|employee name|contact name
holder name|card holder|cardholder|account holder|next of kin|emergency contact|author name
"""
_PEOPLE: Final = frozenset(
    {"name", "customer", "client", "patient", "contact", "employee", "owner", "author", "sender"}
    | {"recipient", "manager", "assignee", "student", "tenant", "witness", "applicant", "guest"}
    | {"from", "to", "cc", "bcc", "reply to", "attendee", "member", "driver", "beneficiary"}
)
"""Fields that mostly, and not always, hold people."""
_CREDENTIAL: Final = """
password|passwd|pwd|passphrase|secret|secret key|client secret|api key|apikey|access key
private key|auth token|access token|refresh token|session token|bearer token|pin
"""
_ADDRESS: Final = "street|street address|home address|postal address|address line|mailing address"
_DATE: Final = "dob|date of birth|birth date|birthdate|birthday|date of death"
_HANDLE: Final = "username|user name|login|screen name|nickname"
_NUMBER: Final = """
ssn|social security number|nhs number|passport|passport number|national id|tax id|iban|mrn
medical record number|account number|card number|policy number|license number|licence number
employee number|staff number|insurance number|phone|phone number|telephone|mobile|fax
"""
_LOCATION: Final = "city|town|hometown|birthplace|place of birth"
_ORGANIZATION: Final = "company|company name|employer|organisation name|organization name"

_KINDS: Final = {
    name: kind
    for kind, names in (
        ("PERSON", _PERSON),
        ("CREDENTIAL", _CREDENTIAL),
        ("ADDRESS", _ADDRESS),
        ("DATE_TIME", _DATE),
        ("HANDLE", _HANDLE),
        ("NUMERIC_ID", _NUMBER),
        ("LOCATION", _LOCATION),
        ("ORGANIZATION", _ORGANIZATION),
    )
    for name in re.split(r"[|\n]", names.strip())
}
STAYS: Final = "STAYS"
"""Of a field whose value is nobody's name: a department, a job, M or F."""
_JOBS: Final = frozenset(
    {"department", "dept", "team", "division", "unit", "role", "job", "job title", "jobtitle"}
    | {"position", "occupation", "profession", "title", "grade", "rank"}
)
_SEX: Final = frozenset({"sex", "gender", "patient sex", "patient gender"})
_SEXES: Final = frozenset(
    {"m", "f", "x", "u", "male", "female", "man", "woman", "other", "unknown", "nonbinary"}
    | {"non-binary", "boy", "girl", "diverse", "undisclosed"}
)
_CODES: Final = re.compile(r"[A-Z]{2,3}|[a-z]{2}")
_SIZES: Final = re.compile(r"(?:X{0,4}[SL]|M|[2-6]XL)(?:/(?:X{0,4}[SL]|M))?", re.IGNORECASE)
_MEASURED: Final = {
    **dict.fromkeys(("country", "country code", "nationality", "language", "lang"), _CODES),
    **dict.fromkeys(("size", "shirt size", "fit"), _SIZES),
}
"""Fields of codes that everybody has: countries, sizes."""
_CALENDAR: Final = re.compile(
    r"(?i)\(?(?:(?:mon|tues?|wed|thu|thurs?|fri|sat|sun)(?:\s?[-\u2013/]\s?(?:mon|tues?|wed|thu|thurs?|"
    r"fri|sat|sun))?|XS|X{1,4}L|[2-6]XL)\.?\)?"
)
"""A day of the week or a size, whatever its field is called."""
_ISO_TIME: Final = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.{0,20})?")
_KEYS: Final = frozenset({"key", "token", "credential", "credentials"})
"""Ends of names whose value is a secret if it looks like one: STRIPE_KEY, not sort_key."""
_MIXED: Final = re.compile(r"(?=.*\d)(?=.*[^\W\d_]).{10,}", re.DOTALL)
_HOLDERS: Final = frozenset(
    {"account", "applicant", "beneficiary", "client", "customer", "driver", "employee", "guest"}
    | {"member", "mrn", "owner", "participant", "patient", "person", "policyholder", "staff"}
    | {"student", "subject", "subscriber", "tenant", "user", "visitor"}
    | {"admission", "booking", "case", "claim", "encounter", "invoice", "order", "payment"}
    | {"prescription", "record", "ref", "reference", "reservation", "shipment", "ticket"}
    | {"transaction", "visit"}
)
"""Fields of people and records, which codes tell apart."""
_NUMBERED: Final = frozenset({"id", "no", "nr", "number"})
_CODE: Final = re.compile(r"(?=.{0,39}\d)[^\W_]{1,40}(?:[-_#./:][^\W_]{1,40}){0,4}")
_SHORT_CODE: Final = re.compile(r"(?:[^\W\d_]{1,4}[-_]?){1,3}\d{2,12}(?:[-_./]\d{1,12}){0,3}")
"""Letters, then two figures or more: not 62F, G2P1, M4."""
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_NO_RECORD: Final = re.compile(
    r"(?i)v\d[\d.]*|(?:[uif]|u?int|float|uuid|char)(?:8|16|32|64|128|4)|\d+(?:st|nd|rd|th|x|k|m)?"
)
"""Versions, types of numbers, ranks and counts."""
_SHORT: Final = 2
_WITH_DIGITS: Final = frozenset({"DATE_TIME", "NUMERIC_ID", "ADDRESS"})
_NOT_A_VALUE: Final = frozenset(
    {
        *("none", "null", "nil", "na", "n/a", "true", "false", "yes", "no", "unknown"),
        *("undefined", "empty", "required", "optional", "missing", "expired", "invalid"),
    }
)
_FULL_NAME: Final = re.compile(r"[^\W\d_a-z][^\W\d_]*(?:['\u2019-][^\W\d_]+)*\.?")
LONGEST: Final = 80
"""Characters of a value that its name makes sensitive; a longer one is read for itself."""


@lru_cache(maxsize=4096)
def words_of(name: str) -> tuple[str, ...]:
    """The words of a name, as written.

    >>> words_of("getHTTPResponse_code2")
    ('get', 'HTTP', 'Response', 'code', '2')
    """
    return tuple(_PARTS.findall(name))


def spans_of(name: str) -> list[tuple[int, int]]:
    """Where the words of a name stand in it."""
    return [match.span() for match in _PARTS.finditer(name)]


def context(name: str) -> str:
    """A name as somebody would say it, before its value."""
    return f"\n{' '.join(words_of(name)).lower()}: "


@lru_cache(maxsize=4096)
def _kind(name: str) -> str:
    words = [word.lower() for word in words_of(name) if not word.isdigit()]
    for size in (len(words), 3, 2, 1):
        if kind := _KINDS.get(" ".join(words[-size:])):
            return kind
    return ""


def kind_of(name: str, value: str) -> str:
    """What a value is by the name of its field; nothing where the name tells nothing.

    >>> kind_of("last_name", "Raghunathan"), kind_of("status", "late")
    ('PERSON', '')
    """
    if names_nobody(name, value):
        return STAYS
    kind = _kind(name) or ("PERSON" if names_person(name, value) else "")
    if kind not in _WITH_DIGITS and _ISO_TIME.fullmatch(value.strip()):
        return ""  # last_login
    last = words_of(name)[-1:]
    if not kind and last and last[0].lower() in _KEYS and _MIXED.fullmatch(value):
        kind = "CREDENTIAL"
    if not kind and names_record(name, value):
        kind = "NUMERIC_ID"
    if not kind or len(value) > LONGEST or value.strip().lower() in _NOT_A_VALUE:
        return ""
    if kind in _WITH_DIGITS:
        return kind if any(map(str.isdigit, value)) else ""
    return kind if any(map(str.isalnum, value)) else ""


def names_nobody(name: str, value: str) -> bool:
    """Whether a field for jobs holds public words alone, or one for the sex a word for one.

    >>> names_nobody("department", "Finance"), names_nobody("sex", "F")
    (True, True)
    >>> names_nobody("role", "Fischbach"), names_nobody("name", "Finance")
    (False, False)
    """
    if len(value) > LONGEST:
        return False
    asked = " ".join(words_of(name)).lower()
    if asked in _SEX:
        return value.strip().lower() in _SEXES
    if (kept := _MEASURED.get(asked)) and kept.fullmatch(value.strip()):
        return True
    if _kind(name) != "PERSON" and _CALENDAR.fullmatch(value.strip()):
        return True
    parts = _LETTERS.findall(value)
    return asked in _JOBS and bool(parts) and value.isascii() and all(map(_is_work, parts))


def _is_work(word: str) -> bool:
    """Whether a public word is no name as well."""
    return is_public(word) and not default().is_named(word.lower())


def names_person(name: str, value: str) -> bool:
    """Whether a field for people holds two to four words with capitals that no public list has.

    >>> names_person("name", "Sunniva Quill"), names_person("name", "Support Team")
    (True, False)
    """
    if len(value) > LONGEST or " ".join(words_of(name)).lower() not in _PEOPLE:
        return False
    words = value.split()
    if not 2 <= len(words) <= 4 or not all(map(_FULL_NAME.fullmatch, words)):
        return False
    return not any(is_public(word.rstrip(".").lower()) for word in words)


def names_record(name: str, value: str) -> bool:
    """Whether a field of a person or a record holds a code, or figures that are said to number it;
    codes have letters that are no public word.

    >>> names_record("customer_id", "c77"), names_record("user_id", "42")
    (True, True)
    >>> names_record("users", "42"), names_record("id", "gpt-4"), names_record("user_id", "int64")
    (False, False, False)
    """
    if not _CODE.fullmatch(value):
        return False
    words = [word.lower() for word in words_of(name) if not word.isdigit()]
    numbered = not _NUMBERED.isdisjoint(words[-1:])
    of = words[-2:-1] if numbered else words[-1:]
    if not (of and of[0] in _HOLDERS) and words != ["id"]:
        return False
    said = numbered and len(words) > 1  # patient_id, and no bare id
    if value.isdecimal():
        return said
    if not said and not _SHORT_CODE.fullmatch(value):
        return False
    letters = [word.lower() for word in _LETTERS.findall(value) if len(word) > _SHORT]
    if letters and words == ["id"]:
        return False  # of a model, an element, a step: gpt-4
    return not _NO_RECORD.fullmatch(value) and not any(map(is_public, letters))


# Words that belong to a format and not to whoever wrote the text: keywords, headers, tags.


_JSON: Final = "true false null NaN Infinity inf on off yes no"
_QUOTES: Final = "b br f fr r rb rf u ur l e x n"
"""Letters before a quote, and after a backslash."""
_KEYWORDS: Final = """
abstract alias align alignas alignof and any arguments array as asm assert async atomic auto await
base become begin bool boolean bound box break byte call case cast catch chan char checked class
clone co comptime concept const constexpr constructor continue copy crate cycle debugger decimal
declare def default defer defined del delegate delete deriving do done double dyn each echo elif
else elseif elsif end endif ensure entry enum esac eval event except exec exit explicit export
extends extern extract false fallthrough fi field file final finally fixed float fn for foreach
forall from fun func function generic get global go goto guard has if iface impl implements
implicit import in include infer init inline inner inout instance instanceof int interface internal
into is it job join key keyof lambda lateinit let library local lock long loop macro map match mod
module move mut mutable namespace native need new next nil noexcept none nonlocal not nothing null
nullptr number object of on open operator or ord otherwise out override package params partial pass
print private process prop protected protocol proxy pub public pure raise range rank readonly rec
record redo ref register rem repeat require required rescue restrict retry return returns rethrow
sealed select self set shared short sig signed signature sizeof static static_cast str stream
strictfp string struct sub super switch symbol synchronized tailrec template then this thread throw
throws to trait transient true try tuple type typedef typealias typeof typename undef undefined
union unless unsafe unset unsigned until use using val value var variadic vec virtual void volatile
wait wchar_t when where while with without write xor yield
"""
_SQL: Final = """
add all alter analyze any as asc authorization autoincrement avg before begin between bigint binary
blob boolean both by call cascade case cast char character check clob coalesce collate column commit
constraint count create cross current_date current_time current_timestamp cursor database date
datetime day decimal declare default deferrable delete desc describe distinct double drop dual each
else end escape except exec execute exists explain false fetch filter first float for foreign from
full function glob grant group having hour if ignore ilike in index inner insert instead int integer
intersect interval into is isnull join key last lateral leading left level like limit lower match
materialized max merge min minute modify month natural no not notnull now null nullif numeric of
offset on only or order outer over partition plan pragma precision primary procedure range rank real
recursive references regexp rename replace returning revoke right rollback row row_number rows
savepoint schema second select sequence serial session set show similar smallint some start sum
table temp temporary text then time timestamp timestamptz to top total trailing transaction trigger
trim true truncate union unique unsigned update upper use using uuid values varchar varying view
when where window with work year zone jsonb json bytea varchar2 nvarchar nchar tinyint mediumint
auto_increment engine innodb charset utf8 utf8mb4 ifnull concat substring length now extract
"""
_MARKUP: Final = """
a abbr address amp apos area article aside audio base blockquote body br button canvas caption cdata
charset cite class code col colgroup content data datalist dd del details dfn dialog div dl doctype
dt em embed encoding en fieldset figcaption figure footer form gt h1 h2 h3 h4 h5 h6 head header href
hr html http https i id iframe img input ins kbd label lang legend li link lt main map mark menu
meta meter name nav nbsp noscript object ol optgroup option output p param picture pre progress
public quot rel s samp script section select slot small source span src standalone strong style sub
summary sup svg system table tbody td template textarea tfoot th thead time title tr track u ul utf
var version video viewport w3c dtd xhtml xml xmlns xsd xsi xsl yes no wbr width height type value
placeholder colspan rowspan method action alt aria role target onclick checked disabled attlist
element empty entity entities fixed idref idrefs implied ndata nmtoken nmtokens notation pcdata
"""
_HEADERS: Final = """
accept archived arc at authentication authenticated auto autocrypt bcc cc charset comments content
copies date delivered description disposition dkim domain domainkeys encoding envelope errors esmtp
esmtps esmtpsa expires feedback for forwarded from full gmail google hash help helo id importance in
keywords language lines list lmtp location loop mail mailer message mime mv next on organization
original originating path post precedence priority queue received receipt references reject
reference reply report resent results return sender sent signature smtp spam spf score status
subject submitted subscribe suppress text thread timezone tls to transfer type unsubscribe user
agent version via virus was with wrote x
alternative application ascii attachment binary bit boundary calendar delsp digest filename flowed
format gif image inline iso jpeg koi8 mixed multipart octet pdf plain png printable quoted related
report rfc822 signed stream us windows
"""
_LANGUAGES: Final = """
bash c cpp csharp css csv diff dockerfile go golang html http ini java javascript js json jsonl jsx
kotlin lua make markdown md mysql perl php plaintext postgresql powershell py python rb rs ruby rust
scala sh shell sql sqlite svg swift text toml ts tsv tsx txt typescript vue xml yaml yml zsh
"""
_HOSTS: Final = """
api app au be biz br ca ch cn co com de dev dk edu es eu example fi fr ftp gov http https ie imap in
info int io it jp kr localhost mail mil mx net nl no ns nz org pl pop pt ru se smtp test tv uk us
web www
"""
_TRACES: Final = """
file line in at most recent call last more traceback during handling of the above exception another
occurred was direct cause following caused by thread goroutine uncaught
"""
_LOGS: Final = """
alert crit critical debug emerg emergency err error fatal fine finer finest info information notice
severe trace verbose warn warning utc gmt z t am pm mon tue wed thu fri sat sun
jan feb mar apr may jun jul aug sep oct nov dec
"""
_CONTENT: Final = """
begin end vcard vcalendar vevent vtodo vjournal vfreebusy vtimezone valarm standard daylight version
prodid calscale gregorian method publish request reply cancel uid dtstamp dtstart dtend due duration
summary description location organizer attendee status confirmed tentative cancelled class public
private confidential transp opaque transparent sequence priority created last modified rrule rdate
exdate exrule freq secondly minutely hourly daily weekly monthly yearly interval count until byday
bymonth bymonthday byyearday byweekno byhour byminute bysecond bysetpos wkst mo tu we th fr sa su
tzid tzname tzoffsetfrom tzoffsetto tzurl action display audio email trigger repeat attach category
categories resources related contact comment url geo percent complete completed value date time uri
binary boolean float integer period text recur utc offset cn role chair req opt non participant
partstat needs accepted declined delegated rsvp cutype individual group resource room dir delegated
sent by altrep encoding base64 quoted printable fn n nickname photo bday anniversary gender adr
label tel tz title logo org member note rev sound key fburl caladruri caluri kind source xml type
home work pref voice fax msg cell pager bbs modem car isdn video pcs internet x400 textphone pid
postal parcel dom intl altid mediatype sort as language clientpidmap impp related x wr calname
caldesc timezone microsoft cdo busystatus busy free oof importance allday alarm utf
"""
_DURATION: Final = re.compile(r"P(?:\d{1,3}[WD])?(?:T(?:\d{1,3}[HMS]){1,3})?")
_SPEAKERS: Final = """
a administrator admin advisor agent ai answer applicant assistant attorney bot caller callee
candidate chatbot chair child clerk client clinician coach coder consultant counsel counsellor
counselor court customer defendant developer dispatcher doctor dr driver employee employer examiner
expert father female guest host human instructor interpreter interviewee interviewer investigator
judge juror lawyer lead learner librarian male manager me member moderator mother nurse observer
officer operator owner panelist parent participant patient person pharmacist physician plaintiff
player police presenter professor prosecutor q question receptionist recruiter rep representative
respondent response reviewer sales seller buyer senior shopper speaker staff student supervisor
support system tool function teacher technician teller tenant therapist trainer translator tutor
user victim visitor volunteer witness you instruction instructions input output context task note
notes
cliente agente usuario paciente médico médica doctora enfermera enfermero operador operadora soporte
cliente utilisateur utilisatrice médecin infirmière infirmier conseiller conseillère patiente
kunde kundin berater beraterin benutzer nutzer patientin arzt ärztin mitarbeiter mitarbeiterin
utente paziente dottore dottoressa infermiera infermiere operatore operatrice assistente
klant medewerker gebruiker patiënt arts dokter verpleegkundige usuário utilizador atendente
"""
_BUILTINS: Final = " ".join(
    [*keyword.kwlist, *keyword.softkwlist, *dir(builtins), *sys.stdlib_module_names]
)
_METHODS: Final = " ".join(
    name
    for kind in (str, bytes, list, dict, set, int, float, type(None), BaseException, object, open)
    for name in dir(kind)
)

SPEAKERS: Final = frozenset(_SPEAKERS.split())
PYTHON: Final = frozenset([*_BUILTINS.split(), *_METHODS.split()])
_LISTS: Final = (_JSON, _QUOTES, _KEYWORDS, _SQL, _MARKUP, _HEADERS, _TRACES, _LOGS, _LANGUAGES)
_WORDS: Final = frozenset(" ".join([*_LISTS, _HOSTS, _CONTENT]).lower().split())


def passes(word: str) -> bool:
    """Whether a word between the fields of a format is one of the format's own."""
    if word.lower() in _WORDS or word in PYTHON or len(word) == 1:
        return True
    return _DURATION.fullmatch(word) is not None
