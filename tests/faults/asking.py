"""Asking a site as a patient client does: one that is busy says when to ask again."""

import json
import time
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

_LIMIT = 60.0
_PATIENCE = 300.0
"""Seconds after which a site that is still busy has failed."""
_BUSY = 503


def answer_to(request: Request) -> Any:
    """Return the answer to a request, which is sent again while the site is busy.

    :raises HTTPError: when it is refused, or the site stays busy.
    """
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            with urlopen(request, timeout=_LIMIT) as answer:
                return json.load(answer)
        except HTTPError as refused:
            if refused.code != _BUSY or time.monotonic() > until:
                raise
            time.sleep(float(refused.headers["Retry-After"]))
