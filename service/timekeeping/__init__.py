"""How long somebody has, and what happens when: hours that stand still, and the ladder of a turn. Pure: instants in,
instants out; no database, no game, and nobody asks what time it is.
"""
