"""One module a resource: each view is its contract and three lines."""

from service.api.resources import (
    addresses,
    boards,
    commands,
    games,
    log,
    mail,
    me,
    mine,
    moves,
    orders,
    records,
    rules,
    seats,
    sign_in,
    time_off,
    waiting,
)

BLUEPRINTS = (
    sign_in.blueprint,
    me.blueprint,
    addresses.blueprint,
    mail.blueprint,
    time_off.blueprint,
    mine.blueprint,
    games.blueprint,
    seats.blueprint,
    moves.blueprint,
    orders.blueprint,
    waiting.blueprint,
    log.blueprint,
    boards.blueprint,
    records.blueprint,
    rules.blueprint,
    commands.blueprint,
)
