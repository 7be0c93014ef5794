"""Pages to be read: the rules, the help on mails, the API; each from the one place that knows."""

from __future__ import annotations

import re
from collections import Counter
from html import unescape
from typing import Any

import pytest
from flask import Flask

from engine import RULES
from service.commands.table import ENTRIES, SECTIONS
from service.config import Settings
from service.web import contract
from tests.web.browsing import Browser, browser

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
_OUTSIDE = re.compile(r"""(?:src|href|srcset|action)="(?:[a-z]+:)?//""")


def ids(text: str) -> list[str]:
    """Every id of a page, in its order."""
    return re.findall(r'\bid="([^"]*)"', text)


def words(text: str) -> str:
    """What a reader sees."""
    return " ".join(unescape(re.sub(r"<[^>]*>", "", text)).split())


@pytest.fixture
def reader(api_app: Flask) -> Browser:
    """A stranger."""
    return browser(api_app)


@pytest.mark.parametrize("path", ["/rules", "/help/mail", "/docs/api", "/docs/api/log"])
def test_a_page_to_be_read_is_whole_in_itself(reader: Browser, path: str) -> None:
    for tag in ("en", "de", "fr"):
        text = reader.visit(f"{path}?lang={tag}")
        assert f'<html lang="{tag}">' in text
        assert [name for name, count in Counter(ids(text)).items() if count > 1] == []
        assert not _OUTSIDE.search(text), "nothing is loaded from elsewhere"
        assert not re.search(r"<[^>]* (style|on[a-z]+)=", text)
        assert text.count("<h1") == 1
        for anchor in re.findall(r'href="#([^"]*)"', text):
            assert anchor in ids(text)
    assert len(reader.answer.data) < 400_000


def test_the_rules_are_the_engines_each_once_under_its_id(reader: Browser) -> None:
    text = reader.visit("/rules")
    assert [name for name in ids(text) if name.startswith("R-")] == list(RULES)
    told = dict(re.findall(r'<li class="rule" id="([^"]*)">.*?<div>(.*?)</div></li>', text, re.DOTALL))
    assert set(told) == set(RULES)
    for rule, said in told.items():
        assert len(words(said)) > 30, rule
        assert f'href="#{rule}"' in text


def test_the_pictures_of_the_rules_are_there_and_stay_where_they_are(reader: Browser) -> None:
    text = reader.visit("/rules")
    shown = re.findall(r'srcset="([^"]*)".*?<img src="([^"]*)" alt="([^"]*)" width="\d+" height="\d+"', text)
    assert len(shown) == text.count("<picture>") == text.count("<img") - 1, "all but the mark of the house"
    for dark, light, told in shown:
        assert len(told) > 30, "who does not see it is told"
        for address in (dark, light):
            picture = reader.get(address)
            assert picture.mimetype == "image/svg+xml"
            assert "immutable" in picture.headers["Cache-Control"]
            assert "<style" not in picture.text
        assert reader.get(dark).text != reader.get(light).text
    older = re.sub(r"pictures/[0-9a-f]+/", "pictures/0000000000/", shown[0][1])
    assert reader.get(older).headers["Cache-Control"] == "no-cache"
    for unknown in ("en/nothing-light", "en/board-auto", "en/board-pink", "xx/board-light"):
        assert reader.get(f"/rules/pictures/0/{unknown}.svg").status_code == 404


def test_the_pictures_of_the_rules_speak_the_language_of_their_page(reader: Browser) -> None:
    for tag, chamber, nest in (("en", "treasure chamber", "nest"), ("de", "Schatzkammer", "Nest")):
        text = reader.get("/rules", headers={"Accept-Language": tag}).text
        (address,) = re.findall(r'src="(/rules/pictures/\w+/\w+/board-light.svg)"', text)
        for asked in (tag, "fr"):  # whatever the browser says that fetches it: it may be kept by a proxy for all
            picture = reader.get(address, headers={"Accept-Language": asked}).text.lower()
            assert (chamber.lower() in picture, f">{nest.lower()}<" in picture) == (True, True), (tag, asked)


def test_the_help_on_mails_is_the_table_of_commands(reader: Browser, settings: Settings) -> None:
    text = reader.visit("/help/mail")
    told = words(text)
    for entry in ENTRIES:
        for part in (entry.usage, entry.summary, entry.detail, entry.example):
            assert " ".join(part.split()) in told, entry.name
    shown = [unescape(usage) for usage in re.findall(r'<code class="usage">(.*?)</code>', text)]
    assert shown[: len(ENTRIES)] == [
        entry.usage for section in SECTIONS for entry in ENTRIES if entry.section == section
    ]
    assert f"mailto:{settings.service_address}?" in text


def test_the_api_is_described_whole_from_its_own_document(reader: Browser) -> None:
    document: dict[str, Any] = reader.get("/api/v1/openapi.json").get_json()
    index = reader.visit("/docs/api")
    assert 'href="/api/v1/openapi.json"' in index
    pages = {link: reader.visit(link) for link in dict.fromkeys(re.findall(r'href="(/docs/api/[a-z-]+)"', index))}
    assert len(pages) == len(document["tags"])
    told = [name for text in pages.values() for name in ids(text)]
    described = set[str]()
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if not isinstance(operation, dict):
                continue
            name = operation["operationId"]
            assert told.count(name) == 1, name
            (link,) = re.findall(rf'href="(/docs/api/[a-z-]+)#{name}"', index)
            part = pages[link].partition(f'id="{name}"')[2].partition("</section>")[0]
            assert f"{method.upper()} {path}" in words(part.partition("</h2>")[0].partition(">")[2]).replace("  ", " ")
            for status in operation["responses"]:
                assert f'">{status}</span>' in part
            for parameter in (*methods.get("parameters", ()), *operation.get("parameters", ())):
                assert f"<code>{parameter['name']}</code>" in part
            if "x-scope" in operation:
                assert f"with the scope <code>{operation['x-scope']}</code>" in part
            described.add(name)
    assert len(described) > 50
    assert {f"schema-{name}" for name in document["components"]["schemas"]} <= set(told)
    for text in pages.values():
        for anchor in re.findall(r'href="#([^"]*)"', text):
            assert anchor in ids(text)
    for code in re.findall(r"\(`([a-z-]+)`\)", str(document["paths"])):
        assert f"<code>{code}</code>" in index
    assert reader.get("/docs/api/nothing").status_code == 404


def test_descriptions_are_text(database: str) -> None:
    said = contract.markdown("Say <script>x</script> & `<b>` or **so**.\n\n* one\n* two `2`\n\nEnd")
    assert said == (
        "<p>Say &lt;script&gt;x&lt;/script&gt; &amp; <code>&lt;b&gt;</code> or <strong>so</strong>.</p>"
        "<ul><li>one</li><li>two <code>2</code></li></ul><p>End</p>"
    )
