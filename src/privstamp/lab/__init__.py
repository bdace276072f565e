"""The laboratory: what privacy costs and what an attacker gets, measured."""
