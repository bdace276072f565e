"""Experiments: what a policy costs a task and what it leaves to an observer."""
