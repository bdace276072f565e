"""How a unit is randomised: one family per file, its proof beside it."""
