"""Rewrite text before it leaves your machine, with a stated privacy budget for every word."""
