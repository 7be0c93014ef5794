"""The `emerald` command: the one place that joins engine, service and workers.

Each command is a module of its own, loaded only when it is used, so that a terminal game needs no database
and `emerald --help` needs nothing at all.
"""

from __future__ import annotations

import os
import sys
import traceback
from importlib import import_module
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from flask import Flask

# The command, where it lives ("module:function"), and what it is for.
COMMANDS: Final = {
    "serve": ("serve:serve", "Serve API, workers and scheduler from one process."),
    "demo": ("demo:demo", "Play whole games against a running server, every mail shown."),
    "play": ("play:play", "Play a game against bots, here in the terminal."),
    "replay": ("records:replay", "Replay records step by step."),
    "verify": ("records:verify", "Check records whole: every step, cards and dice."),
    "selfplay": ("selfplay:selfplay", "Let bots play whole games and write their records."),
    "simulate-pace": ("simulate_pace:simulate_pace", "How long games by mail take, with and without orders."),
    "bot": ("bot:bot", "What there is to know about the house bots."),
    "inbound": ("inbound:inbound", "Take in the mail of players: listen, fetch, or be piped."),
    "migrate": ("operate:migrate", "Bring the database to the newest schema."),
    "mail-read": ("mail_read:mail_read", "Read mails as the service reads them: kind and command lines."),
    "outbox": ("operate:outbox_rows", "Show what is still to be done, and what was given up."),
    "openapi": ("operate:openapi", "Write the API's OpenAPI document."),
}


class _Commands(click.Group):
    """The commands of the table above, imported when asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order of the table: what a newcomer wants comes first."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name, or None."""
        if cmd_name not in COMMANDS:
            return None
        module, function = COMMANDS[cmd_name][0].split(":")
        command: click.Command = getattr(import_module(f"service.cli.{module}"), function)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """From the table, so that `emerald --help` loads nothing."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, what) for name, (_, what) in COMMANDS.items()])


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="emerald", message="%(package)s %(version)s")
@click.option("--traceback", "show_traceback", is_flag=True, help="Show where in the code an unexpected error arose.")
def group(show_traceback: bool) -> None:
    """Emerald: a board game as a service, and everything to play, check and run it."""


def wsgi() -> Flask:
    """The web application for a server in production: ``gunicorn 'service.cli:wsgi()'``."""
    from service.cli.web import web_app

    return web_app()


def main() -> None:
    """Run the command line. Whatever goes wrong is one line on stderr and exit status 1, never a traceback."""
    try:
        group(prog_name="emerald", standalone_mode=False)
    except click.UsageError as error:
        error.show()
        sys.exit(2)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)
    except BrokenPipeError:
        # Whoever read our output has seen enough (`| head`); say nothing more, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except Exception as error:  # noqa: BLE001 - the last line of defence of a program for people
        if "--traceback" in sys.argv:
            traceback.print_exc()
        said = " ".join(f"{error}".split())[:300]
        if not isinstance(error, _meant_for_people()):
            said = f"{type(error).__name__}: {said} (emerald --traceback ... shows where)"
        click.echo(f"Error: {said}", err=True)
        sys.exit(1)


def _meant_for_people() -> tuple[type[Exception], ...]:
    """The errors whose words say what is wrong; imported only when something is."""
    from engine import EngineError
    from service.config import ConfigError
    from service.errors import Refusal

    return EngineError, ConfigError, Refusal
