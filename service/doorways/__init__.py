"""How mail comes in: each doorway takes a raw mail and hands it to ``service.usecases.inbound.receive`` to be kept.

A doorway tells its mail server that a mail was taken only after the commit. Whatever goes wrong before leaves the mail
where it is, so that it comes again; a mail that comes twice is kept once.
"""
