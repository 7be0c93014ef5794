"""The rules, one sentence each, in our own words: what refusals, help and docs quote by id."""

from typing import Final

RULES: Final[dict[str, str]] = {
    "R-SET-1": (
        "The board runs from four towers and a hall over six meadow and nine cave spaces to the "
        "chamber; the nest lies beside it."
    ),
    "R-SET-2": (
        "Seats get black, orange, green, purple and yellow in that order; with two players each seat has two colours."
    ),
    "R-SET-3": (
        "Every starting space in use holds one knight of each colour in play; the hall is used "
        "with three or four players only."
    ),
    "R-SET-4": (
        "Five cards lie beside each cave space, gold and gems in piles of their own with only the "
        "top card open; two of either kind are out of the game unseen."
    ),
    "R-SET-5": (
        "Four treasures worth 5 each wait in the chamber; the dragon starts on c4, facing the "
        "castle, beside its rail along c1 to c4."
    ),
    "R-SET-6": ("The seat that begins is drawn or set by the game's creator, and turns go round in seat order."),
    "R-MOVE-1": "In a turn a seat moves one of its knights and then, if it likes, a second one, or stops.",
    "R-MOVE-2": ("No knight moves twice in one turn, even where others of its colour stand beside it."),
    "R-MOVE-3": ("Count the knights of all colours where a knight starts, itself too: so many steps it goes, exactly."),
    "R-MOVE-4": "Every step leads toward the chamber, and a space holds any number of knights.",
    "R-MOVE-5": "From c9 the chamber is one step away, and steps left over on entering it are lost.",
    "R-MOVE-6": (
        "With two players both knights of a turn are of one colour, even if the dragon has the first by then."
    ),
    "R-MOVE-7": "Where no second knight can move, the turn ends by itself.",
    "R-CARD-1": (
        "A knight that ends on a cave space with cards takes one of the open ones; of two kinds "
        "its seat chooses, and the card beneath is turned up."
    ),
    "R-CARD-2": "With a card taken no second knight moves; the dragon may still wake.",
    "R-CARD-3": ("Gold goes into a hidden hand and gems lie open; everybody may know how many cards anyone has."),
    "R-CARD-4": "The first seat to lay all four kinds of gem gets that bonus card and keeps it.",
    "R-DRAG-1": (
        "A knight whose move ends next to the rail or where the dragon sits wakes it once, once its card is taken."
    ),
    "R-DRAG-2": ("The seat that woke the dragon throws 1, 2 or 3, and the dragon goes that far, head first."),
    "R-DRAG-3": ("At the end of its rail the dragon turns at once and walks on with what is left of the throw."),
    "R-DRAG-4": (
        "The dragon catches only where it ends: one knight, and among several colours the seat that moved it chooses."
    ),
    "R-DRAG-5": ("Of several knights of the caught colour there, one that has moved this turn is the one caught."),
    "R-DRAG-6": (
        "The owner of a caught knight bribes the dragon with a gold card from the hand and keeps it, or surrenders it "
        "to the nest."
    ),
    "R-DRAG-7": ("Which gold the dragon was given stays between it and the giver until the game is over."),
    "R-DRAG-8": ("After every flight and what it brought the rail moves up one space, as far as c6 to c9."),
    "R-DRAG-9": (
        "A dragon left one space behind its rail waits there facing the chamber, and does not "
        "turn when it walks back in."
    ),
    "R-DRAG-10": "A dragon that the shifted rail leaves on its last space ahead turns at once.",
    "R-DRAG-11": ("The turn goes on after the dragon: without a card a second knight may move, and may wake it anew."),
    "R-DRAG-12": ("A knight bought back may still be the second to move, if it has not moved this turn."),
    "R-END-1": ("Reaching the chamber, a knight leaves the game and brings its seat a treasure; the turn is over."),
    "R-END-2": ("The game ends at once with the last treasure, or when some seat has a single knight left."),
    "R-END-3": ("Each gem's bonus card goes to the seat that alone has the most of that gem, or to nobody."),
    "R-END-4": (
        "In the score gold counts its value, a treasure 5, a gem 1, a bonus card 4; ties go to more treasures, "
        "then more gems, and else the win is shared."
    ),
}
