"""Comments as HTML: Markdown without HTML, pictures and headings, whose links tell search engines nothing."""

from collections.abc import Sequence
from functools import cache
from urllib.parse import urlsplit

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

_NOT_READ = ("html_block", "html_inline", "image", "heading", "lheading", "hr", "entity", "reference")
"""What other sites would be loaded by, what changes a page's outline, and what hides characters."""
_DEEPEST = 8
"""Quotes and lists within each other."""


def as_html(text: str) -> SafeString:
    """Return a comment as HTML."""
    return mark_safe(str(_renderer().render(text)))  # noqa: S308 - the renderer escapes, and HTML is not read


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
