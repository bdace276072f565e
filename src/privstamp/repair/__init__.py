"""Coherence repair: a model smooths what was released, and its proposals are checked here."""
