"""`python -m service.cli` is `emerald`."""

from service.cli import main

main()
