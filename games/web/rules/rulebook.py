"""The rules as HTML: every rule a section with its id, every mention of a rule a link to it."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from games.records.reads.rulebook import HEADING, RULE_ID, Block, Document, Rule, find_rule, rule_of, rule_url
from games.web.rules.diagram import board, board_record, is_board, with_figures

_READINGS = {"Reading: ": "Reading", "Lesart: ": "Lesart"}
"""How a block about a reading begins, in the documents' languages, and how the page marks it."""


def rule_text(rule: str) -> SafeString:
    """Return a rule's text, without its title; empty for an unknown id."""
    found = find_rule(rule)
    return _texts(found[0]).get(rule, SafeString()) if found else SafeString()


@cache
def _texts(document: Document) -> dict[str, SafeString]:
    blocks = ((rule_of(block), block) for block in document.blocks)
    return {rule.id: mark_safe(render(block[HEADING:])) for rule, block in blocks if rule}  # noqa: S308 - as below


@cache
def html_of(document: Document) -> SafeString:
    """Return a document without its title."""
    return mark_safe("".join(map(_block, document.blocks)))  # noqa: S308 - the renderer escapes, and HTML is not read


def found_in(document: Document, wanted: str) -> SafeString:
    """Return the rules of a document that contain all words of a text, in order."""
    words = wanted.casefold().split()
    found = [block for block in document.blocks if rule_of(block) and _contains(block, words)]
    return mark_safe("".join(map(_block, found)))  # noqa: S308 - as above


def _contains(block: Block, words: list[str]) -> bool:
    text = " ".join(token.content for token in block).casefold()
    return all(word in text for word in words)


def _block(block: Block) -> str:
    if rule := rule_of(block):
        return (
            f'<section class="rule" id="{rule.id}">\n{_rule_heading(block[1], rule)}{_rule_text(block[3:])}</section>\n'
        )
    if block[0].type != "heading_open":
        return render(block)
    heading = Token("heading_open", block[0].tag, 1, attrs={"id": slugify(block[1].content)})
    return render((heading, *block[1:]))


def _rule_text(tokens: Sequence[Token]) -> str:
    """Return a rule's text, and separately its boards and readings."""
    says, beside = list[Token](), list[Token]()
    for part in _parts_of(tokens):
        (beside if part[0].type == "blockquote_open" or is_board(part[0]) else says).extend(part)
    aside = f'<div class="beside">\n{render(beside)}</div>\n' if beside else ""
    return f'<div class="says">\n{render(says)}</div>\n{aside}'


def _parts_of(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """Yield paragraphs, lists, tables and quotations each as one; a board together with its caption."""
    part, depth, caption = list[Token](), 0, False
    for token in tokens:
        part.append(token)
        depth += token.nesting
        if depth == 0 and (caption or not is_board(token)):
            yield part
            part, caption = [], False
        elif is_board(token):
            caption = True
    if part:
        yield part


def _rule_heading(inline: Token, rule: Rule) -> str:
    """Return the rule's id, which is its own address, and its title."""
    first, *others = inline.children or []
    rest = [_text(first.content.split(" · ", 1)[1]), *others]
    link = format_html('<a class="rule-id" href="#{}">{}</a>', rule.id, rule.id)
    return f"<h3>{link} {render([_inline(rest)])}</h3>\n"


def render(tokens: Sequence[Token]) -> str:
    """Return Markdown as HTML, every rule that it mentions linked."""
    markdown = _renderer()
    linked = [_linked(token) if token.type == "inline" else token for token in tokens]
    return str(markdown.renderer.render(list(with_figures(linked)), markdown.options, {}))


@cache
def _renderer() -> MarkdownIt:
    """Return the renderer; wide blocks scroll on their own, and so must be focusable."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    markdown.add_render_rule("fence", _fence)
    markdown.add_render_rule("board", board)
    markdown.add_render_rule("board_record", board_record)
    markdown.add_render_rule("table_open", lambda *_: '<div class="wide" tabindex="0"><table>\n')
    markdown.add_render_rule("table_close", lambda *_: "</table></div>\n")
    markdown.add_render_rule("th_open", _head_cell)
    markdown.add_render_rule("th_close", _head_cell)
    markdown.add_render_rule("blockquote_open", lambda *_: '<blockquote class="reading">')
    return markdown


def _head_cell(renderer: RendererHTML, tokens: Sequence[Token], at: int, *more: Any) -> str:  # noqa: ANN401 (the library's own)
    """Return where a cell in the head of a table begins or ends; an empty corner is not the heading of anything."""
    if tokens[at + tokens[at].nesting].content:
        return renderer.renderToken(tokens, at, *more)
    return "<td>" if tokens[at].nesting > 0 else "</td>\n"


def _fence(_self: object, tokens: Sequence[Token], at: int, *_: Any) -> str:  # noqa: ANN401 (the library's own)
    return format_html('<pre tabindex="0"><code>{}</code></pre>\n', tokens[at].content)


def _linked(inline: Token) -> Token:
    children = [part for child in inline.children or [] for part in _parts(child)]
    for beginning, word in _READINGS.items():
        if children and children[0].content.startswith(beginning):
            children[:1] = [*_mark_of_reading(word), _text(children[0].content.removeprefix(beginning))]
    return _inline(children)


def _mark_of_reading(word: str) -> list[Token]:
    opening = Token("strong_open", "strong", 1, attrs={"class": "reading-mark"})
    return [opening, _text(word), Token("strong_close", "strong", -1), _text(" ")]


def _parts(child: Token) -> Iterator[Token]:
    """Return a piece of text with its rules as links."""
    if child.type != "text":
        yield child
        return
    begin = 0
    for match in RULE_ID.finditer(child.content):
        if href := rule_url(match[0]):
            yield _text(child.content[begin : match.start()])
            yield Token("link_open", "a", 1, attrs={"href": href, "class": "rule-link"})
            yield _text(match[0])
            yield Token("link_close", "a", -1)
            begin = match.end()
    yield _text(child.content[begin:])


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)


def _inline(children: list[Token]) -> Token:
    return Token("inline", "", 0, children=children)
