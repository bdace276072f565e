"""The typer application: all commands in one table."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import indent
from typing import Annotated, Any

import typer

from privstamp.cli import (
    assets,
    audit,
    batch,
    bench,
    calibrate,
    certificate,
    chat,
    demo,
    evals,
    evals_report,
    explain,
    frontier,
    group,
    list_parts,
    policy,
    privatize,
    restore,
    serve,
    session,
)
from privstamp.cli.output import closed

SETTINGS = {"help_option_names": ["-h", "--help"]}
EXAMPLES = "\b\nExamples:"
"""What follows is not wrapped."""

app = typer.Typer(
    no_args_is_help=True,
    context_settings=SETTINGS,
    pretty_exceptions_enable=False,  # they print locals, and locals hold the input
    rich_markup_mode=None,  # plain help: quick, and nothing in it is read as markup
    epilog="Begin with: privstamp demo",
)


def _group(about: str, **settings: Any) -> typer.Typer:
    """Commands that belong together; without one, their list."""
    return typer.Typer(no_args_is_help=True, help=about, epilog=EXAMPLES, **settings)


batch_app = _group("Whole tables, by row, resumable, certified.", cls=batch.Group)
assets_app = _group("Model files: pinned, verified, cached.")
evals_app = _group("What privacy costs a task, measured.")
certificate_app = _group("Certificates signed, with the text that they belong to.")
session_app = _group("Conversations that last: what they have spent, limits, their end.")
serve_app = typer.Typer(help="A gateway between clients and a model elsewhere.")
key_app = _group("Keys by which others may use the gateway.")
policy_app = _group("The file that describes a configuration.")


def _version(wanted: bool) -> None:
    if wanted:
        from privstamp import __version__

        typer.echo(f"privstamp {__version__}")
        raise typer.Exit


@app.callback()
def root(
    _: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Rewrite text before it leaves this machine, with a stated privacy budget for every word."""


def _add(group: typer.Typer, name: str, command: Callable[..., None], examples: str) -> None:
    """Register a command. A group's own help has the first example of each of its commands."""
    group.command(name, epilog=EXAMPLES + indent(examples, "  "))(closed(command))
    shown = str(group.info.epilog)
    if shown.startswith(EXAMPLES):
        group.info.epilog = f"{shown}\n  {examples.strip().splitlines()[0]}"


_add(app, "demo", demo.demo, demo.EXAMPLES)
_add(app, "privatize", privatize.privatize, privatize.EXAMPLES)
_add(app, "restore", restore.restore, restore.EXAMPLES)
_add(app, "chat", chat.chat, chat.EXAMPLES)
_add(app, "explain", explain.explain, explain.EXAMPLES)
_add(app, "audit", audit.audit, audit.EXAMPLES)
_add(app, "calibrate", calibrate.calibrate, calibrate.EXAMPLES)
_add(app, "group", group.group, group.EXAMPLES)
_add(app, "bench", bench.bench, bench.EXAMPLES)
_add(app, "frontier", frontier.frontier, frontier.EXAMPLES)
_add(app, "list", list_parts.list_parts, list_parts.EXAMPLES)
_add(batch_app, "run", batch.run, batch.RUN_EXAMPLES)
_add(batch_app, "init", batch.init, batch.INIT_EXAMPLES)
_add(batch_app, "status", batch.status, batch.STATUS_EXAMPLES)
_add(batch_app, "verify", batch.verify, batch.VERIFY_EXAMPLES)
_add(assets_app, "list", assets.list_assets, assets.LIST_EXAMPLES)
_add(assets_app, "pull", assets.pull, assets.PULL_EXAMPLES)
_add(assets_app, "pack", assets.pack, assets.PACK_EXAMPLES)
_add(assets_app, "verify", assets.verify, assets.VERIFY_EXAMPLES)
_add(evals_app, "list", evals.list_evals, evals.LIST_EXAMPLES)
_add(evals_app, "run", evals.run_evals, evals.RUN_EXAMPLES)
_add(evals_app, "report", evals_report.report, evals_report.REPORT_EXAMPLES)
_add(evals_app, "make-fantasy", evals_report.make_fantasy, evals_report.MAKE_EXAMPLES)
_add(certificate_app, "key", certificate.key, certificate.KEY_EXAMPLES)
_add(certificate_app, "sign", certificate.sign, certificate.SIGN_EXAMPLES)
_add(certificate_app, "verify", certificate.verify, certificate.VERIFY_EXAMPLES)
_add(session_app, "list", session.list_sessions, session.LIST_EXAMPLES)
_add(session_app, "show", session.show, session.SHOW_EXAMPLES)
_add(session_app, "limit", session.limit, session.LIMIT_EXAMPLES)
_add(session_app, "forget", session.forget, session.FORGET_EXAMPLES)
_add(session_app, "purge", session.purge, session.PURGE_EXAMPLES)
_add(session_app, "export", session.export, session.EXPORT_EXAMPLES)
_add(session_app, "rotate", session.rotate, session.ROTATE_EXAMPLES)
serve_app.callback(invoke_without_command=True, epilog=EXAMPLES + indent(serve.EXAMPLES, "  "))(
    closed(serve.serve)
)
_add(serve_app, "check", serve.check, serve.CHECK_EXAMPLES)
_add(key_app, "add", serve.add_key, serve.KEY_ADD_EXAMPLES)
_add(key_app, "list", serve.list_keys, serve.KEY_LIST_EXAMPLES)
_add(key_app, "revoke", serve.revoke_key, serve.KEY_REVOKE_EXAMPLES)
_add(policy_app, "init", policy.init, policy.INIT_EXAMPLES)
_add(policy_app, "show", policy.show, policy.SHOW_EXAMPLES)
_add(policy_app, "check", policy.check, policy.CHECK_EXAMPLES)
_add(policy_app, "trust", policy.trust, policy.TRUST_EXAMPLES)
_add(policy_app, "diff", policy.diff, policy.EXAMPLES)
app.add_typer(batch_app, name="batch")
app.add_typer(evals_app, name="evals")
app.add_typer(policy_app, name="policy")
app.add_typer(session_app, name="session")
serve_app.add_typer(key_app, name="key")
app.add_typer(serve_app, name="serve")
app.add_typer(certificate_app, name="certificate")
app.add_typer(assets_app, name="assets")
