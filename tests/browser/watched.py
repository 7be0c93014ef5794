"""Pages that are watched: whatever goes wrong in a browser without anybody noticing fails the test."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, Response

PHONE: Final = {"width": 390, "height": 844}
DESK: Final = {"width": 1280, "height": 800}
#: What axe-core looks for: WCAG 2.1, levels A and AA, and what it holds to be good practice.
RULES: Final = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]

#: What the page itself saw: breaches of its policy, and by how much its parts moved while it was loaded.
_EYES: Final = """
addEventListener("securitypolicyviolation", (event) => {
  console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`);
});
window.shifted = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""
_PAINTED: Final = """
new Promise((painted) => {
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => painted(window.shifted))));
})
"""


class Watched:
    """A browser of one person, with all of its pages watched. ``faults``: what went wrong, in words."""

    def __init__(self, browser: Browser, url: str, **options: Any) -> None:
        self.url = url
        self.faults: list[str] = []
        #: Statuses from 400 that are expected, as those of pages that say what is wrong.
        self.expected: set[int] = set()
        options = {"viewport": DESK, "locale": "en-GB", "reduced_motion": "reduce", **options}
        self.context: BrowserContext = browser.new_context(base_url=url, **options)
        self.context.set_default_timeout(30_000)
        self.context.add_init_script(_EYES)
        self.context.on("page", self._watch)
        self.page: Page = self.context.new_page()

    def _watch(self, page: Page) -> None:
        page.on("console", self._console)
        page.on("pageerror", lambda error: self._fault(f"script: {error}"))
        page.on("request", self._request)
        page.on("requestfailed", self._failed)
        page.on("response", self._response)

    def _fault(self, words: str) -> None:
        self.faults.append(f"{self.page.url if hasattr(self, 'page') else ''}: {words}")

    def _console(self, said: ConsoleMessage) -> None:
        loading = said.text.startswith("Failed to load resource")  # told with its address by _response
        if said.type in ("error", "warning") and not loading:
            self._fault(f"console: {said.text}")

    def _request(self, request: Request) -> None:
        if not request.url.startswith(f"{self.url}/"):
            self._fault(f"asks another host: {request.url}")

    def _failed(self, request: Request) -> None:
        # A page that is left takes its questions back.
        if request.failure != "net::ERR_ABORTED":
            self._fault(f"failed: {request.url} {request.failure}")

    def _response(self, response: Response) -> None:
        if response.status >= 400 and response.status not in self.expected:
            self._fault(f"{response.status} {response.url}")

    def open(self, path: str, status: int = 200) -> Page:
        """Open a page of the site, which answers with this status."""
        with self.expecting(status):
            answer = self.page.goto(path)
        assert answer is not None
        assert answer.status == status, f"{path}: {answer.status}"
        return self.page

    @contextmanager
    def expecting(self, *statuses: int) -> Iterator[None]:
        """For a while these statuses are no fault."""
        self.expected |= set(statuses)
        try:
            yield
        finally:
            self.expected -= set(statuses)

    def shifted(self) -> float:
        """By how much the parts of the page that is open moved by themselves until it was painted; 0 is not at all."""
        return float(self.page.evaluate(_PAINTED))

    def close(self) -> None:
        """Close it, and see that nothing was wrong."""
        self.context.close()
        assert not self.faults, "\n".join(self.faults)


def violations(page: Page) -> list[str]:
    """What axe-core finds on the page that is open, a line a finding."""
    options = {"runOnly": {"type": "tag", "values": RULES}, "resultTypes": ["violations"]}
    found = Axe().run(page, options=options).response["violations"]
    return [
        f"{one['id']}: {one['help']}: {node['target']} {node['html'][:160]} {summary(node)}"
        for one in found
        for node in one["nodes"][:3]
    ]


def summary(node: Any) -> str:
    """What is wrong with one element."""
    return " ".join(str(node.get("failureSummary", "")).split())[:240]


def too_wide(page: Page) -> int:
    """How many pixels of the page stick out of its window sideways."""
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))
