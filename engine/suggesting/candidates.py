"""The changes at a record's first fault that are worth a try, for any ruleset."""

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from types import MappingProxyType
from typing import Any, NamedTuple

from engine.agn.administrative import LEAVING
from engine.agn.log import Log
from engine.agn.reading import NUMBER, RESULT
from engine.agn.typographic import plain, plain_tokens
from engine.replay import Fault, Replay
from engine.ruleset import due_result
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
    following: tuple[str, ...] = ()
    """Up to two tokens after it."""
    leaving: tuple[str, ...] = ()
    """What ends the game there by a word: a seat leaves, the one to act first, or both agree to a draw."""
    letters: Mapping[str, str] = MappingProxyType({})
    """Those of the seats, by all that they are called, in small letters."""


def site_of(log: Log, played: Replay[Any, Any], fault: Fault) -> Site | None:
    """Return where a record is at fault; None if that is neither a token of the log nor its Result tag."""
    at = _token_at_fault(log, played, fault)
    if at is None:
        return None
    outcome = played.ruleset.outcome(played.last)
    due = due_result(outcome)
    token = log.tokens[at] if at < len(log.tokens) else None
    ended = outcome or any(map(RESULT.fullmatch, log.tokens[:at]))
    actions = () if ended else played.ruleset.legal_actions(played.last)
    legal = [played.ruleset.format_action(action) for action in islice(actions, MOST_LEGAL + 1)]
    nearest = sorted(legal[:MOST_LEGAL], key=lambda action: _distance(action, token or ""))
    following = tuple(log.tokens[at + 1 : at + 3])
    turn = None if ended else played.ruleset.to_act(played.last)
    seats = sorted(played.names, key=lambda letter: letter != turn) if turn else ()
    leaving = (*(f"{word}:{letter}" for letter in seats for word in LEAVING), "draw") if turn else ()
    return Site(at, token, tuple(nearest), len(legal) > MOST_LEGAL, due, following, leaving, _letters(played))


def _letters(played: Replay[Any, Any]) -> dict[str, str]:
    seats = [(played.ruleset.seat(letter), name) for letter, name in played.names.items()]
    return {said.casefold(): seat.letter for seat, name in seats for said in (name, seat.colour, seat.tag, seat.letter)}


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


def repairs(site: Site) -> Iterator[Edit]:
    """Yield the token at fault as records write it: plain, in the order that is due, or joined with what follows."""
    if site.token is None:
        return
    spelled = [(1, tuple(plain_tokens(site.token)))]
    for count in range(1, len(site.following) + 2):
        alike = _alike("".join(map(plain, (site.token, *site.following[: count - 1]))))
        spelled += [(count, (due,)) for due in (*site.legal, *site.leaving, site.due) if _alike(due) == alike]
        spelled += [(count, (due,)) for due in _meant_leaving(site, alike)]
    for removed, tokens in dict.fromkeys(spelled):
        if not tokens:  # nothing but characters that cannot be seen, or quotation marks
            yield Edit(Kind.DELETE, site.at, removed, ())
        elif tokens != (site.token,):
            tags = {"Result": tokens[-1]} if RESULT.fullmatch(tokens[-1]) else {}
            yield Edit(Kind.REPLACE, site.at, removed, tokens, tags)


def _meant_leaving(site: Site, alike: tuple[object, ...]) -> Iterator[str]:
    """Yield how a seat leaves, if that is what a token says: the seat that it names, or any where it names none."""
    said = _LEAVING.fullmatch(str(alike[0]))
    who = (said[1] or said[3]) if said else ""
    if said is None or (said[1] and said[3]) or (len(who) == 1 and who not in site.letters):
        return
    named = site.letters.get(who)
    yield from (one for one in site.leaving if one.startswith(said[2]) and named in (None, one[-1]))


_LEAVING = re.compile(r"([^\W\d_]*)[:=]?(resign|timeout)(?:s|ed)?[:=]?([^\W\d_]*)")
"""A player who leaves, in small letters: named before the word or after it, or not at all."""
_CARD = re.compile(r"([nesw.|]+)([*#]?)@(.*)")
_SWAP = re.compile(r"([a-z][0-9])[~-]([a-z][0-9])")
_PLACES = re.compile(r"[0-9]([-:/][0-9])+")
_RUN = re.compile(r"([a-z][0-9])(?:-([a-z][0-9]))?([nesw][0-9]+)")


def _alike(token: str) -> tuple[object, ...]:
    """Return what a token shares with other ways of writing the same action: in other case, or in another order.

    Sides of a card, both cells of a swap, and both ends of a run have an order of their own; a run of one has one end.
    Between the places of a result other signs are written elsewhere.
    """
    token = token.casefold()
    if _PLACES.fullmatch(token):
        return tuple(re.findall("[0-9]", token))
    if card := _CARD.fullmatch(token):
        return tuple(sorted("".join(sorted(trail)) for trail in card[1].split("|"))), card[2], card[3]
    if swapped := _SWAP.fullmatch(token):
        return (frozenset(swapped.groups()),)
    if run := _RUN.fullmatch(token):
        return frozenset((run[1], run[2] or run[1])), run[3]
    return (token,)


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


def moved(site: Site, log: Log) -> Iterator[Edit]:
    """Yield changes of order: remove the token, or swap it with the next."""
    if site.token is not None and not RESULT.fullmatch(site.token):
        yield Edit(Kind.DELETE, site.at, 1, ())
    following = log.tokens[site.at + 1 : site.at + 2]
    pair = (site.token or "", *following)
    if following and not any(NUMBER.fullmatch(one) or RESULT.fullmatch(one) for one in pair):
        yield Edit(Kind.SWAP, site.at, 2, pair[::-1])
    if site.token is not None and any(map(RESULT.fullmatch, log.tokens[: site.at])):
        yield Edit(Kind.DELETE, site.at, 1, ())


def insertions(site: Site) -> Iterator[Edit]:
    """Yield what may be missing before the token."""
    yield from (Edit(Kind.INSERT, site.at, 0, (action,)) for action in site.legal)
