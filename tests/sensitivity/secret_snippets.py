"""Invented texts: «secrets» that must go whole, and «things that look like them» that must stay."""

from __future__ import annotations

import re

LEAVE = r"""
Cookie: session=«9f8e7d6c»; theme=dark
Set-Cookie: app_sid=«k3yv4lue77»; Path=/; HttpOnly
Authorization: Bearer «abc.def-ghi_jkl»
Seed: «abandon ability able about above absent absorb abstract absurd abuse access accident»
STRIPE_KEY='«rk_live_abc DEF 123»'
The job reads MAIL_TOKEN = "«blue 77 harbour gate»" from its environment.
{"stripe_key": "«abcd 1234 efgh 5678»", "status": "late"}
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
Cookie: theme=«dark»; lang=«en»
The cookie: «chewy», with nuts.
{"sort_key": "«created_at»", "status": "late"}
SORT_KEY = "«created at»"
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

TOLD = r"""
The password is «correct horse battery staple» and it never changes.
the password is «correct horse battery staple»
My passphrase: «blue tractor»
passphrase is «seven tired otters»
The code for the gate is «4410».
The code for the front gate is «4410», press hash after it.
The code to the bike shed is «5512».
Gate code «7*4410#», then push.
The gate's code is «C2914».
PIN «8841» works for the card.
Your PIN is «7 3 0 2».
Her card's pin is «7302» and she keeps it in the purse.
The alarm code's «2288», disarm within a minute.
Recovery codes: «8f2k-11qz», «p0s4-77rt» and «m3n8-54wy».
Backup codes: «1188 4021», «9920 1134».
Security question: mother's maiden name. Answer: «Okonjo».
Mother's maiden name: «Delacroix»
Mother's maiden name is «Delacroix», first pet «Biscuit».
First pet's name: «Biscuit»
What was your first school? «Larkfield»
Authorization: Bearer «mF_9.B5f-4.1JqM»
Cookie: sid=«s%3A8dk2LqpW.91ab»; theme=dark
Set-Cookie: auth=«Zm9vYmFyOjEyMzQ1»; Path=/; Secure
export STRIPE_TOKEN=«rk_zebra_lamp_9917»
export GITHUB_TOKEN="«plainwordtoken»"
set SMTP_PASSWORD=«winterjacket»
MAIL_PASSWORD=«orchard»
jdbc:postgresql://db.example.com/app?user=svc&password=«tulip99»
postgresql://svc:«tulip»@db.example.com/app
ftp://anna:«moonlight»@files.example.com/in
https://user:«letmein»@git.example.com/repo.git
Server=tcp:db.example.com;Initial Catalog=x;User ID=svc;Password=«walnut tree»;Encrypt=True;
AccountKey=«k8Zt0lqPz3vWnR1yXcB6==»;EndpointSuffix=example.com
database:¶  user: svc¶  password: «sunflower»¶  port: 5432
wifi:¶  ssid: Cottage¶  psk: «open the door»
Wi-Fi: CottageGuest / «lighthouse44»
The WiFi password is «lighthouse», all lower case.
Wifi password «lighthouse44»
network Cottage, key «green-bottle-9»
Your one-time code is «449 120». Do not share it.
«449120» is your verification code.
G-«449120» is your login code.
Use «8841» to verify your phone.
Your sign-in code: «339102»
Enter «552 901» when asked.
OTP «90213» valid for 5 minutes
Hi, the lockbox combination is «4-19-33».
Combination «12-30-8», twice to the left first.
Locker combo: «18 24 6»
The safe's combination is «44 right, 12 left, 30 right».
To get in, type «1290» on the keypad and then press the bell.
door code «4471A»
Door is on code «3350» now.
the code on the back door has changed to «9917»
We changed the alarm code from «1122» to «8830».
The password was changed from «sunflower» to «marigold».
I changed my password to «oldtimer77».
set the password to «kingfisher»
Log in as admin with password «kingfisher».
login: admin password: «kingfisher»
user: kiosk, pass: «kingfisher»
un: kiosk pw: «kingfisher»
kiosk/«Kingf1sher» should work
credentials are kiosk / «kingfisher»
admin:«changeme» on the router
The password for the shared drive is «kingfisher».
the password for the laptop in room 4 is «kingfisher»
Password of the projector: «kingfisher»
password hint: the dog; password: «biscuit»
pwd «Kf-2291»
«hunter22» is the password for the shared drive.
"«kingfisher»" is the new password.
The magic word is «abracadabra».
Safe word: «pineapple».
secret word "«pineapple»"
The answer to the security question is «Biscuit».
Security answer: «Biscuit the cat»
Telephone banking password: «larkspur»
voicemail passcode is «0 0 9 3»
My bank PIN? It's «4471».
what's the pin? - «4471»
Q: What is the alarm code? A: «5519»
[10:02] ana: whats the door code¶[10:03] ben: «4471#»
ana: what's the wifi password?¶ben: «greenbottle»
license key «AB12C-DE34F-GH56I»
Activation key: «7HJK-22PL-90QX»
api key is «plainwords»
secret: «plainwords»
"secret": "«plainwords»"
"api_key": "«my key with blanks»"
token: «abcdef»
<secret>«plainwords»</secret>
<wifi pass="«plainwords»"/>
{"pin": "«4471»"}
{"pin": «4471»}
{"otp": «339102», "ttl": 60}
{"doorCode": "«4471»"}
DOOR_CODE=«4471»
pin=«4471»
--password «kingfisher» --verbose
--password=«kingfisher»
--token «abcdef123»
-u admin -p «kingfisher»
mysql -uroot -p«kingfisher» shop
net use z: \\srv\share /user:svc «Kingfisher9»
echo «kingfisher9» | sudo -S apt update
sudo password is «kingfisher»
unzip -P «kingfisher9» a.zip
identified by '«kingfisher»'
CREATE USER app IDENTIFIED BY '«kingfisher»';
PASSWORD «'kingfisher'»
api.login("svc", "«K1ngfisher!»")
connect(user="svc", passwd="«kingfisher»")
PASSWORD = «'kingfisher'»  # TODO remove
const SECRET = "«the quick fox»";
String password = "«kingfisher»";
$password = '«kingfisher»';
password := "«kingfisher»"
let token = `«kingfisher9x»`;
:password => "«kingfisher»"
spring.datasource.password=«kingfisher»
machine example.com login svc password «kingfisher»
wpa_passphrase="«kingfisher lane»"
-----BEGIN EC PRIVATE KEY-----¶«MHcCAQEEIAx»¶«9qLoAoGCCqGSM49»¶-----END EC PRIVATE KEY-----
jwt «eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMiJ9.abcDEF123_-x»
x-auth: «5f2b9c7e11»
X-Amz-Signature=«9f8e7d6c5b4a3928aa»
?sig=«8Dk2LqpW%2B91ab%3D»&se=2026
CVV «331», expires next year
cvc: «331»
The three digits on the back are «331».
Seed: «lamp river canyon orbit velvet maple stone crowd picnic ahead wagon tooth»
Our mnemonic is «lamp river canyon orbit velvet maple stone crowd picnic ahead wagon tooth».
The password, «kingfisher», is on the note.
The password (it is «kingfisher») is on the note.
The password we agreed on is «kingfisher».
The password you need is «kingfisher42».
The old password was «kingfisher», the new one is «sandpiper».
Passwords: «kingfisher», «sandpiper».
Password should be «kingfisher».
password would be «kingfisher» I think
the password remains «kingfisher»
the pw still is «kingfisher»
Guest password today: «kingfisher».
Her iPad unlocks with «2580».
phone unlock «2580»
sim pin «2580», puk «88120034»
PUK: «88120034»
DSN = "host=db user=svc password=«kN7,fish=R2d» sslmode=on"
Server=db1;Uid=sa;Pwd=«a,B=7x&y»;Port=1
password=«abc9def»,user=bob
the password for him should be now «Trk!99/ab»
the wifi code there is «Miele&Noci/31» says the owner
api_user, api_pass = "svc_report", "«kN7,fish=R2d»"
import os¶¶api_user, api_pass = "svc_report", "«kN7,fish=R2d»"¶print(api_user)
(host, pwd) = ('db1', '«plainwords»')
"""
"""Secrets that only words tell: ordinary words, codes of a door, answers, arguments."""

SAID_OF = r"""
The password is required.
The password is too short.
How many tokens were issued?
The token was revoked!
The password was reset.
The password was reset yesterday by the help desk.
The password is not shown.
The password must be changed every ninety days.
The password has expired, please renew it.
The password is the same as before.
The password is in the safe.
The password is on the note under the keyboard.
The password is case sensitive.
The password is eight characters long.
The password is stored as a hash.
The password is known to three people.
The password is hard to guess.
The password is your responsibility.
The password is good for one hour.
My password is not working.
My password is still not working on the portal.
Password: required
password: string
Password reset failed twice today.
Password policy is strict: twelve signs at least.
The password field is empty.
Forgot password? Click here.
Error code 404 came back.
The error code is 500.
Exit code was 1, return code 0.
The dress code is formal.
Dress code: smart casual
The dress code for the dinner is black tie.
Postal code is required for delivery.
Source code is here.
The source code is on the server.
The code is well documented.
The code is easy to read and has good tests.
The code is in three files.
The code for the parser is in two files.
The code for the tests is long.
The code of conduct is strict.
The building code is old.
Zip code lookup fails.
The country code is 49.
The area code is 212.
The status code for a missing page is 404.
The code for a missing page is 404.
Code coverage is 87 percent.
The code runs in 40 seconds.
The QR code is on the ticket.
The bar code is damaged.
Use code in the second cell.
The key is simple: start early.
The key to success is patience.
The key finding was a lower rate.
The secret is time and a heavy pot.
The secret to good bread is patience.
It is no secret that rents rise.
Secret: add a pinch of salt.
The token is invalid.
The token is missing or has expired.
The token for the washing machine is at the desk.
The answer is simple.
The answer to the question is no.
Answer: yes
The answer is 42.
The combination of heat and rain is bad for the crop.
A combination of 20 mg and 40 mg was given.
The pin is loose in the hinge.
Pin the note to the board.
The pin on the map is wrong.
The alarm was set for 6:30.
The alarm code must be changed.
The gate code has been changed.
The door code is new.
The safe word was agreed in advance.
Enter the building by the side door.
Enter your age and weight.
Enter 0 to skip this step.
Use 2 cups of flour.
Use 4410 steps as the target.
The login page is slow.
Login: failed after 3 attempts
The credentials are wrong.
Credentials are checked on the server.
The session is closed.
session: closed
pass: yes
Pass rate: 97%
pass=True
The pass was icy.
A season pass is cheaper.
Passing the test is needed.
The bearer of this letter is a friend.
Basic training starts soon.
token_count: 512
max_tokens: 4096
tokenizer: fast
"token": null
"password": ""
password=
password: ********
password: <your password>
PASSWORD=${DB_PASSWORD}
password: {{ vault_password }}
password = request.form["password"]
def check(password: str) -> bool:
if password == confirm:
if (password !== other) return false
raise ValueError("password too short")
return "token missing"
print("wrong password")
label = "Password"
placeholder="Enter your password"
name="password" type="password"
<input type="password" name="pin">
<label for="pin">Pin</label>
SELECT password FROM users
ALTER TABLE users ADD COLUMN password varchar
Changed password for the account.
The maiden voyage was short.
Her maiden name is not known.
My first pet was a cat.
Your verification code will arrive by text.
Your code is on its way.
We sent a code to your phone.
The code expires in 10 minutes.
The discount code is not valid.
Code review is done.
code: 404
"code": 404
"code": "not_found"
{"status": "ok", "code": 0}
"key": "value"
key=value
Two-factor login is on.
The password manager is slow.
I forgot my password again.
Passwords are stored in the vault.
Passwords: never share them.
The passphrase should be long.
Wifi is down since noon.
The wifi password is on the wall.
The wifi password is written on the board.
Please send me the wifi password.
What is the wifi password?
The answer to the security question is wrong.
The security question was about a pet.
Security: high
The PIN pad is broken.
The PIN is four digits long.
The recovery code is lost.
Recovery is slow.
The lock is stuck.
The locker is empty.
password must be 8-64 characters & contain 1 digit
The password needs 1 upper-case letter, 2 digits and a sign.
a, b = "first", "second"
"""
"""What is said of a secret, or of another thing with the same word: whole lines stay."""


def marked(line: str) -> tuple[str, list[str]]:
    """The text without marks, and what was marked."""
    line = line.replace("\N{PILCROW SIGN}", "\n")
    return re.sub("[«»]", "", line), re.findall("«(.+?)»", line)


SECRETS = [marked(line) for line in (LEAVE.strip() + TOLD.rstrip()).splitlines()]
PUBLIC = [marked(line) for line in STAY.strip().splitlines()]
PUBLIC += [(line, [line]) for line in SAID_OF.strip().splitlines()]
