"""The commands that people write: one table, and what reads it.

>>> from service.commands import read_line
>>> read_line("T1 m3 gem.")
Play(line='T1 m3 gem')
>>> read_line("histroy 12").suggestion
'history 12'
>>> read_line("Thanks, see you on Friday!")

Pure: no settings, no database, no game. Whether a move is legal is for the engine to say.
"""

from service.commands.help import help_lines, reference_markdown, short_help
from service.commands.reading import read_line
from service.commands.table import ENTRIES, Entry

__all__ = ["ENTRIES", "Entry", "help_lines", "read_line", "reference_markdown", "short_help"]
