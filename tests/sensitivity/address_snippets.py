"""Invented sentences, each with one address between braces; and some without any."""

WITH = """
She lives at {14 Linden Road, Leeds LS6 3PT} with her son.
Please send it to {5 Harrow Lane} instead.
Our office is {Suite 200, 450 Marlow St, Fresno, CA 93701}.
Write to {Flat 3, 22 Acacia Avenue, London W1A 1AA} today.
He moved to {1207 Birchwood Drive, Apt. 4B, Dayton, OH 45402} in May.
The parcel went to {PO Box 1187, Bath BA1 4QT}.
Deliver to {No. 7, Mill Lane, Oxford OX4 1AB} please.
My address is {221B Tanner Street, Bristol}.
Ship to {88 Old Quarry Rd, Suite 12, Boise, ID 83702}.
The house at {9 Kiln Close, York} burnt down.
Visit us at {16 Rosemary Terrace}.
It was mailed to {4410 W. Alder Ave, Phoenix, AZ 85019}.
Her flat is at {Unit 5, 31 Dockside Road, Melbourne VIC 3008}.
Address: {73 Castle Hill, Lincoln LN1 3AA}
Billing address: {Apt. 12, 600 Grand Blvd, Omaha, NE 68102}
They rent {12 rue des Lilas, 75011 Paris}.
The clinic is in {Lindenstraße 5, 10969 Berlin}.
Wir wohnen in der {Gartenstraße 14, 80331 München}.
The letter went to {calle Alameda 23, Valencia}.
Consegna in {via Garibaldi 12, 20121 Milano}.
Return to sender: {301 Pine Street, Apt 9, Reno, NV 89501}
I grew up at {2 Orchard Grove, Hull HU5 2DA}.
Meet me at {48 Station Road}.
He was seen outside {17 Wexford Crescent, Dublin}.
Registered office: {3rd Floor, 90 Fenchurch Square, London EC3M 4BA}
Our warehouse, {1500 Industrial Parkway, Unit 8, Toledo, OH 43607}, is closed.
Send the keys to {Flat 2, 10 Abbey Walk, Bath BA2 5QQ}.
She resides at {905 Juniper Court}.
The crash was near {64 Bridge Street, Chester}.
Mail it to {P.O. Box 42, Helena, MT 59601}.
Pick up at {27 Harbour View, Cork}.
He inherited {33 Thornfield Gardens, Bath}.
The plumber went to {7 Elm Grove, Flat 6}.
Tenant of {118 Cedar Lane, Albany, NY 12203} since 2019.
The delivery for {Nassaustraat 12, 1054 Amsterdam} is late.
Contact: {Rua das Flores 81, Porto}
It burned at {56 Maple Ave, Eugene, OR 97401-2234}.
Post it to {41 Queens Road, Belfast BT7 1FF}.
The suspect left {19 Marsh Lane, Derby} at noon.
Our shop: {250 Main St, Ste 3, Salem, MA 01970}.
"""
WITHOUT = """
Chapter 5, Paris, 1920 was the best.
In Paris 12 people came to the show.
Leeds won 3, Hull 2 in the end.
She drove 14 miles along a quiet lane.
Take the second road after 5 minutes.
He walked a long way for 3 days.
It took 12 steps to close the deal.
The court ruled in 2004 against it.
We ate in row 14 of the hall.
Type 2 is common in Boston.
The firm has 12 Big Sites, London has most of them.
In 2019 Apple, London and Paris were strong.
1, Fairweather, Ludlow, angry
In return they shall send us each Martinmas 16 barrels of wine.
"""


def with_address():
    for line in WITH.strip().splitlines():
        before, _, rest = line.partition("{")
        address, _, after = rest.partition("}")
        yield before + address + after, address


def without_address():
    return WITHOUT.strip().splitlines()
