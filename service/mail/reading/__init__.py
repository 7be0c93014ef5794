"""Reading the mails that people, and their machines, send us. Pure.

>>> from service.mail.reading import read
>>> letter = read(b"From: Robin <robin@example.org>\\r\\n\\r\\nt1 m3 gem\\r\\n\\r\\nThanks!\\r\\n")
>>> letter.kind, letter.lines, letter.said
('command', ('t1 m3 gem',), ('t1 m3 gem', 'Thanks!'))
"""

from service.mail.reading.authentication import authenticated
from service.mail.reading.letter import Kind, Letter, Report
from service.mail.reading.reading import read

__all__ = ["Kind", "Letter", "Report", "authenticated", "read"]
