"""Makes deceptive characters in names and comments visible on every page."""

import re
from collections.abc import Callable
from html import unescape

from django.http import HttpRequest, HttpResponse

from engine.agn.names import name_key
from games.platform.lookalikes import name_with_marks, names_alike, with_marks

_TYPED = re.compile(r"(<textarea\b.*?</textarea>|\bvalue=\"[^\"]*\")", re.DOTALL)
"""What a form sends back, and so has to stay as it is."""
_NAME = re.compile(r"(?<=<bdi>)[^<]+(?=</bdi>)")
"""Names, which stand apart from the text around them on every page."""

Answer = Callable[[HttpRequest], HttpResponse]


class Marking:
    """Middleware: writes invisible characters, foreign letters within a word and stacked marks as ⟨U+202E⟩.

    It does so in texts, titles and alternative texts. It is done here and not where names are shown, because there are
    too many such places. The API and files keep every byte.
    """

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request."""
        answer = self.get_response(request)
        is_page = answer.get("Content-Type", "").startswith("text/html")
        if is_page and not answer.streaming and answer.content:
            page = answer.content.decode(answer.charset)
            if (shown := _marked(page)) != page:
                answer.content = shown.encode(answer.charset)
        return answer


def _marked(page: str) -> str:
    """Return a page with marks, except in its forms."""
    names = {name: name_key(unescape(name)) for name in _NAME.findall(page)}
    alike = names_alike(names.values())
    page = _NAME.sub(lambda found: name_with_marks(found[0], alike=names[found[0]] in alike), page)
    if with_marks(page) == page:
        return page
    return "".join(part if at % 2 else with_marks(part) for at, part in enumerate(_TYPED.split(page)))
