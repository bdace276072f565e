"""Invented snippets with the role of every number: {number with its unit|ROLE}.

Roles in capitals with an exclamation mark are sensitive by default.
"""

import re

SNIPPETS = """
She takes {500 mg|QUANTITY} of it twice daily, then {20 mg|QUANTITY} at night.
Start at {2.5 mg/kg|QUANTITY} and go up to {10 mL/h|QUANTITY}.
Temperature {38.5 °C|QUANTITY}, pulse {72|VERSION}, pressure {120/80 mmHg|QUANTITY}.
BP {142/91|VERSION}, HR {88 bpm|QUANTITY}, {SpO2|VERSION} {97%|PERCENT} on air.
Weight {82 kg|QUANTITY}, height {178 cm|QUANTITY}, BMI {25.9|VERSION}.
Creatinine was {1.4 mg/dL|QUANTITY}; potassium {4.1 mmol/L|QUANTITY}.
{HbA1c|VERSION} fell to {6.8 %|PERCENT} within {3 months|QUANTITY}.
One tablet every {8 hours|QUANTITY} for {10 days|QUANTITY}.
Insulin, {12 units|QUANTITY} before meals; {2 puffs|QUANTITY} if needed.
A known type {2|VERSION} diabetic with stage {3|VERSION} kidney disease.
Grade {4|VERSION} heart failure, class {3|VERSION}, score {7|VERSION}.
ST depression in {V4-V6|VERSION}, vitamin {B12|VERSION} low.
Swab positive for {H1N1|VERSION}, then for {COVID-19|VERSION}.
We have {34 drivers|QUANTITY} waiting and {12 patients|QUANTITY} in the hall.
Only {3 of|COUNT} them came; {21|COUNT} stayed away.
There were {7|COUNT} left, not {9|COUNT}.
Under clause {7.2|SECTION} and section {12|SECTION} nothing is due.
Article {6|SECTION} and paragraph {41|SECTION} apply; see § {823|SECTION}.
See page {102|SECTION}, table {3|SECTION}, figure {2.1|SECTION}.
Chapter {11|SECTION}, step {4|SECTION}, question {16|SECTION}.
The Buyer shall pay {EUR 48,500|MONEY} within {30 days|QUANTITY}.
It costs {$5.50|MONEY} or {£12|MONEY}, once {1,250 euros|MONEY}.
A loan of {2.5 million dollars|MONEY} at {4.2 %|PERCENT}.
Her salary of {84,000|MONEY} stays; the fee is {300|MONEY}.
They raised {€3m|MONEY} last year.
Inflation rose by {2 percent|PERCENT}, rents by {11 per cent|PERCENT}.
About {10000 users|QUANTITY} and {1,204,500|COUNT} visits.
In {1984|YEAR} and again in {2019-2020|YEAR} it rained.
Music of the {1990s|YEAR} was on.
He came {3rd|ORDINAL}, she came {1st|ORDINAL}, in the {21st|ORDINAL} century.
We meet at {10:30 a.m.|TIME} and leave at {17:45|TIME}.
Call before {5 pm|TIME}, or {9am|TIME}.
The train of {08:14:55|TIME} is late.
Use Python {3.11|VERSION}, Windows {10|VERSION} or {v1.2.3|VERSION}.
It fails on a Pixel {7|VERSION} and on a Samsung {S22|VERSION}.
Encrypted with {SHA-256|VERSION} and {UTF-8|VERSION} names.
timeout={10|VERSION}, attempt={2|VERSION}, backoff={1.5s|QUANTITY}
return data["balance"] / {100|COUNT}
declined (code {51|VERSION}), port {8080|VERSION}
{"items": {3|SECTION}, "total": {149.9|VERSION}}
A {58-year-old|AGE} man and a {12-year-old|AGE} girl.
She is {34 years old|AGE}; he is aged {41|AGE}.
The file has {12 MB|QUANTITY} and {3,000 lines|QUANTITY}.
A {5 km|QUANTITY} run, a {3-day|COUNT} course, {2x|QUANTITY} a week.
Mix {250 ml|QUANTITY} of milk with {3/4 cup|QUANTITY} of sugar.
Scores of {3-1|VERSION} and {24/7|VERSION} support.
The ratio is {0.0003|COUNT}; P value {0.04|COUNT}.
Route {66|VERSION}, gate {12|VERSION}, platform {9|VERSION}.
Season {2|SECTION}, episode {14|SECTION} was best.
Rain fell for {40 days|QUANTITY} and {40 nights|QUANTITY}.
Buy {6 eggs|COUNT-} and {2 pounds|QUANTITY} of flour.
Volume {1.75 L|QUANTITY} at {3 bar|QUANTITY}, {60 Hz|QUANTITY}.
A {4K|QUANTITY} screen, {16 GB|QUANTITY} of memory, {5G|VERSION}.
The NHS number is {943 476 5919|NUMERIC_ID!} on file.
My account {KL-20931|NUMERIC_ID!} is locked.
Order {4471-99-20|NUMERIC_ID!} never came.
Employee number {551-0937|NUMERIC_ID!} please.
Invoice {88213|NUMERIC_ID!} failed; ticket {7731|NUMERIC_ID!} is open.
Staff id {AD/2291|NUMERIC_ID!} returned.
Card ending in {4471|NUMERIC_ID!} was declined.
Case number {12-4471|NUMERIC_ID!} and file {88120|NUMERIC_ID!}.
{"id": "{A-77120|NUMERIC_ID!}"}
Serial {9F3K2291|NUMERIC_ID!} was stolen.
Meter {00482913|NUMERIC_ID!} was read.
Passport {C4417732|NUMERIC_ID!} expired.
Ring {627-2771|NUMERIC_ID!} after lunch.
Policy number {PX-449-201|NUMERIC_ID!} covers it.
The code {123456|NUMERIC_ID!} came by text.
At {51.50735|NUMERIC_ID!} north.
MRN {4471902|NUMERIC_ID!}, ward {5|VERSION}.
Badge {3391|NUMERIC_ID!}, locker {214|NUMERIC_ID!}.
Admitted on {3 October 2025|DATE!} with chest pain.
Made on {14 March 2024|DATE!} between us.
Born {7/2/1984|DATE!} in the north.
Date: {Mon, 6 Oct 2025|DATE!} {09:14:02|TIME}
{2025-11-02T08:14:55Z|DATE!} INFO ready
Due {2024-07-31|DATE!}, paid {31.07.2024|DATE!}.
On {July 4, 1999|DATE!} and on {July 5th|DATE!}.
From {3 to 5 May 2021|DATE!} she was away.
Seen {12/25/1999|DATE!} and {25-12-99|DATE!}.
Signed {1st of June 2020|DATE!}; renewed {2 Feb|DATE!}.
On {Tuesday 14 March|DATE!} it snowed.
The backup {20240131|DATE!} is broken.
DOB {03/11/62|DATE!}.
Back on {9/12|DATE!} I hope.
A {92-year-old|AGE!} widow, aged {101|AGE!} now.
She is {95 years old|AGE!} today.
Apply from March {2024|YEAR} on; May is fine.
Since Tuesday we wait until September.
Pages {12-15|SECTION} and {3|COUNT}, {4|COUNT} and {5|COUNT}.
Between {100|VERSION} and {200 people|QUANTITY}.
At least {15|VERSION}, at most {20 items|QUANTITY}.
He scored {12 points|QUANTITY} in {20 minutes|QUANTITY}.
Exactly {1 250 000 euros|MONEY} were lost.
A flat of {65 m2|QUANTITY} for {900 EUR|MONEY} a month.
Mark {5|COUNT} and Apollo {11|COUNT} flew.
The {A320|VERSION} seats {180 passengers|QUANTITY}.
Take {1-2 tablets|QUANTITY} every {4-6 hours|QUANTITY}.
Win a {3-1|VERSION} lead; {90 minutes|QUANTITY} played.
A speed of {120 km/h|QUANTITY} or {75 mph|QUANTITY}.
Dose {1000mg|QUANTITY}, then {500mg|QUANTITY}.
Boil {2 l|QUANTITY} for {15 min|QUANTITY}.
Error {404|VERSION} and status {200|VERSION}.
Level {3|VERSION}, phase {2|VERSION}, tier {1|VERSION}.
Top {10 of|COUNT} {500|COUNT}.
Lines {10|SECTION} to {20 of|COUNT} the file.
Her contract ends in {2026|YEAR} or so.
Run {v1.8.0-rc.2|VERSION} of the client, not {2.0.1-beta3|VERSION}.
My husband is {92|AGE!} and frail; Ida Moe, {94|AGE!}, fell.
The score is {95|COUNT}, and {3|COUNT} are lost.
White cells {17.3 x 10^9/L|QUANTITY}, signal {7 dBmV|QUANTITY}.
sshd[{20417|COUNT}]: port {51022|VERSION} open
A mammogram in {03/2021|YEAR} was clear; the marker {CA-125|VERSION} too.
The patient, {145 milligrams|QUANTITY} per day, felt well.
Removed, {1996|YEAR}, without trouble; Sorrel, {1996|YEAR}, likewise.
{Mar  9|DATE!} {02:11:07|TIME} gateway up
The number ends in {27C|NUMERIC_ID!} as far as I know.
The {2:1|VERSION} ratio, {1/3|VERSION} of all.
Upgrade to {2.14.3+build.77|VERSION}, then to {10.4.1b2|VERSION}.
kernel {6.8.0-45-generic|VERSION}, openssl {3.0.13-0ubuntu3.4|VERSION}
chrome {128.0.6613.119|VERSION} on build {22631.4169|VERSION}
The image {20.11.1-alpine3.19|VERSION} and release {2024.3.1|VERSION} of it.
Her CPF is {123.456.789-09|NUMERIC_ID!} there, his RUT {12.345.678-5|NUMERIC_ID!} here.
Tax {212.48|COUNT} on top; error {0x80070005|VERSION} came back.
rows={120394|COUNT} in {12.345s|QUANTITY}
under EN {60601-1-2|VERSION} and {17|COUNT} CFR {240.10b-5|VERSION}
"""
"""One snippet a line. `COUNT-` is a count whose word is no unit."""
WORDED = """
My husband is «ninety» and still drives.
She is «ninety-three».
She turned «ninety-three» last week.
He will be «ninety-two» in June.
At «ninety-one» he still swims every morning.
Aged «ninety-five», she lives alone.
a «ninety-four-year-old» woman
a «ninety-four year old» woman
She is «ninety-six years old» and frail.
She is «ninety-six years of age».
The patient is a «ninety-two-year-old» widow with a cough.
The oldest driver was «ninety-nine».
Grandma is «a hundred and two».
He lived to be «one hundred and four».
My mother, «ninety-one», fell on the stairs.
her age is «ninety-one»
age: «ninety-one»
She died at «ninety-eight».
He was «ninety» when the house burned.
Her father, who is «ninety-one», needs a ramp.
We celebrated her «ninety-fifth» birthday.
his «one hundredth» birthday
at the age of «ninety-seven»
He's «ninety-two» now.
I'm «ninety-two», love.
My aunt just turned «a hundred and one».
The nun was «one hundred and three years old».
She is nearly «ninety-three».
She is over «ninety».
aged «ninety»-plus
on the «third of March nineteen eighty-four»
born on the «third of March, nineteen eighty-four»
It happened on the «twenty-first of May».
It happened on the «twenty first of May».
signed on the «first day of June, two thousand and nineteen»
on «March the third»
on «March third»
on «March third, nineteen eighty-four»
on the «fourth of July» we met
«May the twelfth, two thousand and four»
on the «thirty-first of December nineteen ninety-nine»
«June twenty-second»
«June twenty-second, twenty twenty»
«Monday, the fifth of May»
«Monday the fifth of May», twenty past nine
the «Fifth of November»
THE «THIRD OF MARCH»
She was born on the «eleventh of August, nineteen hundred and thirty-one».
He came on «Friday the thirteenth of June».
from the «third to the fifth of March»
between the «ninth and the twelfth of April»
on the «third and fourth of May»
on «March the third and fourth»
on «September eleventh, two thousand one»
«January first» is free.
«Dec. twenty-fifth»
my number is «oh seven seven double nine, four two one, three three zero»
call «five five five, zero one two three»
a «ninety-four year old» woman
Aged «ninety-six years»
«ninety-two years of age»
She is, at «ninety-seven», the oldest in the choir.
Nana Esi, who is «one hundred and four», cooked.
I will soon be «one hundred and three», so forgive me.
She would already be «ninety-eight» today.
My grandmother reached «one hundred and three».
"""
"""Ages over 89, exact dates and digits read out, all in words: «marked» ones are sensitive."""
PLAIN = """
She is thirty-four and works nights.
He is aged sixty-one.
The child is nine.
We meet at half past nine.
We meet at a quarter to ten.
Come at nine o'clock sharp.
It was ninety degrees in the shade.
Ninety people came to the fair.
There were ninety-two chairs in the hall.
The train leaves in ninety minutes.
It costs ninety-five euros.
ninety percent of the votes
He scored ninety-one points.
She ran ninety miles in a week.
The limit is ninety.
The answer is ninety-two.
Page ninety-three is missing.
Chapter ninety-one was cut.
It is ninety to nothing.
Three of them came late.
The first of many steps was hard.
The second of the two tests failed.
One of the three keys is lost.
In March the third team won.
The march of the fourth brigade was long.
It may second the motion.
May first aid be given here?
We may first ask for a permit.
You may third the idea.
In nineteen eighty-four the mill closed.
In the nineteen nineties rents rose.
in two thousand and four
a hundred and two chairs
one hundred metres
one hundred and three boxes
She is one of a hundred.
He was second in the race.
He is one hundred percent sure.
I am one hundred percent sure.
She is ninety percent done.
The work is ninety percent done.
He was ninety minutes late.
The clinic is ninety kilometres away.
There are ninety-nine red balloons.
The third of the three tests failed.
a third of March sales were lost
a third of the budget
the fifth of its kind
The fourth of our tests is the last.
Twenty-one of the thirty patients improved.
They march third in line.
Take two tablets of sixty milligrams.
Sixty of the ninety forms were late.
Two to three weeks is normal.
Ten to one he is late.
It is five to nine.
The score was ninety to eighty.
Room ninety is free.
Bus ninety-two stops here.
The book sold ninety thousand copies.
The ninetieth minute brought the goal.
He scored in the ninety-second minute.
one two three four
He counted one, two, three, four, five.
This will soon be ninety-two pages long.
It costs ninety naira.
"""
"""Number words that name nobody: nothing of them is sensitive."""
_MARK = re.compile(r"\{([^{}|]+)\|([A-Z_]*)([!-]?)\}")


def snippets():
    """Text, and the numbers in it: start, end, role, sensitive."""
    for line in SNIPPETS.strip().splitlines():
        text, numbers, position = "", [], 0
        for mark in _MARK.finditer(line):
            text += line[position : mark.start()]
            start, words = len(text), mark[1]
            text += words
            position = mark.end()
            if mark[3] == "-":
                words = words.split()[0]
            if mark[2]:
                numbers.append((start, start + len(words), mark[2], mark[3] == "!"))
        yield text + line[position:], numbers


def worded():
    """Text, and the sensitive words in it."""
    for line in (WORDED.strip() + PLAIN.rstrip()).splitlines():
        yield re.sub("[«»]", "", line), re.findall("«(.+?)»", line)
