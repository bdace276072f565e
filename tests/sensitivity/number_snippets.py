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
"""
"""One snippet a line. `COUNT-` is a count whose word is no unit."""
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
