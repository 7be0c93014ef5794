"""HTML to lines of text, quotes marked with ``>`` as in a plain mail.

Block elements and line breaks end lines; cells of a table are parted by a space. What mail programs mark as quoted,
by elements, classes and ids of theirs, becomes quoted lines; where they mark that an old mail begins, everything
after it is left out; their signatures are left out too.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

#: Elements and texts that are looked at; the sender's own text stands at the beginning of what has more.
_MOST_NODES: Final = 40_000
#: Elements inside elements: the parser's time grows with the square of it.
_DEEPEST: Final = 600
_MOST_ATTRIBUTES: Final = 1000
_MOST_LOOKS: Final = 50
_TAG: Final = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9:-]{0,30})([^<>]*)")
#: Elements that close by themselves, or hold nothing; they nest nothing.
_FLAT: Final = frozenset((
    "p", "li", "td", "th", "tr", "dt", "dd", "tbody", "thead", "option", "html", "head", "body", "meta", "link",
    "img", "br", "hr", "input", "area", "base", "col", "embed", "source", "wbr",
))  # fmt: skip
_SILENT: Final = frozenset((
    "style", "script", "head", "title", "noscript", "template", "object", "svg", "textarea",
    "del", "s", "strike",  # struck out, so taken back
))  # fmt: skip
_BLOCKS: Final = frozenset((
    "address", "article", "aside", "blockquote", "body", "center", "dd", "div", "dl", "dt", "fieldset", "figure",
    "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol", "p", "pre",
    "section", "table", "tbody", "tfoot", "thead", "tr", "ul",
))  # fmt: skip
_PARAGRAPHS: Final = frozenset({"p", "h1", "h2", "h3", "h4", "h5", "h6", "pre"})
#: An element with one of these classes or ids is a quote as a whole.
_QUOTES: Final = frozenset((
    "gmail_attr", "reply-intro", "yahoo_quoted", "tutanota_quote", "zmail_extra", "mail_quote", "moz-cite-prefix",
    "moz-forward-container", "replyforwardmessage", "replymessage", "reply-message", "quoted-message", "quote-header",
    "email-quote", "mailquote", "aol_quote", "gmx_quote", "protonmail_quote_header", "front-blockquote",
    "apple-quote", "x_gmail_attr", "skiff_quote", "hey-quote",
))  # fmt: skip
#: Quotes of programs that let people write between and below what is quoted; the parts that are quoted are marked.
_WRAPS_A_QUOTE: Final = frozenset((
    "gmail_quote", "gmail_extra", "protonmail_quote", "x_gmail_quote", "gmail_quote_container", "quote",
    "zmail_quote", "spark_quote",
))  # fmt: skip
#: Where the old mail begins: nothing after it is the sender's.
_OLD_MAIL: Final = frozenset((
    "appendonsend", "divrplyfwdmsg", "outlookmessageheader", "x_divrplyfwdmsg",
    "mail-editor-reference-message-container", "stopspelling", "olk_src_body_section", "isforwardcontent",
    "ms-outlook-mobile-body-separator-line", "original-message", "zmail_extra_hr", "wmquote", "aolreplacedbody",
))  # fmt: skip
_SIGNATURES: Final = frozenset((
    "gmail_signature", "signature", "x_signature", "moz-signature", "applemailsignature",
    "ms-outlook-mobile-signature", "protonmail_signature_block", "protonmail_signature_block-user",
    "protonmail_signature_block-proton", "signature_old", "composer_signature", "bloop_sign", "spark_signature",
    "email-signature", "emailsignature", "mobile-signature", "k9mail-signature", "blue_signature",
    "x_ms-outlook-mobile-signature", "divtagdefaultwrapper-signature", "zimbra_signature", "tutanota_signature",
    "lineBreakAtBeginningOfSignature-block", "daum_signature", "naver_signature",
))  # fmt: skip
_PREFIXED_QUOTES: Final = re.compile(r"yahoo_quoted_|ydp[0-9a-f]+yahoo_quoted")
#: Word's block of headers above the old mail: a box with nothing but a line on top.
_BORDER_TOP: Final = re.compile(r"border:\s*none;\s*border-top:\s*(solid|#)")
_HIDDEN: Final = re.compile(
    r"display:\s*none|mso-hide:\s*all|visibility:\s*hidden|text-decoration(?:-line)?:\s*line-through"
)
#: Lines end here as in plain text.
_KEEPS_LINES: Final = re.compile(r"white-space:\s*(?:pre|break-spaces)")
#: The longest text of a picture that is taken for an emoji; longer ones describe something.
_LONGEST_EMOJI: Final = 12
_SPACES: Final = re.compile(r"[ \t\n\r\f]+")


class Read(NamedTuple):
    """The lines, quoted ones with ``>``, and whether the program that wrote them marked a quote."""

    lines: list[str]
    marked: bool


def read_html(source: str) -> Read:
    """The lines of an HTML text; any text. Time grows with its length only, and is bounded."""
    walk = _Walk()
    tree = LexborHTMLParser(_bounded(source))
    if tree.body is not None:
        walk.over(tree.body)
    return Read(walk.lines(), walk.marked)


def _bounded(source: str) -> str:
    """As much of the source as a tree can be made of in good time."""
    source = source.replace("\x00", "")
    if source.rfind("<") > source.rfind(">"):
        source = source[: source.rfind("<")]  # a tag that was cut off
    depth = 0
    for tag in _TAG.finditer(source):
        attributes = tag[3]
        if len(attributes) > _MOST_ATTRIBUTES and attributes.count(" ") + attributes.count("=") > _MOST_ATTRIBUTES:
            return source[: tag.start()]
        if tag[2].lower() not in _FLAT and not attributes.endswith("/"):
            depth = max(0, depth - 1) if tag[1] else depth + 1
            if depth > _DEEPEST:
                return source[: tag.start()]
    return source


class _Step(NamedTuple):
    """A node to go to, or to come back from; ``keeps``: line breaks inside it count."""

    node: LexborNode
    closes: bool = False
    quote: bool = False
    keeps: bool = False


class _Walk:
    """Goes over the nodes without recursion and collects lines."""

    def __init__(self) -> None:
        self.marked = False
        self._lines: list[str] = []
        self._now: list[str] = []
        self._depth = 0
        self._looks = 0
        self._keeping = 0

    def lines(self) -> list[str]:
        self._end()
        return self._lines

    def over(self, top: LexborNode) -> None:
        """Each element is met twice: when it opens and when it closes."""
        stack: list[_Step] = [_Step(top)]
        for _ in range(_MOST_NODES):
            if not stack:
                return
            step = stack.pop()
            node = step.node
            if step.closes:
                self._close(step)
                continue
            tag = node.tag or ""
            if tag == "-text":
                self._text(node)
                continue
            if tag.startswith(("-", "!")) or tag in _SILENT:
                continue
            marks, style = _marks(node)
            if marks & _OLD_MAIL or (_BORDER_TOP.match(style) and _has_headers(node)):
                self.marked = True
                self._end()
                return
            if marks & _SIGNATURES or (_HIDDEN.search(style) and tag != "body"):
                self._end()
                continue
            quote = tag == "blockquote" or bool(marks & _QUOTES) or _is_prefixed(marks)
            if marks & _WRAPS_A_QUOTE and not quote:
                # Looking through what is in it takes time; nobody needs as many.
                self._looks += 1
                quote = self._looks > _MOST_LOOKS or node.css_first("blockquote") is None
            self._open(tag, quote)
            if tag == "img":
                self._picture(node)
            keeps = tag == "pre" or _KEEPS_LINES.search(style) is not None
            self._keeping += keeps
            stack.append(_Step(node, closes=True, quote=quote, keeps=keeps))
            children = []
            child = node.child
            while child is not None:
                children.append(_Step(child))
                child = child.next
            stack.extend(reversed(children))

    def _open(self, tag: str, quote: bool) -> None:
        if tag == "br":
            self._end(always=True)
        elif tag in ("td", "th"):
            self._now.append(" ")
        elif tag in _BLOCKS or quote:
            self._end()
        if quote:
            self.marked = True
            self._depth += 1

    def _close(self, step: _Step) -> None:
        tag = step.node.tag or ""
        if tag in _BLOCKS or step.quote:
            self._end()
        if step.quote:
            self._depth -= 1
        self._keeping -= step.keeps
        if tag in _PARAGRAPHS and not self._depth:
            self._lines.append("")

    def _text(self, node: LexborNode) -> None:
        text = node.text_content or ""
        if self._keeping and "\n" in text:
            *whole, text = text.split("\n")
            for line in whole:
                self._now.append(line)
                self._end(always=True)
        if text.strip(" \t\n\r\f"):
            self._now.append(text)
        elif text and self._now:
            self._now.append(" ")

    def _picture(self, node: LexborNode) -> None:
        """An emoji that a mail program has made a picture of."""
        text = node.attributes.get("alt") or ""
        if 0 < len(text) <= _LONGEST_EMOJI and not any(char.isalnum() or char.isascii() for char in text):
            self._now.append(text)

    def _end(self, *, always: bool = False) -> None:
        text = _SPACES.sub(" ", "".join(self._now)).strip(" ")
        if text or always:
            self._lines.append(f"{'>' * self._depth} {text}" if self._depth else text)
        self._now = []


def _marks(node: LexborNode) -> tuple[set[str], str]:
    """The classes and the id of an element, and its style; all in lower case."""
    attributes = node.attributes
    if not attributes:
        return set(), ""
    said = f"{attributes.get('class') or ''} {attributes.get('id') or ''} {attributes.get('name') or ''}"[:500]
    return set(said.lower().split()), (attributes.get("style") or "")[:500].lower()


def _is_prefixed(marks: set[str]) -> bool:
    return any(_PREFIXED_QUOTES.match(mark) for mark in marks)


def _has_headers(node: LexborNode) -> bool:
    return len(re.findall(r"[^\s:：][ \xa0]?[:：]", node.text()[:1000])) >= 3
