"""Conversations: releases that know what was released before. docs/concepts/sessions.md"""

from privstamp.sessions.session import Sent, Session

__all__ = ["Sent", "Session"]
