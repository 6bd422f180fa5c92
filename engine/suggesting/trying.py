"""Tries every change on the rest of the log, with a limit on the work."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from engine.agn.administrative import administer, parse_administrative
from engine.agn.known_tags import DATES
from engine.agn.log import Log
from engine.agn.reading import NUMBER, RESULT, parse
from engine.agn.tags import check_tags
from engine.replay import Replay, replay
from engine.ruleset import RuleError
from engine.suggesting.candidates import Site, insertions, moved, repairs, replacements, site_of
from engine.suggesting.repairing import repaired as repaired_record
from engine.suggesting.values import Edit, Kind, Suggestion, Suggestions
from engine.verify import Verdict
from engine.words import NOTHING_SAID, Words, words


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits on the work for one record."""

    candidates: int = 500
    """Changes that are tried."""
    tokens: int = 200_000
    """Tokens that are read for that, as each change is followed by the rest of the log."""


BOUNDS = Bounds()


def never() -> bool:
    """Return False: there is no limit on time."""
    return False


def suggest(verdict: Verdict, bounds: Bounds = BOUNDS, enough: Callable[[], bool] = never) -> Suggestions | None:
    """Return suggested corrections for a rejected record; None if its first fault is not a token of a log.

    :param enough: asked before each try whether to stop, so that callers with a clock can limit the time.
    """
    played, fault = verdict.replay, verdict.fault
    if fault is None or verdict.record.too_long:
        return None
    few = _Budget(bounds, enough)  # often right: the many that replace the token must not use up their budget
    log = parse(verdict.record) if played else None
    site = site_of(log, played, fault) if log and played else None
    if log is None or played is None or site is None:
        return _of_writing(verdict, few)
    budget = _Budget(bounds, enough)
    spelled = _tried(log, played, few, repairs(site))
    repaired = sorted(
        (one for one in spelled if one.whole or one.ply > len(played.actions)), key=lambda one: not one.whole
    )
    if not any(one.whole for one in repaired):
        reached = max((one.ply for one in repaired), default=len(played.actions))
        repaired = [*_further(verdict, _Budget(bounds, enough), reached), *repaired]
    known = {one.edit.tokens for one in repaired}
    ordered = [one for one in _tried(log, played, few, moved(site, log)) if one.whole and one.edit.tokens not in known]
    replaced = list(_tried(log, played, budget, replacements(site, played.ruleset.number(played.last))))
    inserted = [one for one in _tried(log, played, budget, insertions(site)) if one.whole]
    others = [one for one in replaced if one.edit.tokens not in known]
    ranked = [*ordered, *inserted, *others] if _is_action(site) else [*others, *ordered, *inserted]
    found = tuple(sorted(chain(repaired, ranked), key=lambda one: (not one.whole, 0 if one.whole else -one.ply)))
    tried = sum(one.edit.kind == Kind.REPLACE for one in replaced)
    legal = site.legal if _is_action(site) else ()
    repair = repaired[0] if repaired and repaired[0].whole else None
    return Suggestions(site.token, len(legal), site.more_legal, tried if legal else 0, found, budget.spent, repair)


def _of_writing(verdict: Verdict, budget: "_Budget") -> Suggestions | None:
    """Return the record with its writing repaired as the only suggestion, where no token is at fault."""
    found = tuple(_further(verdict, budget, -1))
    return Suggestions(None, 0, False, 0, found, budget.spent, found[0] if found[0].whole else None) if found else None


def _further(verdict: Verdict, budget: "_Budget", ply: int) -> Iterator[Suggestion]:
    """Yield the record with its writing repaired, if it is legal up to a later ply then, or to its end."""
    found = repaired_record(verdict, budget.allows)
    for now, date in zip(found, _dates(verdict, found), strict=True):
        if now.replay is None or (now.fault and now.replay.plies <= ply):
            continue
        caption = words("Characters, case and order are written as records write them.")
        edit = Edit(Kind.REPAIR, 0, 0, (date,) if date else (), record=now.record.data)
        line = now.fault.line if now.fault else now.record.line + now.record.data.count(b"\n")
        said = words("The date is read as {date}.", date=date) if date else caption
        yield Suggestion(edit, said, now.replay.plies, line, now.fault is None)


def _dates(verdict: Verdict, found: list[Verdict]) -> list[str]:
    """Return for each repair how it reads the date that was at fault or can be read otherwise; nothing for others."""
    tags = [now.replay.tags if now.replay else {} for now in found]
    fault = verdict.fault.params.get("name") if verdict.fault and verdict.fault.rule == "AGN-TAG-6" else None
    told = [name for name in DATES if name == fault or len({one.get(name, "") for one in tags}) > 1]
    return [one.get(told[0], "") if told else "" for one in tags]


def _is_action(site: Site) -> bool:
    return site.token is not None and not NUMBER.fullmatch(site.token) and not RESULT.fullmatch(site.token)


@dataclass(slots=True)
class _Budget:
    bounds: Bounds
    enough: Callable[[], bool]
    candidates: int = field(default=0, init=False)
    tokens: int = field(default=0, init=False)
    spent: bool = field(default=False, init=False)
    """Whether something was left untried."""

    def allows(self, tokens: int) -> bool:
        """Count one more try, and return whether it is allowed."""
        self.candidates, self.tokens = self.candidates + 1, self.tokens + tokens
        within = self.candidates <= self.bounds.candidates and self.tokens <= self.bounds.tokens
        self.spent = self.spent or not within or self.enough()
        return not self.spent


def _tried(log: Log, played: Replay[Any, Any], budget: _Budget, edits: Iterable[Edit]) -> Iterator[Suggestion]:
    """Yield how far each change gets, until the budget is used up."""
    for edit in edits:
        if not budget.allows(len(log.tokens) - edit.at):
            return
        yield _try(log, played, edit)


def _try(log: Log, played: Replay[Any, Any], edit: Edit) -> Suggestion:
    """Play a change and what follows it, from the position before it."""
    after = edit.at + edit.removed
    tokens = (*edit.tokens, *log.tokens[after:])
    added = len(edit.tokens) - edit.removed

    def place(number: int) -> tuple[int, int]:
        return log.token_place(edit.at + max(0, number - added))

    tags = {**log.tags, **edit.tags}
    rest = log._replace(tags=tags, tokens=tokens, comments=(), token_place=place)
    replayed = _rest_of(played, rest)
    line = replayed.fault.line if replayed.fault else log.token_place(len(log.tokens))[0]
    ply = len(played.actions) + len(replayed.actions)
    return Suggestion(edit, _caption(played, edit), ply, line, replayed.fault is None)


def _rest_of(played: Replay[Any, Any], rest: Log) -> Replay[Any, Any]:
    seat_tags = check_tags(rest.tags, played.ruleset)
    return replay(played.ruleset, played.last, rest, seat_tags)


def _caption(played: Replay[Any, Any], edit: Edit) -> Words:
    """Return what a change is, in words."""
    if edit.kind == Kind.DELETE:
        return words("This token is left out.")
    if edit.kind == Kind.SWAP:
        return words("The two tokens are swapped.")
    if len(edit.tokens) > 1:
        return words("These are {count} tokens, with plain spaces between them.", count=len(edit.tokens))
    if edit.kind == Kind.RESULT or NUMBER.fullmatch(edit.tokens[0]) or RESULT.fullmatch(edit.tokens[0]):
        return words("This is the correct value here.")
    ruleset, token = played.ruleset, edit.tokens[0]
    try:
        action = None if parse_administrative(token) else ruleset.parse_action(token)
        said = parse_administrative(token)
        after = administer(ruleset, played.last, said) if said else ruleset.apply(played.last, action)
    except RuleError:
        return NOTHING_SAID
    return ruleset.shown.caption(played.last, action, after, token)
