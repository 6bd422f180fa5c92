"""What holds for every ruleset: a game added to the registry and fixtures is tested by this module."""

import json
from collections.abc import Sequence
from functools import cache, reduce
from itertools import islice
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.agn.administrative import LEAVING
from engine.registry import RULESETS, find_ruleset, ruleset_by_slug
from engine.replay import Replay
from engine.ruleset import IllegalMoveError, MoveSyntaxError, Outcome, Termination
from engine.verify import REJECTED, UNFINISHED, VERIFIED, Verdict, verify_bytes
from tests.strategies import AnyRuleset, Playout, Position, comments, playouts, positions, recorded, walk, written
from tests.tiers import by_tier

POSITIONS = by_tier(quick=751, long=10_001)
"""Per game, all its rulesets together."""
DRY_RUN = 20
"""Tokens tried at every position, in addition to the legal ones."""

every_ruleset = pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.slug)


def share(ruleset: AnyRuleset) -> int:
    """Return how many positions of its game a ruleset has to provide."""
    return -(-POSITIONS // sum(other.game == ruleset.game for other in RULESETS))


@cache
def some_positions(ruleset: AnyRuleset) -> tuple[Position, ...]:
    return tuple(islice(positions(ruleset, Random(f"positions of {ruleset.slug}")), share(ruleset)))


@cache
def universe(ruleset: AnyRuleset) -> tuple[str, ...]:
    """Return tokens from recorded games or legal somewhere, and misspelled variants."""
    random = Random(f"tokens of {ruleset.slug}")
    seen = {token for replay in recorded(ruleset) for token in replay.actions}
    for position in random.sample(some_positions(ruleset), 150):
        seen.update(map(ruleset.format_action, random.sample(position.legal, min(10, len(position.legal)))))
    tokens = sorted(seen)
    return (*tokens, *(slip(token, random) for token in tokens))


def slip(token: str, random: Random) -> str:
    """Return a token with one character deleted, doubled, or replaced by one from elsewhere in it."""
    at = random.randrange(len(token))
    return token[:at] + random.choice(("", token[at] * 2, random.choice(token))) + token[at + 1 :]


def refusal(ruleset: AnyRuleset, state: Any, token: str) -> str | None:
    """Return the rule that forbids a token; none when it is legal."""
    try:
        ruleset.apply(state, ruleset.parse_action(token))
    except (IllegalMoveError, MoveSyntaxError) as error:
        return error.rule
    return None


@every_ruleset
def test_exactly_the_listed_actions_are_accepted(ruleset: AnyRuleset) -> None:
    random, tokens = Random(f"tries of {ruleset.slug}"), universe(ruleset)

    for state, legal in ((position.state, position.legal) for position in some_positions(ruleset)):
        for action in legal:
            ruleset.apply(state, action)
        listed, tried = set(map(ruleset.format_action, legal)), set(random.sample(tokens, DRY_RUN))
        accepted = {token for token in tried if refusal(ruleset, state, token) is None}
        assert accepted == tried & listed, ruleset.shown.picture(state)


@every_ruleset
def test_every_action_is_listed_once_in_a_stable_order(ruleset: AnyRuleset) -> None:
    for position in some_positions(ruleset)[::20]:
        assert len(set(position.legal)) == len(position.legal)
        assert tuple(ruleset.legal_actions(position.state)) == position.legal


@every_ruleset
def test_states_are_shown_by_what_they_hold_and_not_by_where_they_are(ruleset: AnyRuleset) -> None:
    """The texts of what two bots were given differ exactly where these differ."""
    position = some_positions(ruleset)[7]
    once, again = (ruleset.apply(position.state, position.legal[0]) for _ in range(2))

    assert (repr(once), hash(once)) == (repr(again), hash(again))
    assert once == again
    assert repr(once) != repr(position.state)
    assert " object at 0x" not in repr(once)


@every_ruleset
def test_formatted_actions_are_parsed_back(ruleset: AnyRuleset) -> None:
    for action in {action for position in some_positions(ruleset)[::20] for action in position.legal}:
        assert ruleset.parse_action(ruleset.format_action(action)) == action


@every_ruleset
def test_score_sheets_have_the_declared_counts_in_order(ruleset: AnyRuleset) -> None:
    for position in some_positions(ruleset)[::500]:
        for sheet in ruleset.shown.sheets(position.state):
            assert tuple(count.label for count in sheet) == ruleset.shown.counts


@every_ruleset
def test_some_seat_is_to_act_while_any_action_is_legal(ruleset: AnyRuleset) -> None:
    for state, legal in ((position.state, position.legal) for position in some_positions(ruleset)):
        over = ruleset.outcome(state) is not None
        assert over == (ruleset.to_act(state) is None) == (not legal)


@every_ruleset
def test_no_action_is_legal_after_the_end(ruleset: AnyRuleset) -> None:
    ends = [position.state for position in some_positions(ruleset) if not position.legal]
    ends += [replay.last for replay in recorded(ruleset) if replay.finished]

    assert len(ends) > by_tier(quick=2, long=20)
    for state in ends:
        assert all(refusal(ruleset, state, token) for token in universe(ruleset))


@every_ruleset
def test_every_playout_from_the_start_ends_with_places(ruleset: AnyRuleset) -> None:
    for replay in recorded(ruleset)[:: by_tier(quick=5, long=1)]:
        *_, last = walk(ruleset, replay.states[0], Random(replay.digest()))
        outcome = ruleset.outcome(last.state)
        assert outcome is not None
        assert min(outcome.placements) == 1
        assert all(place == 1 + sum(other < place for other in outcome.placements) for place in outcome.placements)


@every_ruleset
def test_both_players_can_leave_or_agree_at_any_point(ruleset: AnyRuleset) -> None:
    for position in some_positions(ruleset)[::5]:
        if position.legal:
            turn = str(ruleset.to_act(position.state))
            left = ruleset.leave(position.state, turn, Termination.RESIGNED)
            assert ruleset.to_act(left) != turn or ruleset.outcome(left)
            drawn = ruleset.outcome(ruleset.agree_draw(position.state))
            assert drawn is not None
            assert set(drawn.placements) == {1}


@every_ruleset
def test_an_outcome_says_how_the_game_ended(ruleset: AnyRuleset) -> None:
    for position in some_positions(ruleset)[::5]:
        outcome = ruleset.outcome(position.state)
        if outcome:
            assert (outcome.termination == Termination.PLAYED) == (not is_by_people(outcome))
            continue
        drawn = ruleset.outcome(ruleset.agree_draw(position.state))
        assert drawn
        assert drawn.termination == Termination.AGREED
        for how in LEAVING.values():
            left = ruleset.outcome(ruleset.leave(position.state, str(ruleset.to_act(position.state)), how))
            assert not left or left.termination == (how if is_by_people(left) else Termination.PLAYED)


def is_by_people(outcome: Outcome) -> bool:
    """Return whether players ended the game, instead of a rule that applied after somebody left."""
    return outcome.rule.startswith("AGN-ADMIN-") or "-LEAVE-" in outcome.rule


@every_ruleset
def test_ruleset_is_found_by_its_tags_and_its_slug(ruleset: AnyRuleset) -> None:
    assert find_ruleset({"Game": ruleset.game, "Rules": ruleset.edition}) is ruleset
    assert ruleset_by_slug(ruleset.slug) is ruleset
    assert ruleset.rules.name == "RULES.md"


@every_ruleset
def test_fixtures_include_finished_and_unfinished_games(ruleset: AnyRuleset) -> None:
    assert {replay.finished for replay in recorded(ruleset)} == {True, False}


# Records


def verify_text(text: str) -> Verdict:
    (verdict,) = verify_bytes(text.encode())
    return verdict


def replay_of(verdict: Verdict) -> Replay[Any, Any]:
    assert verdict.fault is None, verdict.fault
    assert verdict.replay is not None
    return verdict.replay


@given(playouts())
def test_replay_reaches_the_states_that_were_played(playout: Playout) -> None:
    states = replay_of(verify_text(playout.text())).states

    assert states == playout.states
    assert hash(states) == hash(playout.states)


@given(playouts())
def test_a_replay_is_a_fold(playout: Playout) -> None:
    ruleset = playout.ruleset

    def play(state: Any, token: str) -> Any:
        if token.startswith(("resign", "timeout")):
            return ruleset.leave(state, token[-1], LEAVING[token[:-2]])
        return ruleset.agree_draw(state) if token == "draw" else ruleset.apply(state, ruleset.parse_action(token))

    assert reduce(play, playout.tokens, playout.states[0]) == playout.states[-1]


@given(playouts())
def test_verdict_reflects_whether_the_game_is_over(playout: Playout) -> None:
    verdict, outcome = verify_text(playout.text()), playout.ruleset.outcome(playout.states[-1])

    assert verdict.verdict == (VERIFIED if outcome else UNFINISHED)
    assert verdict.outcome == outcome
    assert verdict.plies == len(playout.tokens)


@given(playouts(), comments)
def test_canonical_text_stays_unchanged_when_verified_again(playout: Playout, said: dict[int, str]) -> None:
    text = verify_text(playout.text(said)).text

    assert text is not None
    assert verify_text(text).text == text


@given(playouts(), comments)
def test_comments_stay_with_their_actions(playout: Playout, said: dict[int, str]) -> None:
    there = {ply: comment for ply, comment in said.items() if ply < len(playout.tokens)}

    assert replay_of(verify_text(playout.text(said))).comments == there


@given(playouts(), comments)
def test_text_and_json_hold_the_same(playout: Playout, said: dict[int, str]) -> None:
    verdict = verify_text(playout.text(said))
    back = verify_text(json.dumps(replay_of(verdict).as_json()))

    assert back.text == verdict.text
    assert replay_of(back).as_json() == replay_of(verdict).as_json()


@given(st.data(), playouts())
def test_game_digest_does_not_depend_on_formatting(data: st.DataObject, playout: Playout) -> None:
    plain, by_hand = verify_text(playout.text()), verify_text(data.draw(written(playout)))

    assert by_hand.digest == plain.digest
    assert replay_of(by_hand).states == playout.states


@given(playouts())
def test_names_and_dates_do_not_change_the_game(playout: Playout) -> None:
    renamed = {tag: f"player of {tag}" for tag in playout.tags if tag in {seat.tag for seat in playout.ruleset.seats}}
    tags = {**playout.tags, **renamed, "Date": "2026.03.14", "Event": "another"}
    other = Playout(playout.ruleset, tags, playout.states, playout.tokens)

    verdicts = verify_text(playout.text()), verify_text(other.text())

    assert verdicts[0].digest == verdicts[1].digest
    assert verdicts[0].record_digest != verdicts[1].record_digest


def changed(tokens: Sequence[str], random: Random, spares: Sequence[str]) -> list[str]:
    """Return the tokens of a game with one of them deleted, doubled, moved, inserted or replaced."""
    tokens, at = list(tokens), random.randrange(len(tokens))
    match random.randrange(5):
        case 0:
            del tokens[at]
        case 1:
            tokens.insert(at, tokens[at])
        case 2:
            tokens.insert(random.randrange(len(tokens)), tokens.pop(at))
        case 3:
            tokens[at] = slip(tokens[at], random) or "/"
        case _:
            tokens[at] = random.choice(spares)
    return tokens


@every_ruleset
def test_changed_game_is_rejected_or_has_another_digest(ruleset: AnyRuleset) -> None:
    random, spares = Random(f"changes of {ruleset.slug}"), universe(ruleset)
    verdicts = []

    for replay in [replay for replay in recorded(ruleset) if replay.actions] * by_tier(quick=4, long=12):
        tokens = changed(replay.actions, random, spares)
        if tokens != list(replay.actions):
            body = " ".join((*tokens, replay.result))
            head = "".join(f'[{name} "{value}"]\n' for name, value in replay.tags.items() if '"' not in value)
            verdict = verify_text(f"{head}\n{body}\n")
            verdicts.append(verdict.verdict)
            assert verdict.fault or replay.digest() != verdict.digest
            assert verdict.fault or replay.likeness() != verdict.likeness

    assert verdicts.count(REJECTED) > len(verdicts) / 2
