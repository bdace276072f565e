"""Replies that an honest model writes: letters, Markdown, tables, code, mail, JSON."""

LETTER = """Dear Shauna Melton,

Thank you for your letter. As Ms Melton's adviser I wrote to Shauna's bank in K7 4QZ (see note 3/4),
e.g. on Tuesday. "Melton," they said, "is known to us"; S. Melton signed twice. Re: Melton.
Your number 853 221 0047 is on file: please write to s.melton@example.com.

Yours sincerely,
Shauna Melton
P.S. Melton - the family - moved. Costs were $500, then Melton paid $300 more, i.e. 20 % less.
"""
MARKDOWN = """# Report on Shauna Melton

## 1. Summary of *Melton* v. **Shauna**

- Shauna Melton: patient
- Name: Melton
+ Melton, again
* **Melton**: 853 221 0047
1. Melton [see](https://example.com/page) agreed.
2) Shauna, a_b, `Melton`, ~~Melton~~ and _Melton_.

> Melton said: "I live in K7 4QZ."
> -- Shauna Melton

[Melton](https://example.com) is a link with a name as its text. Sources: [1], [2] Melton.

A range: 3 < 5 and Melton > 2. Use <b>Melton</b> or Melton<br>Shauna.
- [ ] call Melton
- [x] write to Shauna (K7 4QZ)

---
Melton | Shauna
"""
TABLE = """| Name | Number | E-mail | Change |
|---|---:|---|---|
| Shauna Melton | 853 221 0047 | s.melton@example.com | -5.2 |
| Melton | K7 4QZ | s.melton@example.com | +3 |
| - | Shauna | n/a | 10% |

Name\tPlace
Melton\tK7 4QZ
Shauna\tK7 4QZ

name,number,mail
Melton,853 221 0047,s.melton@example.com
"Melton, Shauna",853 221 0047,s.melton@example.com
"""
CODE = '''Use this:

```python
def greet(name="Shauna Melton"):
    """Greets Melton."""
    patients = ["Melton", 'Shauna']
    for i in range(3):
        if i < 2 and name != "Melton":
            print(f"Hello {name}, Melton", i)
    record = {"name": "Shauna Melton", "post": "K7 4QZ", "nhs": "853 221 0047"}
    return record["name"] == "Melton"  # Melton is the owner
```

```sql
SELECT * FROM patients WHERE name = 'Melton' AND post = 'K7 4QZ';
```

```
2024-05-01 10:32:11 INFO user=Melton logged in from K7 4QZ
```

```yaml
name: Shauna Melton
post: K7 4QZ
```
'''
MAIL = """Subject: Re: Melton
From: Shauna Melton
To: s.melton@example.com

Hi Shauna,

Melton's file is attached. Melton/Shauna will call; she and/or Melton decides at 10:30.
On 3 May Shauna wrote:
> Melton is fine.
Thanks -- Melton
"""
CHINESE = "患者Melton住在K7 4QZ。Melton说:好。Shauna Melton,853 221 0047。"
TEX = """\\section{Melton}
\\textbf{Shauna Melton} has 5\\% more; \\emph{Melton} lives in K7 4QZ.
\\begin{itemize}
\\item Melton
\\end{itemize}
"""
PROSE = "\n\n".join(
    f"{lead} Shauna Melton, who lives in K7 4QZ{tail}"
    for lead, tail in [
        ("The patient is", ", is well."),
        ("It was", " (853 221 0047)."),
        ("Is it", "?"),
        ("No:", "; Melton; Shauna!"),
        ("Well...", " … and Melton—of all people—left."),
        ("“Melton,” said", ", “no.”"),
        ("We met Melton, Shauna and", " & Co."),
        ("100% of", " pays €5, Melton £3."),
    ]
)
MINUTES = """**Minutes, 4 March, 10:30-11:45** (room K7 4QZ)
Present: Shauna Melton (chair), T. Brook; apologies: Melton senior

1. Melton opened the meeting; the minutes of 4/2 were approved (see item 3.1).
2. Budget: Shauna said that fetching the post costs £40 a week, i.e. £2,080/year.
   Melton asked for a request form.
3. Website: the page https://example.com/news is out of date. Melton will post a new text by Friday.
   - Action: Shauna Melton to mail the printers; input from Melton by 3 May.
   - Action: Melton to ping IT about the curl of the carpet in K7 4QZ.
4. AOB - Shauna thanked everyone. "Send it to Melton," she said; next meeting: 12:00, K7 4QZ.

Source: Melton's notes. Command of the evening passes to Shauna.
"""
MEDICAL = """## Discharge summary

Patient: Shauna Melton | NHS no.: 853 221 0047 | Post code: K7 4QZ

**Diagnosis:** NSTEMI (I21.4). Ms Melton was admitted with chest pain (7/10), BP 150/90, SpO2 96 %.
**Drugs:** aspirin 75 mg od; atorvastatin 80 mg on; Melton refused GTN.
**Plan:**
1) Echo in 6/52, result -> GP; copy to s.melton@example.com
2) Melton: no driving for 4 weeks (<= 28 days). EF > 40 %, troponin 12 -> 310 ng/L.
3) If pain returns, call 999; Shauna's daughter (Melton, aged 31) has been told.

Dictated, not signed: p.p. Shauna Melton
"""
REVIEW = """The change looks good, Shauna. Two remarks about `load_patient`:

```diff
-    return find("Melton")
+    return find(name="Shauna Melton", post="K7 4QZ")
```

1. `find("Melton")` raises `KeyError` when the map is empty; Melton's test does not cover it.

```python
import json
from pathlib import Path

class Patient:
    name: str = "Shauna Melton"

    def save(self, path: Path) -> None:
        rows = [{"name": "Melton", "nhs": "853 221 0047"}]
        path.write_text(json.dumps(rows))  # Melton asked for this
        assert rows[0]["name"] == "Melton", f"not Melton: {rows}"

def test_name():
    assert Patient().name.split()[-1] == "Melton"
```

```javascript
const names = ["Melton", 'Shauna'].map((n) => `${n}!`);
console.log(names[0] === "Melton" ? "Shauna Melton" : null);
```

```bash
cd data && grep -r "Melton" . | sort | uniq -c   # counts Melton
echo "Shauna Melton" > name.txt
```

Nit: rename `melton_id`. Otherwise approved, thanks Melton!
"""
PLAN = """### Options for Shauna

| Option | Who | Cost | Notes |
|:--|:--|--:|:--|
| A | Melton | $1,200 | Melton keeps K7 4QZ; see [offer](https://example.com/a) |
| B | Shauna Melton | $950 + VAT | "best for Melton" -- broker |
| C | n/a | - | Melton & Shauna decide later |

Total: $2,150 (Melton pays $1,000, Shauna $1,150).

Q: Who signs?
A: Melton. Her form is at reception, her request for a loan at the bank; the address is K7 4QZ.

Key: value pairs below.
Name: Shauna Melton
E-mail: s.melton@example.com
Reference = Melton/2024/17
"""
RECORDS = """{"minutes": [{"who": "Shauna Melton", "said": "Melton will post it; see https://example.com/a"},
  {"who": "Melton", "said": "Fetch the form from K7 4QZ, i.e. \\"today\\""}],
 "summary": "Melton: 853 221 0047.\\n\\n- Shauna agreed\\n- Melton did not",
 "title": "Offer to Melton",
 "address": "K7 4QZ", "mail": "s.melton@example.com", "tags": ["Melton", "a"]}"""
ADVICE = """Hello Shauna,

Of course! Here is a draft that you can send to Melton:

---

Subject: Your request of 3 May

Dear Mr Melton,

I refer to our call (10:15) about K7 4QZ. You asked: "Can I get the form by e-mail?" Yes - write to
s.melton@example.com, or telephone Shauna Melton on weekdays 9-5. Terms & conditions
apply; see section 4.2(b).

* rent: 1/2 in advance, 1/2 on 1/6/2024
* deposit = 5 weeks, held by Melton
* keys: collect from Shauna, who'll be at K7 4QZ @ noon

Best wishes
Shauna

---

Would you like it shorter, Shauna? I could also (1) drop the list, (2) add Melton's number
853 221 0047, or (3) translate it: "Sehr geehrter Herr Melton, ...".
"""
ASIDES = """Shauna, the request failed since the function `load` got no arguments. Melton should:

- open the file (Melton's copy) and check the parameters
- mail Melton, host a call, and post a message to Shauna
- fetch (or ask Melton to fetch) the form; the system (Melton's) will eval (judge) it
- curl up with a book, Shauna; ping Melton otherwise

```python
def mail(self, text: str) -> str:
    return f"{self.owner}: {text} (Melton)"
```

According to Melton ("https://example.com/a"), rent rose.
Votre dossier «\u00a0Melton\u00a0» est prêt.
"""
FURTHER = {
    "asides": ASIDES,
    "minutes": MINUTES, "medical": MEDICAL, "review": REVIEW, "plan": PLAN, "advice": ADVICE,
}  # fmt: skip
TEXTS = {
    "letter": LETTER, "markdown": MARKDOWN, "table": TABLE, "code": CODE, "mail": MAIL,
    "chinese": CHINESE, "latex": TEX, "prose": PROSE,
    **FURTHER,
}  # fmt: skip
JSON = """{"patient": {"name": "Shauna Melton", "post": "K7 4QZ"},
 "notes": ["Melton \\"called\\"", "s.melton@example.com", "Zo\\u00eb met Melton.\\nShauna left."],
 "count": 3, "ids": ["853 221 0047", "Melton"], "ok": true}"""
