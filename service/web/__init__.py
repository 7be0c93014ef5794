"""The web site: pages made by the server, which work without JavaScript and are nicer with it.

``routes/`` has one module a chapter of the site; each route is a use case and a template. A page never decides what is
legal: it shows what the engine lists, and where that leads.
"""

from service.web.blueprint import register
from service.web.errors import astray, wanted

__all__ = ["astray", "register", "wanted"]
