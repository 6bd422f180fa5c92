"""The changes at a record's first fault that are worth a try, for any ruleset."""

from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from engine.agn.log import Log
from engine.agn.reading import NUMBER, RESULT
from engine.replay import Fault, Replay
from engine.suggesting.values import Edit, Kind

MOST_LEGAL = 2_000
"""Legal actions that are listed at all; no position of a game played so far has as many."""


class Site(NamedTuple):
    """Where a record is at fault, and what is legal there."""

    at: int
    """The number of the token."""
    token: str | None
    legal: tuple[str, ...]
    """The most similar to the token first."""
    more_legal: bool
    due: str
    """The correct result at that position."""


def site_of(log: Log, played: Replay[Any, Any], fault: Fault) -> Site | None:
    """Return where a record is at fault; None if that is neither a token of the log nor its Result tag."""
    at = _token_at_fault(log, played, fault)
    if at is None:
        return None
    outcome = played.ruleset.outcome(played.last)
    due = "-".join(map(str, outcome.placements)) if outcome else "*"
    token = log.tokens[at] if at < len(log.tokens) else None
    ended = outcome or any(map(RESULT.fullmatch, log.tokens[:at]))
    actions = () if ended else played.ruleset.legal_actions(played.last)
    legal = [played.ruleset.format_action(action) for action in islice(actions, MOST_LEGAL + 1)]
    nearest = sorted(legal[:MOST_LEGAL], key=lambda action: _distance(action, token or ""))
    return Site(at, token, tuple(nearest), len(legal) > MOST_LEGAL, due)


def _token_at_fault(log: Log, played: Replay[Any, Any], fault: Fault) -> int | None:
    """Return the index of the token at fault; for a faulty Result tag, the index of the result."""
    if fault.rule == "AGN-TAG-7":
        return len(log.tokens) - 1
    if fault.ply is None or (log.fault and log.fault.template == fault.template):
        return None
    places = log.token_places()
    if len(set(places)) > 1:  # in text; in JSON there are no numbers, and all tokens have the same place
        return places.index((fault.line, fault.column))
    return len(played.actions)


def _distance(action: str, token: str) -> int:
    """Return the length of the longer text without the common prefix and suffix."""
    begin = _common(action, token)
    end = _common(action[begin:][::-1], token[begin:][::-1])
    return max(len(action), len(token)) - begin - end


def _common(one: str, other: str) -> int:
    """Return the length of the common prefix."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def replacements(site: Site, number: int) -> Iterator[Edit]:
    """Yield replacements of the token at fault: the correct result or number, or legal actions."""
    if site.token is None or RESULT.fullmatch(site.token):
        yield Edit(Kind.RESULT, site.at, int(site.token is not None), (site.due,), {"Result": site.due})
        return
    if site.token and NUMBER.fullmatch(site.token):
        if site.legal:
            yield Edit(Kind.REPLACE, site.at, 1, (f"{number}.",))
        return
    yield from (Edit(Kind.REPLACE, site.at, 1, (action,)) for action in site.legal)


def others(site: Site, log: Log) -> Iterator[Edit]:
    """Yield other changes: remove the token, swap it with the next, or insert one before it."""
    if site.token is not None and not RESULT.fullmatch(site.token):
        yield Edit(Kind.DELETE, site.at, 1, ())
    following = log.tokens[site.at + 1 : site.at + 2]
    pair = (site.token or "", *following)
    if following and not any(NUMBER.fullmatch(one) or RESULT.fullmatch(one) for one in pair):
        yield Edit(Kind.SWAP, site.at, 2, pair[::-1])
    if site.token is not None and any(map(RESULT.fullmatch, log.tokens[: site.at])):
        yield Edit(Kind.DELETE, site.at, 1, ())
    yield from (Edit(Kind.INSERT, site.at, 0, (action,)) for action in site.legal)
