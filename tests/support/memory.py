"""A place for what tests write that nobody reads afterwards: in memory, where there is room."""

import os
import shutil
from pathlib import Path

#: Bytes that have to be free. A PostgreSQL takes some hundred million, and a few run at once.
ROOM = 4 * 10**9


def in_memory() -> Path | None:
    """A folder whose files are kept in memory; None where there is none, or too little room in it."""
    folder = Path("/dev/shm")
    roomy = folder.is_dir() and os.access(folder, os.W_OK) and shutil.disk_usage(folder).free > ROOM
    return folder if roomy else None
