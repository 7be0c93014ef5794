"""The routes, a module a chapter; each has ``register(web)``."""

from service.web.routes import account, game, help, home, lobby, replay, rules, sign_in, table

CHAPTERS = (home, sign_in, lobby, account, game, table, replay, rules, help)
