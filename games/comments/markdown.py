"""Comments as HTML: Markdown without HTML, pictures and headings, whose links search engines ignore."""

from collections.abc import Sequence
from functools import cache
from urllib.parse import urlsplit

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from games.platform.reports import shows_nothing

_NOT_READ = ("html_block", "html_inline", "image", "heading", "lheading", "hr", "entity", "reference")
"""What other sites would be loaded by, what changes a page's outline, and what hides characters."""
_DEEPEST = 20
"""Levels of quotes, lists and their items within each other; the renderer leaves out what is deeper."""


def as_html(text: str) -> SafeString:
    """Return a comment as HTML."""
    return mark_safe(str(_renderer().render(text)))  # noqa: S308 - the renderer escapes, and HTML is not read


def shows_something(text: str) -> bool:
    """Return whether a comment shows any text: marks of Markdown alone are nothing to read."""
    tokens = _renderer().parse(text)
    return not all(shows_nothing(one.content) for token in tokens for one in token.children or [token])


def is_too_deep(text: str) -> bool:
    """Return whether quotes and lists are so deep within each other that something in them may not be shown."""
    deepest = [token.level for token in _renderer().parse(text) if token.type in ("blockquote_open", "list_item_open")]
    return max(deepest, default=0) >= _DEEPEST - 1


@cache
def _renderer() -> MarkdownIt:
    options = {"html": False, "maxNesting": _DEEPEST, "breaks": True}
    markdown = MarkdownIt("commonmark", options).disable(_NOT_READ)
    markdown.validateLink = _may_be_linked  # type: ignore[method-assign,assignment] # as it documents
    markdown.add_render_rule("link_open", _link)
    return markdown


def _may_be_linked(address: str) -> bool:
    """Return whether a comment may link to an address: a web page, or a page of this site."""
    try:
        parts = urlsplit(address.strip())
    except ValueError:
        return False
    is_page = parts.scheme in ("http", "https") and bool(parts.hostname) and "@" not in parts.netloc
    return is_page or (not parts.scheme and not parts.netloc and parts.path.startswith("/"))


def _link(renderer: RendererHTML, tokens: Sequence[Token], at: int, options: OptionsDict, env: EnvType) -> str:
    """Return the beginning of a link; the page that it leads to shows when it is pointed at."""
    token = tokens[at]
    token.attrSet("rel", "nofollow ugc noopener")
    token.attrSet("title", str(token.attrGet("href")))
    return renderer.renderToken(tokens, at, options, env)
