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
TEXTS = {
    "letter": LETTER, "markdown": MARKDOWN, "table": TABLE, "code": CODE, "mail": MAIL,
    "chinese": CHINESE, "latex": TEX, "prose": PROSE,
}  # fmt: skip
JSON = """{"patient": {"name": "Shauna Melton", "post": "K7 4QZ"},
 "notes": ["Melton \\"called\\"", "s.melton@example.com", "Zo\\u00eb met Melton.\\nShauna left."],
 "count": 3, "ids": ["853 221 0047", "Melton"], "ok": true}"""
