"""How the laboratory shows what it found: one table writer, one page, one style of pictures."""
