"""Words that belong to a format and not to whoever wrote the text: keywords, headers, tags."""

from __future__ import annotations

import builtins
import keyword
import sys
from typing import Final

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
_WORDS: Final = frozenset(" ".join([*_LISTS, _HOSTS]).lower().split())


def passes(word: str) -> bool:
    """Whether a word between the fields of a format is one of the format's own."""
    return word.lower() in _WORDS or word in PYTHON or len(word) == 1
