"""Invented texts: «secrets» that must go whole, and «things that look like them» that must stay."""

from __future__ import annotations

import re

LEAVE = r"""
The vault password is «8nZ!kV4%beta», please change it tonight.
I told him the passphrase is «copper-lantern-42» and he wrote it down.
Her login for the portal: user mtaylor, password «Blu3!Heron».
My new pw: «tr0ub4dor&3» (do not tell anyone)
Use PIN «4471» at the side door.
The alarm code is «90#17*2» and it beeps twice.
You need the gate code «7*4410#» after eight.
The wifi password at the cottage is «heronlake2019».
hey whats the netflix pw again? its «Gr4nola!bar»
pass: «hunter2!»
The safe opens with «31-67-22-90» on the dial.
Please log in with the temporary password `«Zk4$wq-Lz0»` and change it.
Username is guest, password is "«maple syrup 88»".
Our recovery code is «A7K2-99QX-PL40».
The one-time code was «882 104».
Enter «Q7!rt_9x» as your password.
The secret answer is «Fluffy1998».
Reset it to «N3w-P@ss!» before noon.
The key for the API is «f3a9c2d17be84c60a5d2».
the admin password «Winter2024!» still works on staging
[09:14] devon: token for the bot is «xk93-fjq2-00pl»
<sam> pw is «9yards!Deep» ok?
db creds: root / «T0psecret#1»
ssh in as deploy:«Kestrel-77!» on the jump host
root:«Xy7#pl0m»@10.0.0.7
password = "«s3cr3t-Sauce»"
db_password: «f0xtr0t_9!»
secret_key: "«k9$Jd02ls_-Qp»"
API_TOKEN=«tok_83hfkq02mzpa91»
export DB_PASS='«n0t4you!»'
mysql -u root -p«Lemon!Tree7» shop
curl -u admin:«Rav3n!wood» https://example.com/api
curl -H "Authorization: Bearer «abc123def456ghi789jkl»" https://example.com
curl -H "X-Api-Key: «9f8e7d6c5b4a39281706»" https://example.com
sshpass -p '«Tr1cky#Pass»' ssh ops@example.com
docker login -u ci -p «dckr_pat_Ab12Cd34Ef56Gh78Ij90»
postgres://app:«pg!Pass99»@db.example.com:5432/shop
mongodb+srv://svc:«m0ng0S3cret»@cluster.example.com/test
redis://:«r3d1sP4ss»@cache.example.com:6379/0
Server=sql1;Database=hr;User Id=sa;Password=«Str0ng!Pwd;x»;
amqp://guest:«gu3st-Rabb1t»@mq.example.com/vhost
https://ops:«Sn0w!drift»@example.com/admin
https://example.com/reset?token=«d41d8cd98f00b204e9800998»
https://example.com/cb?access_token=«ya29.a0AfH6SMBx-9qLk2Zz81»&state=1
USER, PASSWORD = "svc", "«Plum&Ginger7»"
login("svc", password="«Qu1et!Owl»")
const apiKey = '«AIzaSyD3f4ultK3yF0rT3stsOnly00000000000»';
client = Client(token=«"ghp_16C7e42F292c6912E7710c838347Ae178B4a"»)
aws_access_key_id = «AKIAIOSFODNN7EXAMPLE»
aws_secret_access_key = «wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY»
stripe.api_key = "«sk_test_4eC39HqLyjWDarjtT1zdp7dc»"
SLACK=«xoxb-123456789012-abcdefGHIJKL»
GITLAB_TOKEN: «glpat-a1B2c3D4e5F6g7H8i9J0»
jwt: «eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0»
npm: //registry.example.com/:_authToken=«npm_a8Kd93hfKq02mZpa91XyTr45bNm»
2025-03-01 10:22:01 WARN auth: bad password '«Pa55w0rd!x»' for user jdoe
2025-03-01 10:22:05 DEBUG login attempt user=jdoe pass=«s0urD0ugh!»
Mar  4 07:11:09 host app[311]: connecting with secret=«0x8f3a77bc91»
Set-Cookie: sessionid=«k3jh45kj34h5k34h5kj3»; HttpOnly
The license key is «QX7P2-9ZK4M-T1B8R-W6D3N».
Her security question answer: «Tadpole77»
{"username": "ana", "password": "«pl@tinum-Fox9»"}
{"auth": {"client_secret": "«7Gh!s9-KK2»", "grant": "password"}}
<password>«Gl4cier#melt»</password>
<add key="ApiSecret" value="«zq81-LLm2-09xc»" />
INSERT INTO users (name, password) VALUES ('ana', '«Tang0!Foxtrot»');
ALTER USER app WITH PASSWORD '«c0balt_Sky9»';
The hash is «$2b$12$KIXQ4S0wE9yZ3bV1uT8rCuJm5n6o7p8q9r0s1t2u3v4w5x6y7z8A2».
Seed phrase: «lamp river canyon orbit velvet maple»
-----BEGIN RSA PRIVATE KEY-----¶«b3BlbnNzaC1rZXktdjEAAAAA»¶-----END RSA PRIVATE KEY-----
The password hash «5f4dcc3b5aa765d61d8327deb882cf99» was posted.
It prints «c2VjcmV0LXRva2VuLTEyMzQ1Njc4OTA=» on the console.
Try «hV8$kk2!Wp» instead, that one works for me.
netrc: machine example.com login ana password «d4yl1ght!»
The combination of the locker is «24-8-36».
the 4-digit code is «5519», ring twice
2FA: «449 021»
login/password: kate / «Br1dge!x»
Her sort code «20-45-77» is on the card.
The PIN of the card is «0471», I think.
Unlock with «2580#» at the gate.
Key safe: «1958», by the back door.
Enter code «3391» on the keypad.
My password is «bluebird».
The memorable word is «marigold».
PGPASSWORD=«hazelnut» psql -h db
Voicemail PIN: «0093»; ask for the long one.
"""

STAY = r"""
Fixed in commit «3f2a9bc», please pull.
Reverted «9fceb02d0ae598e95dc970b74767f19372d61af8» on main.
We run version «2.14.3-rc.1» in production.
The header is «#ff8800» and the border «#0a0a0a».
color: «rgba(12, 44, 80, 0.4)»;
The password «must have twelve signs».
Password is «required» here.
Your password «expires in 30 days».
The token «expired after 3600 seconds».
password = «os.environ["DB_PASSWORD"]»
password = «read(prompt)»
def login(user: «str», password: «str») -> «None»:
if token is «None»: raise «ValueError»
The secret of a good stew «is time and a heavy pot».
The key to the plan «is patience».
The code is «well tested and easy to read».
Error code «404» came back, then «503».
exit code «137» means it ran out of memory.
She had the code «reviewed by two people».
Use «SHA-256» and «AES-256-GCM», never «MD5».
It needs «Python 3.11» or later and «UTF-8» files.
Signal strength «-67 dBm», channel «11».
The key points are «cost, time and risk».
secrets: «enabled»
key: «value»
token: «null»
tokens: «4096»
max_tokens=«2048», temperature=«0.7»
pin_memory=«True», num_workers=«4»
HTTP/1.1 «200 OK»
Content-Type: «application/json; charset=utf-8»
git rebase -i «HEAD~3»
«npm install --save-dev typescript»
docker run --rm -p «8080:80» nginx:«1.25-alpine»
SELECT «count(*)» FROM orders WHERE status = '«paid»'
regex = r"«^[a-z]+$»"
«x = (a + b) * 2 - c[0]»
Open the door, turn the key «twice» and wait.
The PIN «must be entered» by the customer.
«A4» paper, «B12» vitamin, «H1N1», «COVID-19».
See «ISO 27001», «RFC 7519» and «CVE-2021-44228».
The passcode «has to be renewed every year».
A bearer «of good news came to town».
image «sha256:9b74c9897bac770ffc029102a200c5de» was pulled
margin: «0» auto; color:«#336699»; z-index: «1000»
The password is «wrong». Her password was «rejected».
The status code is «404»; the area has «12» gates.
Basic «training starts on Monday».
"""


def marked(line: str) -> tuple[str, list[str]]:
    """The text without marks, and what was marked."""
    line = line.replace("\N{PILCROW SIGN}", "\n")
    return re.sub("[«»]", "", line), re.findall("«(.+?)»", line)


SECRETS = [marked(line) for line in LEAVE.strip().splitlines()]
PUBLIC = [marked(line) for line in STAY.strip().splitlines()]
