"""privstamp chat: the messages of a conversation as they may leave, turn after turn."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from privstamp.cli.options import (
    PRINCIPAL,
    Json,
    KeyFile,
    MaxSize,
    PolicyFile,
    Preset,
    StoreFile,
    choose_policy,
    store_file,
)
from privstamp.cli.output import put
from privstamp.cli.source import MAX_SIZE, read_source
from privstamp.errors import InputError, UsageError

if TYPE_CHECKING:
    from privstamp.sessions.lasting import Lasting
    from privstamp.sessions.session import Session

EXAMPLES = """
privstamp chat history.jsonl > sent.jsonl
privstamp chat history.jsonl --session case-17 > sent.jsonl
privstamp chat --session case-17 --reply answer.txt
"""


def chat(
    source: Annotated[
        str | None,
        Argument(
            metavar="[FILE]",
            help='Messages, one on a line, {"role": ..., "content": ...}; - is standard input.',
            show_default=False,
        ),
    ] = None,
    session: Annotated[
        str | None,
        Option("--session", metavar="ID", help="Go on with it, or begin it; else only this once."),
    ] = None,
    principal: Annotated[
        str, Option("--principal", metavar="NAME", help="Who is charged as well.")
    ] = PRINCIPAL,
    reply: Annotated[
        str | None,
        Option("--reply", metavar="FILE", help="Restore and remember what was received instead."),
    ] = None,
    task: Annotated[
        str | None,
        Option("--task", metavar="TEXT", help="What matters; else the last own message. Private."),
    ] = None,
    store: StoreFile = None,
    key_file: KeyFile = None,
    policy: PolicyFile = None,
    preset: Preset = None,
    max_size: MaxSize = MAX_SIZE,
    as_json: Json = False,
) -> None:
    """Rewrite a conversation so that it can leave this machine; what has left stays the same.

    With --session, surrogates hold and releases are counted through many calls.
    """
    if (source is None) == (reply is None):
        raise UsageError("give either a FILE of messages or --reply, not both")
    if reply is not None and session is None:
        raise UsageError("--reply is a reply in a session: name it with --session")
    chosen, _ = choose_policy(policy, preset)
    given = read_source(source or reply or "-", max_size=max_size)
    messages = None if reply is not None else read_lines(given)
    from privstamp.cli.line import privatizer

    line = privatizer(chosen)
    if session is None:
        _write(line.session(), messages or [], task, as_json=as_json)
        return
    from privstamp.sessions.vault import master_key

    key = master_key(key_file)
    file = store_file(store)
    with line.open_session(session, store=file, principal=principal, key=key) as conversation:
        if messages is None:
            text = conversation.restore(given)
            put(json.dumps({"private": True, "text": text}) + "\n" if as_json else text)
        else:
            _write(conversation, messages, task, as_json=as_json)


def read_lines(content: str) -> list[Any]:
    """A JSON value on each line that is not empty; what they must be is the session's to say."""
    messages = []
    for number, line in enumerate(content.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            messages.append(json.loads(line))
            continue
        except (ValueError, RecursionError):
            pass
        raise InputError(f"FILE: line {number} is not JSON: one message on each line")
    return messages


def _write(
    conversation: Session | Lasting, messages: list[Any], task: str | None, *, as_json: bool
) -> None:
    sent = conversation.privatize(messages, task=task)
    if not as_json:
        put("".join(json.dumps(message, ensure_ascii=False) + "\n" for message in sent.messages))
        return
    from privstamp.sessions.ledger import shown

    charges = getattr(sent, "charges", {})
    content = {
        "messages": sent.messages,
        "charges": {name: shown(name, amount) for name, amount in charges.items()},
        "certificate": sent.certificate.to_dict(),
    }
    put(json.dumps(content, ensure_ascii=False) + "\n")
