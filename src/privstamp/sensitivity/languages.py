"""The words that rules look for, per language. Nothing here is shared by default.

Lists are in lower case unless case matters; `rules` refuses a language that has no entry.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Final

from privstamp.errors import PolicyError, suggest

ANY: Final = "any"
"""The rules that need no words at all."""


@dataclass(frozen=True)
class Words:
    """What one language calls things; phrases are separated by commas."""

    titles: str = ""  # before a name
    cues: str = ""  # a name follows, with a capital
    closings: str = ""  # a name follows, on the next line
    addressed: str = ""  # what follows a cue or title and is no name
    forms: str = ""  # labels of forms and openings of letters that small models take for names
    ways_after: str = ""  # 12 Baker STREET
    ways_before: str = ""  # 12 RUE de la Paix, VIA Roma 5
    ways_glued: str = ""  # LindenSTRASSE 5
    particles: str = ""  # inside names of streets and people
    units: str = ""  # flat, suite, box: a number follows
    secrets: str = ""  # a password or key follows
    locks: str = ""  # a mixture of letters, digits and signs after them is secret
    phrases: str = ""  # several words follow that are secret together
    pins: str = ""  # a short number that is secret follows
    opened: str = ""  # the same, if something is there that it opens
    answers: str = ""  # what is asked for when a password is lost
    users: str = ""  # a user name follows
    verbs: str = ""  # "is", between a word for a secret and the secret
    phones: str = ""  # a telephone number follows
    postcodes: str = ""  # a postcode follows
    months: str = ""
    ages: str = ""  # after a number
    ages_before: str = ""  # before a number
    regions: str = ""  # whose telephone plans to ask for numbers without a country

    def __add__(self, other: Words) -> Words:
        pairs = ((getattr(self, f.name), getattr(other, f.name)) for f in fields(self))
        return Words(*(", ".join(filter(None, pair)) for pair in pairs))


def listed(phrases: str) -> tuple[str, ...]:
    """The phrases of a field, each once, longest first, so that a pattern prefers the longest."""
    distinct = dict.fromkeys(phrase.strip() for phrase in phrases.split(",") if phrase.strip())
    return tuple(sorted(distinct, key=len, reverse=True))


WORDS: Final[dict[str, Words]] = {
    "en": Words(
        titles="mr, mrs, ms, miss, mx, messrs, dr, prof, professor, doctor, sir, dame, rev, "
        "reverend, "
        "father, lord, lady, captain, capt, sgt, sergeant, lt, lieutenant, col, colonel, gen, "
        "judge, justice, madam, mme, mlle, nurse, officer, detective, inspector, "
        "sister, brother, cousin, uncle, aunt, auntie, grandma, grandpa, granny, nana, coach, "
        "chef, baroness, councillor, cllr, "
        "senator, rabbi, imam, pastor, monsieur, madame, herr, frau, señor, señora, signor, "
        "signora, dj, mc, lil",
        cues="my name is, name is, named, name:, patient:, client:, customer:, employee:, "
        "contact:, attn:, attention:, surname:, signed:, dear, hi, hello, morning, "
        "afternoon, née, nee",
        closings="sincerely, regards, yours faithfully, yours truly, best wishes, cheers, thanks, "
        "many thanks, thank you, love, best",
        addressed="sir, sirs, madam, all, team, customer, customers, colleague, colleagues, "
        "friend, friends, everyone, everybody, hiring, editor, client, support, there, folks, "
        "guys, god, department, court, league, please, unknown, none, sent, the, a, an, my, "
        "your, i, we, n/a",
        forms="account, acct, address, bic, card, city, contact, country, customer, dear, dob, "
        "email, e-mail, fax, from, hello, hi, iban, id, invoice, mobile, mr, mrs, ms, name, "
        "passport, patient, phone, pin, postal, code, postcode, ref, reference, regards, "
        "sincerely, ssn, street, subject, swift, tel, telephone, thanks, to, url, username, "
        "website, zip, zipcode, no, number, nr",
        ways_after="street, st, road, rd, avenue, ave, lane, ln, drive, dr, boulevard, blvd, "
        "court, ct, way, place, pl, square, sq, terrace, close, crescent, highway, hwy, parkway, "
        "pkwy, gardens, grove, mews, row, walk, hill, circle, cir, trail, alley, quay, wharf, "
        "rise, vale, loop, plaza, pike, turnpike, causeway, expressway, freeway, view, park, "
        "green, yard, croft, meadow, meadows, heights, chase",
        particles="of, the, and",
        units="apt, apartment, suite, ste, unit, flat, room, floor, p.o. box, po box, post box",
        secrets="password, passwd, passcode, passphrase, pwd, secret, client secret, secret key, "
        "private key, api key, api_key, api-key, apikey, access key, access_key, access-key, "
        "accesskey, secret_key, encryption key, auth token, auth_token, auth-token, access token, "
        "access_token, refresh token, token, login code, recovery code, passkey, psk, "
        "temporary code, activation code, reset code, one-time password, pass phrase, seed phrase, "
        "pw, bearer, wifi key, wi-fi key, memorable word, security word, safe word, magic word, "
        "secret word, code word, backup code, recovery key, sign-in code, signing key, session "
        "token, accountkey, bind password",
        locks="pass, key, login, creds, credentials, wifi, wi-fi, auth, answer, cookie, session, "
        "sessionid, session id, sid, root, admin, signature, sig, salt, nonce",
        phrases="passphrase, pass phrase, seed phrase, recovery phrase, backup phrase, mnemonic, "
        "seed words, recovery words, seed",
        pins="pin, pin code, pin number, cvv, cvc, cvv2, security code, otp, one-time code, "
        "verification code, access code, door code, gate code, alarm code, 2fa code, 2fa, mfa, "
        "digit code, entry code, unlock code, lock code, safe code, locker code, "
        "garage code, entry number, combination, combo, enter code, enter the code, use code, "
        "type code, key safe, keysafe, key box, lockbox, keypad, puk, puk code, login code, "
        "passcode, card verification value, digits on the back, phone unlock, security digits",
        opened="code",
        answers="mother's maiden name, mothers maiden name, maiden name, first pet's name, "
        "first pet, name of first pet, security answer, secret answer, security question answer, "
        "answer to the security question, memorable place, memorable name",
        users="user, username, user name, user id, userid, login, login name, login id, handle, "
        "screen name, account name, nickname, skype, telegram, instagram, twitter, signal",
        verbs="is, was, are, were, will be, should be, would be, which is, remains, stays, "
        "still is",
        phones="phone, telephone, tel, call, mobile, cell, fax, whatsapp, dial, text, contact, "
        "ring, hotline, reach",
        postcodes="zip, zip code, zipcode, postcode, post code, postal code",
        months="january, february, march, april, may, june, july, august, september, october, "
        "november, december, jan, feb, mar, apr, jun, jul, aug, sep, sept, oct, nov, dec",
        ages="years old, year old, years of age, yrs old, yr old, year-old, y/o, yo, months old, "
        "month-old, weeks old, week-old",
        ages_before="aged, age, age of, age:, turned, turning",
        regions="US, GB, AU, IN, IE, NZ, ZA",
    ),
    "de": Words(
        titles="herr, herrn, frau, fräulein, dr, prof, dipl.-ing, hr, fr, pfarrer, schwester, "
        "bruder, onkel, tante, oma, opa, minister, ministerin, richter, richterin, "
        "rechtsanwalt, rechtsanwältin",
        cues="mein name ist, ich heiße, ich heisse, namens, name:, vorname:, nachname:, patient:, "
        "patientin:, kunde:, kundin:, mandant:, ansprechpartner:, liebe, lieber, "
        "hallo, z. hd., z.hd.",
        closings="mit freundlichen grüßen, freundliche grüße, viele grüße, liebe grüße, "
        "beste grüße, gruß, mfg, danke",
        addressed="damen, herren, kollegen, kolleginnen, kunde, kundin, kunden, freunde, team, "
        "alle, zusammen, unbekannt, keine, ich, wir, sie, der, die, das",
        forms="adresse, an, anrede, anschrift, bic, datum, email, e-mail, fax, frau, geburtsdatum, "
        "hallo, handy, herr, iban, konto, kontonummer, kunde, kundennummer, name, nr, nummer, ort, "
        "patient, plz, postleitzahl, rechnung, straße, tel, telefon, vorname, nachname",
        ways_glued="straße, strasse, str., str, weg, platz, gasse, allee, ufer, ring, damm, "
        "chaussee, pfad, steig, hof, markt, wall, stieg, zeile, promenade",
        ways_before="straße des, straße der, platz der, platz des",
        particles="der, des, den, dem, am, im, an, von, und",
        units="wohnung, whg., zimmer, stock, etage, postfach",
        secrets="passwort, kennwort, zugangscode, passphrase, geheimnis, api-schlüssel, "
        "schlüssel, token, losung, zugangsdaten",
        answers="mädchenname der mutter, geburtsname der mutter, sicherheitsantwort",
        opened="code",
        locks="schlüssel, anmeldung, antwort, kombination, pass",
        phrases="passphrase, passwort, kennwort, wiederherstellungsphrase, seed-phrase",
        pins="pin, pin-code, geheimzahl, tan, cvv, prüfziffer, sicherheitscode, türcode, "
        "bestätigungscode",
        users="benutzer, benutzername, nutzername, login, kennung, anmeldename, benutzerkennung",
        verbs="ist, lautet, war",
        phones="telefon, tel, handy, mobil, mobilnummer, rufnummer, durchwahl, fax, anrufen, "
        "erreichbar",
        postcodes="plz, postleitzahl",
        months="januar, jänner, februar, märz, april, mai, juni, juli, august, september, oktober, "
        "november, dezember, jan, feb, mär, apr, jun, jul, aug, sept, okt, nov, dez",
        ages="jahre alt, jahre, -jährige, -jähriger, -jährigen, jährige, jähriger, monate alt",
        ages_before="alter, alter:, im alter von",
        regions="DE, AT, CH",
    ),
    "fr": Words(
        titles="m, mr, mme, mlle, monsieur, madame, mademoiselle, docteur, dr, professeur, pr, "
        "maître, me, père, sœur, soeur, frère, oncle, tante, juge",
        cues="je m'appelle, mon nom est, nommé, nommée, nom:, prénom:, nom :, prénom :, patient :, "
        "patiente :, client :, cliente :, cher, chère, bonjour, à l'attention de",
        closings="cordialement, bien cordialement, bien à vous, salutations, amicalement, merci",
        addressed="monsieur, madame, mesdames, messieurs, client, cliente, collègue, collègues, "
        "amis, tous, inconnu, le, la, les, je, nous, vous",
        forms="adresse, bic, bonjour, client, compte, courriel, date, email, e-mail, fax, iban, "
        "madame, mobile, monsieur, nom, numéro, objet, patient, prénom, rue, tel, tél, téléphone, "
        "ville",
        ways_before="rue, avenue, av., boulevard, bd, bvd, place, chemin, allée, impasse, quai, "
        "route, cours, square, passage, faubourg, ruelle, sentier, villa, rond-point",
        particles="de, la, le, les, du, des, d', l', et, aux, au, sur, saint, sainte, en",
        units="appartement, appt, bâtiment, bât, étage, porte, bp, boîte postale",
        secrets="mot de passe, mdp, code d'accès, clé, clé api, clé secrète, jeton, identifiants",
        answers="nom de jeune fille de la mère, nom de jeune fille, réponse secrète",
        opened="code",
        locks="clé, identifiant, réponse, combinaison",
        phrases="phrase secrète, phrase de passe, phrase de récupération, mot de passe",
        pins="pin, code pin, code secret, code de sécurité, cvv, digicode, cryptogramme",
        users="utilisateur, nom d'utilisateur, identifiant, login, pseudo",
        verbs="est, était",
        phones="téléphone, tél, tel, portable, mobile, fax, appeler, appelez, joindre, joignable",
        postcodes="code postal, cp",
        months="janvier, février, mars, avril, mai, juin, juillet, août, septembre, octobre, "
        "novembre, décembre, janv, févr, avr, juil, sept, oct, nov, déc",
        ages="ans, mois",
        ages_before="âgé de, âgée de, âge, âge :",
        regions="FR, BE, CH, LU, US",
    ),
    "es": Words(
        titles="sr, sra, srta, señor, señora, señorita, don, doña, d, dña, dr, dra, doctor, "
        "doctora, profesor, profesora, prof, padre, hermana, hermano, tío, tía, licenciado, "
        "licenciada, lic, ingeniero, ingeniera, juez, jueza",
        cues="me llamo, mi nombre es, llamado, llamada, nombre:, apellido:, apellidos:, paciente:, "
        "cliente:, estimado, estimada, querido, querida, hola, "
        "a la atención de",
        closings="atentamente, saludos, un saludo, un abrazo, gracias, cordialmente",
        addressed="señor, señora, señores, cliente, clientes, colega, colegas, amigo, amigos, "
        "todos, desconocido, el, la, los, las, yo",
        forms="apellido, apellidos, asunto, bic, calle, ciudad, cliente, correo, cuenta, "
        "dirección, dni, email, e-mail, fax, fecha, hola, iban, móvil, nombre, número, paciente, "
        "señor, señora, tel, teléfono",
        ways_before="calle, c/, avenida, avda., avda, av., plaza, pza., paseo, camino, carretera, "
        "ctra., ronda, travesía, callejón, glorieta, carrera, cra., bulevar, pasaje, rambla",
        particles="de, del, la, las, los, el, y, san, santa",
        units="piso, puerta, escalera, apartado, apartado de correos, apto, departamento, depto",
        secrets="contraseña, clave, clave de acceso, clave api, clave secreta, token, "
        "frase de contraseña, credenciales",
        answers="apellido de soltera de la madre, respuesta de seguridad",
        opened="código",
        locks="llave, respuesta, combinación, acceso",
        phrases="frase semilla, frase de recuperación, frase de contraseña, contraseña",
        pins="pin, código pin, cvv, código de seguridad, código de verificación, clave secreta",
        users="usuario, nombre de usuario, login, alias",
        verbs="es, era",
        phones="teléfono, tel, tfno, móvil, celular, fax, llamar, llame, llámame, whatsapp, "
        "contacto",
        postcodes="código postal, c.p., cp",
        months="enero, febrero, marzo, abril, mayo, junio, julio, agosto, septiembre, setiembre, "
        "octubre, noviembre, diciembre, ene, abr, ago, sept, dic",
        ages="años, meses",
        ages_before="edad, edad:, edad de",
        regions="ES, MX, AR, CO, CL, PE",
    ),
    "it": Words(
        titles="sig, sig.ra, sig.na, signor, signora, signorina, dott, dott.ssa, dottor, "
        "dottoressa, dr, prof, prof.ssa, professor, professoressa, avv, avvocato, ing, ingegner, "
        "don, padre, suor, zio, zia, giudice, onorevole, on",
        cues="mi chiamo, il mio nome è, di nome, nome:, cognome:, paziente:, cliente:, caro, cara, "
        "gentile, egregio, ciao, alla cortese attenzione di",
        closings="cordiali saluti, saluti, distinti saluti, un saluto, grazie, a presto",
        addressed="signore, signora, signori, cliente, clienti, collega, colleghi, amico, amici, "
        "tutti, sconosciuto, il, la, lo, le, io",
        forms="bic, cap, cellulare, città, cliente, cognome, conto, data, email, e-mail, fax, "
        "iban, indirizzo, nome, numero, oggetto, paziente, signor, signora, tel, telefono, via",
        ways_before="via, viale, v.le, piazza, p.zza, corso, c.so, largo, vicolo, strada, "
        "lungotevere, lungomare, piazzale, contrada, località, borgo, salita, calle",
        particles="di, del, della, dello, dei, degli, delle, dell', d', la, le, il, lo, l', san, "
        "santa, e, da",
        units="interno, int., scala, piano, casella postale",
        secrets="password, parola d'ordine, parola chiave, chiave, chiave api, chiave segreta, "
        "token, credenziali",
        answers="cognome da nubile della madre, risposta di sicurezza",
        opened="codice",
        locks="accesso, risposta, combinazione",
        phrases="frase segreta, frase di recupero, frase seme, password",
        pins="pin, codice pin, cvv, codice di sicurezza, codice di verifica, codice segreto",
        users="utente, nome utente, login, nickname",
        verbs="è, era",
        phones="telefono, tel, cell, cellulare, fax, chiamare, chiami, chiamami, recapito",
        postcodes="cap, codice postale",
        months="gennaio, febbraio, marzo, aprile, maggio, giugno, luglio, agosto, settembre, "
        "ottobre, novembre, dicembre, gen, feb, apr, mag, giu, lug, ago, sett, ott, nov, dic",
        ages="anni, mesi",
        ages_before="età, età:, di anni",
        regions="IT, CH",
    ),
    "nl": Words(
        titles="dhr, heer, mevr, mw, mej, meneer, mijnheer, mevrouw, dr, drs, ir, ing, mr, prof, "
        "professor, dokter, pastoor, dominee, oom, tante, zuster, broeder, rechter",
        cues="mijn naam is, ik heet, genaamd, naam:, voornaam:, achternaam:, patiënt:, klant:, "
        "cliënt:, beste, geachte, lieve, hallo, "
        "ter attentie van, t.a.v.",
        closings="met vriendelijke groet, met vriendelijke groeten, groeten, hartelijke groet, "
        "groetjes, bedankt",
        addressed="heer, mevrouw, heren, klant, klanten, collega, collega's, vrienden, allen, "
        "iedereen, onbekend, de, het, een, ik, wij",
        forms="achternaam, adres, beste, bic, datum, email, e-mail, fax, geachte, iban, klant, "
        "mobiel, naam, nummer, onderwerp, patiënt, plaats, postcode, rekening, straat, tel, "
        "telefoon, voornaam",
        ways_glued="straat, weg, laan, plein, gracht, kade, dijk, singel, steeg, hof, pad, "
        "plantsoen, dreef, markt, wal, haven, baan, park",
        particles="de, den, der, het, van, 't, ter, ten, te, aan, en, op",
        units="appartement, kamer, verdieping, bus, postbus",
        secrets="wachtwoord, toegangscode, sleutel, api-sleutel, geheim, token, inloggegevens",
        answers="meisjesnaam van de moeder, meisjesnaam, beveiligingsantwoord",
        opened="code",
        locks="antwoord, combinatie, inlog",
        phrases="wachtzin, herstelzin, wachtwoord, seed phrase",
        pins="pin, pincode, cvv, beveiligingscode, verificatiecode, deurcode",
        users="gebruiker, gebruikersnaam, login, inlognaam",
        verbs="is, was, luidt",
        phones="telefoon, tel, mobiel, gsm, fax, bel, bellen, bereikbaar, telefoonnummer",
        postcodes="postcode",
        months="januari, februari, maart, april, mei, juni, juli, augustus, september, oktober, "
        "november, december, jan, feb, mrt, apr, jun, jul, aug, sept, okt, nov, dec",
        ages="jaar oud, jaar, -jarige, jarige, maanden oud",
        ages_before="leeftijd, leeftijd:",
        regions="NL, BE",
    ),
    "pt": Words(
        titles="sr, sra, srta, senhor, senhora, senhorita, dom, dona, dr, dra, doutor, doutora, "
        "professor, professora, prof, profa, padre, irmã, irmão, tio, tia, eng, juiz, juíza",
        cues="meu nome é, o meu nome é, chamo-me, me chamo, chamado, chamada, nome:, apelido:, "
        "sobrenome:, paciente:, cliente:, caro, cara, prezado, prezada, querido, querida, olá, "
        "ao cuidado de",
        closings="atenciosamente, cumprimentos, abraços, um abraço, obrigado, obrigada",
        addressed="senhor, senhora, senhores, cliente, clientes, colega, colegas, amigo, amigos, "
        "todos, desconhecido, o, a, os, as, eu",
        forms="apelido, assunto, bic, cep, cidade, cliente, conta, data, email, e-mail, "
        "endereço, fax, iban, morada, nome, número, olá, paciente, rua, senhor, senhora, "
        "sobrenome, tel, telefone, telemóvel",
        ways_before="rua, r., avenida, av., travessa, praça, largo, estrada, alameda, rodovia, "
        "beco, calçada, ladeira, viela, praceta, azinhaga",
        particles="de, da, do, das, dos, e, d', são, santa, santo",
        units="apto, apartamento, andar, bloco, sala, caixa postal, apartado",
        secrets="senha, palavra-passe, palavra passe, chave, chave api, chave secreta, token, "
        "código de acesso, credenciais",
        answers="nome de solteira da mãe, resposta de segurança",
        opened="código",
        locks="acesso, resposta, combinação",
        phrases="frase secreta, frase de recuperação, frase semente, senha",
        pins="pin, código pin, cvv, código de segurança, código de verificação",
        users="usuário, utilizador, nome de usuário, nome de utilizador, login",
        verbs="é, era",
        phones="telefone, tel, telemóvel, celular, fax, ligar, ligue, liga, whatsapp, contato, "
        "contacto",
        postcodes="código postal, cep",
        months="janeiro, fevereiro, março, abril, maio, junho, julho, agosto, setembro, outubro, "
        "novembro, dezembro, jan, fev, mar, abr, mai, jun, jul, ago, set, out, nov, dez",
        ages="anos, meses",
        ages_before="idade, idade:, idade de",
        regions="PT, BR",
    ),
}


def words_of(language: str | Sequence[str]) -> Words:
    """The words of a language, or of several; "any" has none."""
    names = [language] if isinstance(language, str) else list(language)
    if not names:
        raise PolicyError(f"language is a name or a list of names.{suggest('', [*WORDS, ANY])}")
    words = Words()
    for name in names:
        if name not in WORDS and name != ANY:
            raise PolicyError(
                f'rules have no words for language "{name}".{suggest(str(name), [*WORDS, ANY])}; '
                f'"{ANY}" runs those that need no words'
            )
        words += WORDS.get(name, Words())
    return words
