"""The browser of the tests: a Chromium of the system, as Debian has it. None is ever downloaded."""

import os
import shutil

import pytest

#: Set where a browser has to be there (.ci/run does): without one, tests then fail instead of being skipped.
NEEDED = "NEED_BROWSER"
_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")


def chromium() -> str:
    """Where it is. Skips the test, or fails it if a browser is needed, where there is none."""
    found = next((path for name in _NAMES if (path := shutil.which(name))), None)
    if found is not None:
        return found
    why = "there is no Chromium here (Debian: apt-get install chromium)"
    if os.environ.get(NEEDED) == "1":
        pytest.fail(f"{why}, and {NEEDED}=1 asks for one")
    pytest.skip(why)


def arguments() -> list[str]:
    """What it has to be told: run by root it refuses to start with its sandbox."""
    return ["--no-sandbox"] if os.geteuid() == 0 else []
