"""Known organisations by kind: a bank for a bank, a football club for a football club.

Which kind a name has is PUBLIC, a function of the name alone; which name of that kind, is not.
Written for this project from general knowledge; a kind has at least 50 names that can be drawn.
"""

from __future__ import annotations

from typing import Final

from privstamp.mechanisms.places import names

POOLS: Final = {
    "ORG_TECHNOLOGY": names("""
        Microsoft, Google, Intel, Nvidia, Samsung, Siemens, Cisco, Adobe, Salesforce, Netflix,
        Spotify, Facebook, Yahoo, Lenovo, Huawei, Xiaomi, Toshiba, Panasonic, Fujitsu, Hitachi,
        Qualcomm, Ericsson, Nokia, Philips, Logitech, Motorola, Netscape, LinkedIn, Dropbox,
        Shopify, Atlassian, Autodesk, Symantec, VMware, Capgemini, Infosys, Wipro, Accenture,
        Alibaba, Tencent, Baidu, Palantir, Broadcom, Kyocera, Ricoh, Epson, Seagate, Garmin,
        Infineon, Nintendo, Ubisoft, Akamai, Verisign, Sybase, Novell, Skype, Pinterest, Snapchat,
        Expedia, Cognizant, Zendesk, Twilio, Cloudflare, McAfee, Kaspersky, Mozilla
    """),
    "ORG_CARS": names("""
        Toyota, Honda, Nissan, Mazda, Mitsubishi, Hyundai, Volkswagen, Porsche, Volvo, Renault,
        Peugeot, Citroën, Fiat, Ferrari, Lamborghini, Maserati, Alfa Romeo, Chrysler, Chevrolet,
        Cadillac, General Motors, Tesla, Opel, Vauxhall, Skoda, Audi, Daimler, Bentley, Rolls-Royce,
        Aston Martin, Isuzu, Daihatsu, Scania, Iveco, Pontiac, Oldsmobile, Buick, Daewoo, Lada,
        Dacia, Lancia, Bugatti, Rivian, Polestar, Geely, Tata Motors, Mahindra, Stellantis,
        Navistar, Paccar, Yamaha, Kawasaki, Suzuki, Ducati, Piaggio
    """),
    "ORG_AIRLINE": names("""
        Lufthansa, Ryanair, EasyJet, Air France, British Airways, Iberia, Alitalia, Finnair,
        Icelandair, Aer Lingus, Qantas, Air New Zealand, Air Canada, WestJet, JetBlue, Delta Air
        Lines, American Airlines, United Airlines, Southwest Airlines, Alaska Airlines, Hawaiian
        Airlines, Frontier Airlines, Spirit Airlines, Cathay Pacific, Singapore Airlines, Malaysia
        Airlines, Thai Airways, Garuda Indonesia, Philippine Airlines, Vietnam Airlines, Japan
        Airlines, Korean Air, Asiana Airlines, China Southern, China Eastern, Air China, Air India,
        IndiGo, SriLankan Airlines, Qatar Airways, Etihad Airways, Gulf Air, Royal Jordanian,
        Turkish Airlines, EgyptAir, Ethiopian Airlines, Kenya Airways, South African Airways, Royal
        Air Maroc, Aeroflot, Avianca, Aeromexico, Copa Airlines, Wizz Air, Norwegian Air Shuttle,
        Swissair, Austrian Airlines, Eurowings, Transavia, Vueling
    """),
    "ORG_BANK": names("""
        Barclays, Lloyds Bank, NatWest, Standard Chartered, Santander, Deutsche Bank, Commerzbank,
        UniCredit, Intesa Sanpaolo, Société Générale, Crédit Agricole, Rabobank, Danske Bank,
        Nordea, Handelsbanken, Swedbank, Credit Suisse, Julius Baer, Raiffeisen, Erste Group,
        CaixaBank, Bankia, Sabadell, Goldman Sachs, Morgan Stanley, JPMorgan Chase, Citigroup, Wells
        Fargo, Bank of America, Bear Stearns, Lehman Brothers, Merrill Lynch, Wachovia, SunTrust,
        Fifth Third, Scotiabank, Bank of Montreal, Royal Bank of Canada, Westpac, Commonwealth Bank,
        Macquarie, Nomura, Mizuho, Sumitomo Mitsui, Bank of China, Standard Bank, Itaú Unibanco,
        Banco Bradesco, Bancolombia, State Bank of India, Axis Bank, Maybank, Kookmin Bank, Capital
        One, Monzo, Revolut
    """),
    "ORG_NEWSPAPER": names("""
        New York Times, Washington Post, Wall Street Journal, USA Today, Los Angeles Times, Chicago
        Tribune, Boston Globe, San Francisco Chronicle, Miami Herald, Denver Post, Dallas Morning
        News, Houston Chronicle, Seattle Times, Philadelphia Inquirer, Baltimore Sun, Guardian,
        Daily Telegraph, Financial Times, Daily Mail, Daily Mirror, Daily Express, Evening Standard,
        Scotsman, Irish Times, Le Monde, Le Figaro, Libération, El País, El Mundo, La Vanguardia,
        Corriere della Sera, La Repubblica, La Stampa, Die Zeit, Die Welt, Süddeutsche Zeitung,
        Frankfurter Allgemeine, Der Standard, Neue Zürcher Zeitung, De Telegraaf, De Volkskrant, Le
        Soir, Dagens Nyheter, Aftenposten, Helsingin Sanomat, Gazeta Wyborcza, Izvestia, Pravda,
        Haaretz, Jerusalem Post, Al-Ahram, Asahi Shimbun, Yomiuri Shimbun, Straits Times, South
        China Morning Post, Times of India, Sydney Morning Herald, Globe and Mail, Toronto Star, La
        Nación, Clarín, O Globo
    """),
    "ORG_BROADCASTER": names("""
        CNN, Fox News, MSNBC, CNBC, Bloomberg Television, Al Jazeera, Sky News, Euronews, Deutsche
        Welle, Channel 4, Channel 5, Univision, Telemundo, Televisa, Comedy Central, Nickelodeon,
        Showtime, Discovery Channel, National Geographic Channel, History Channel, Eurosport, Canal
        Plus, Antena 3, Telecinco, Mediaset, Nippon Television, Fuji Television, TV Tokyo, Zee TV,
        Star Plus, Doordarshan, Rede Globo, Radio France, France 24, Voice of America, Radio Free
        Europe, Al Arabiya, China Central Television, Phoenix Television, Seven Network, Nine
        Network, Television New Zealand, Global Television, Cartoon Network, Food Network, Court TV,
        Weather Channel, Golf Channel, Animal Planet, Hallmark Channel, National Public Radio, Radio
        Luxembourg
    """),
    "ORG_UNIVERSITY": names("""
        Harvard University, Yale University, Princeton University, Stanford University, Cornell
        University, Columbia University, Brown University, Dartmouth College, Duke University, Emory
        University, Rice University, Tulane University, Vanderbilt University, Northwestern
        University, Johns Hopkins University, Carnegie Mellon University, Georgetown University,
        Boston University, Brandeis University, Tufts University, Purdue University, Temple
        University, Drexel University, Lehigh University, Fordham University, Villanova University,
        Baylor University, Clemson University, Auburn University, Marquette University, Creighton
        University, Gonzaga University, Oxford University, Cambridge University, Durham University,
        Lancaster University, Keele University, McGill University, Queen's University, Dalhousie
        University, Monash University, Macquarie University, Leiden University, Utrecht University,
        Heidelberg University, Humboldt University, Uppsala University, Lund University, Aarhus
        University, Keio University, Waseda University, Kyoto University, Peking University,
        Tsinghua University, Fudan University, Makerere University, Charles University, Sorbonne
        University, Syracuse University
    """),
    "ORG_FOOTBALL_CLUB": names("""
        Arsenal, Chelsea, Liverpool, Everton, Manchester United, Manchester City, Tottenham Hotspur,
        Aston Villa, Newcastle United, West Ham United, Leeds United, Crystal Palace, Fulham,
        Leicester City, Southampton, Norwich City, Sunderland, Middlesbrough, Blackburn Rovers,
        Bolton Wanderers, Wolverhampton Wanderers, Nottingham Forest, Derby County, Stoke City,
        Sheffield Wednesday, Celtic, Rangers, Aberdeen, Hearts, Real Madrid, Barcelona, Atlético
        Madrid, Valencia, Sevilla, Villarreal, Real Sociedad, Juventus, Inter Milan, AC Milan, AS
        Roma, Lazio, Napoli, Fiorentina, Bayern Munich, Borussia Dortmund, Schalke, Werder Bremen,
        Bayer Leverkusen, Hamburger SV, Ajax, Feyenoord, PSV Eindhoven, Anderlecht, Club Brugge,
        Benfica, Porto, Sporting Lisbon, Olympique Lyonnais, Olympique Marseille, Paris
        Saint-Germain, AS Monaco, Galatasaray, Fenerbahce, Olympiacos, Panathinaikos, Boca Juniors,
        River Plate, Flamengo, Santos, Corinthians
    """),
    "ORG_TEAM": names("""
        Boston Red Sox, New York Yankees, Los Angeles Dodgers, Chicago Cubs, St. Louis Cardinals,
        Atlanta Braves, Houston Astros, Detroit Tigers, Cleveland Indians, Texas Rangers, Seattle
        Mariners, Oakland Athletics, Minnesota Twins, Kansas City Royals, Cincinnati Reds,
        Pittsburgh Pirates, Philadelphia Phillies, San Diego Padres, Colorado Rockies, Toronto Blue
        Jays, New England Patriots, Dallas Cowboys, Green Bay Packers, Chicago Bears, Denver
        Broncos, Miami Dolphins, Buffalo Bills, New York Jets, New York Giants, Pittsburgh Steelers,
        Baltimore Ravens, Indianapolis Colts, Tennessee Titans, Oakland Raiders, Seattle Seahawks,
        San Francisco 49ers, Philadelphia Eagles, Carolina Panthers, Los Angeles Lakers, Boston
        Celtics, Chicago Bulls, Miami Heat, Detroit Pistons, San Antonio Spurs, Houston Rockets,
        Phoenix Suns, Utah Jazz, Sacramento Kings, Indiana Pacers, Denver Nuggets, Toronto Raptors,
        Golden State Warriors, Dallas Mavericks, Milwaukee Bucks, Montreal Canadiens, Edmonton
        Oilers, Calgary Flames, Detroit Red Wings
    """),
    "ORG_DRUG_MAKER": names("""
        Pfizer, Novartis, Roche, Merck, GlaxoSmithKline, AstraZeneca, Sanofi, Bayer, Eli Lilly,
        Bristol-Myers Squibb, Johnson & Johnson, Abbott Laboratories, Amgen, Genentech, Biogen,
        Gilead, Regeneron, Moderna, BioNTech, CureVac, Novo Nordisk, Boehringer Ingelheim, Takeda,
        Astellas, Daiichi Sankyo, Eisai, Otsuka, Teva, Mylan, Sandoz, Allergan, Schering-Plough,
        Wyeth, Aventis, Pharmacia, Searle, Servier, Ipsen, Pierre Fabre, Menarini, Chiesi, Grifols,
        Almirall, Lundbeck, Orion Pharma, Gedeon Richter, Dr. Reddy's, Cipla, Lupin, Sun Pharma,
        Celgene, Vertex, Genzyme, Chiron, Elan, Medtronic, Ranbaxy
    """),
    "ORG_RETAILER": names("""
        Walmart, Kmart, Costco, Safeway, Kroger, Albertsons, Publix, Walgreens, Home Depot, Best
        Buy, Circuit City, Toys R Us, Barnes & Noble, Nordstrom, Macy's, Bloomingdale's, Neiman
        Marcus, J.C. Penney, Tesco, Sainsbury's, Asda, Morrisons, Waitrose, Marks & Spencer, John
        Lewis, Debenhams, Harrods, Selfridges, Woolworths, Lidl, Aldi, Rewe, Edeka, Carrefour,
        Auchan, Leclerc, Casino Group, Mercadona, El Corte Inglés, Esselunga, Ahold, Delhaize,
        Migros, Ikea, Zara, Uniqlo, Primark, Benetton, Decathlon, Media Markt, Zalando, Wayfair,
        Etsy, Sephora, Starbucks, McDonald's, Burger King, Domino's Pizza
    """),
    "ORG_ENERGY": names("""
        ExxonMobil, Chevron, ConocoPhillips, Texaco, Halliburton, Schlumberger, Baker Hughes, Enron,
        British Petroleum, Royal Dutch Shell, TotalEnergies, Repsol, Cepsa, Eni, Enel, Edison, Galp,
        Equinor, Statoil, Norsk Hydro, Neste, Lukoil, Rosneft, Gazprom, Yukos, Sibneft, Tatneft,
        Petrobras, Pemex, Ecopetrol, Saudi Aramco, Sonatrach, Sonangol, Petronas, Pertamina,
        Sinopec, PetroChina, Reliance Industries, Indian Oil, Woodside, Santos Energy, Inpex,
        Iberdrola, Naturgy, Engie, Vattenfall, Fortum, Ørsted, Centrica, National Grid, Duke Energy,
        Exelon, Dominion Energy, Unocal, Suncor, EnCana
    """),
    "ORG_AGENCY": names("""
        United Nations, World Bank, World Health Organization, World Trade Organization,
        International Monetary Fund, European Union, European Commission, European Central Bank,
        African Union, Arab League, Red Cross, Amnesty International, Human Rights Watch,
        Greenpeace, Oxfam, Unicef, Unesco, Interpol, Europol, Congress, Senate, House of Commons,
        House of Lords, Bundestag, Knesset, Duma, Pentagon, State Department, Justice Department,
        Defense Department, Treasury Department, Home Office, Foreign Office, Scotland Yard, Supreme
        Court, Federal Reserve, Bank of England, Bundesbank, Federal Trade Commission, Federal
        Communications Commission, Securities and Exchange Commission, Food and Drug Administration,
        Environmental Protection Agency, Internal Revenue Service, Social Security Administration,
        National Health Service, Border Patrol, Coast Guard, Secret Service, National Park Service,
        Census Bureau, Patent Office
    """),
}
"""What is drawn for an organisation of a kind."""
_ALSO: Final = {
    "ORG_TECHNOLOGY": names("""
        Apple, Amazon, Meta, Oracle, Dell, IBM, SAP, HP, AMD, LG, Sony, Canon, Twitter, Zoom, Slack,
        eBay, PayPal, Hewlett-Packard, Hewlett Packard, Micron, Uber, Airbnb, TikTok, YouTube,
        Instagram, WhatsApp, Android, Windows, iPhone, iPad, Linux, GitHub, GitLab, OpenAI, Stripe,
        Snowflake, AOL, Sun Microsystems, PeopleSoft, Red Hat, Sega, Gmail, Outlook, Jira, Dropbox
    """),
    "ORG_CARS": names("""
        Ford, BMW, Mercedes, Mercedes-Benz, Jaguar, Land Rover, Saab, Seat, Kia, GM, Subaru, Lexus,
        MINI, Jeep, Dodge, DaimlerChrysler
    """),
    "ORG_AIRLINE": names("""
        Delta, United, KLM, SAS, Emirates, Boeing, Airbus, US Airways, TWA, Pan Am, TAP, LOT, LATAM,
        Norwegian Air, Virgin Atlantic, Emirates Airline
    """),
    "ORG_BANK": names("""
        HSBC, UBS, ING, BBVA, BNP Paribas, RBS, Chase, Citibank, JP Morgan, J.P. Morgan, ABN Amro,
        American Express, Mastercard, Visa, Lloyds, Royal Bank of Scotland, DNB, SEB, PNC
    """),
    "ORG_NEWSPAPER": names("""
        New York Times, Washington Post, Wall Street Journal, Guardian, The Times, Daily Telegraph,
        The Sun, Der Spiegel, Bild, The Economist, Economist, Newsweek, Time Magazine, Reuters,
        Associated Press, AP, AFP, Bloomberg, Boston Globe, Herald Tribune, Irish Times
    """),
    "ORG_BROADCASTER": names("""
        BBC, NBC, CBS, ABC, ITV, PBS, NPR, ESPN, HBO, MTV, ZDF, ARD, RAI, NHK, CBC, RTL, BSkyB, Fox,
        Sky, Disney Channel, Al-Jazeera
    """),
    "ORG_UNIVERSITY": names("""
        Harvard, Yale, Princeton, Stanford, Oxford, MIT, UCLA, Caltech, Berkeley, Massachusetts
        Institute of Technology, Imperial College, London School of Economics, University College
        London, King's College London, New York University, Penn State, University of Oxford,
        University of Cambridge, University of California
    """),
    "ORG_FOOTBALL_CLUB": names("""
        Man United, Man Utd, Man City, Spurs, Tottenham, AC Milan, Inter, Roma, Milan, Dortmund,
        Bayern, FC Barcelona, PSG, Newcastle, Charlton, Portsmouth, Birmingham City, Juve
    """),
    "ORG_TEAM": names("""
        Red Sox, Yankees, Dodgers, Cubs, Braves, Astros, Mets, New York Mets, Phillies, Marlins,
        Patriots, Cowboys, Packers, Broncos, Steelers, Colts, Lakers, Celtics, Bulls, Pistons,
        Knicks, New York Knicks, Sox, White Sox, Giants, Expos, Redskins, Eagles, Titans
    """),
    "ORG_DRUG_MAKER": names("GSK, Lilly, Johnson and Johnson, Abbott, AbbVie, Merck & Co, Novo"),
    "ORG_RETAILER": names("""
        Target, Sears, Gap, Wal-Mart, Wal-Mart Stores, Subway, Boots, Next, Costa, Carrefour, Nike,
        Adidas, Puma, Coca-Cola, Pepsi, PepsiCo, Nestlé, Unilever, Procter & Gamble, Danone
    """),
    "ORG_ENERGY": names("Shell, BP, Total, Exxon, Mobil, E.ON, RWE, EDF, OPEC, CNOOC, Aramco"),
    "ORG_AGENCY": names("""
        UN, EU, NATO, WHO, WTO, IMF, IAEA, FBI, CIA, NSA, NASA, FDA, SEC, FTC, FCC, EPA, IRS, MI5,
        MI6, Fed, White House, Kremlin, Parliament, House of Representatives, U.S. Congress,
        European Parliament, United Nations Security Council, Security Council, Justice Department,
        Treasury, Army, Navy, Air Force, Hamas, Hezbollah, Taliban, al-Qaida, al-Qaeda, Al Qaeda
    """),
}
"""Names that are of a kind and never drawn: they mean other things too, or are short."""


def folded(name: str) -> str:
    """As names are looked up: in any case, without points, hyphens as blanks."""
    plain = name.casefold().replace(".", "").replace("-", " ").replace("\u2019", "'")
    return " ".join(plain.removeprefix("the ").split())


_KIND: Final = {
    folded(name): kind for lists in (_ALSO, POOLS) for kind in lists for name in lists[kind]
}


def kind_of(name: str) -> str | None:
    """The kind of a known organisation.

    >>> [kind_of(name) for name in ("Deutsche Bank", "the BBC", "Kestrel Logistics")]
    ['ORG_BANK', 'ORG_BROADCASTER', None]
    """
    return _KIND.get(folded(name))
