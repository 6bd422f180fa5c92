"""The dealing status of a record: sealed, proved, or broken by a rule."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dealing import Dealing
from engine.registry import RULESETS
from engine.report import of_verdict, plain
from engine.verify import REJECTED, UNFINISHED, VERIFIED
from tests.engine.agn.records import verdict_on
from tests.engine.dealing.made import ARMY, FOLDER, ONLINE, PRINTED
from tests.engine.dealing.played import ENTROPIES, NOBODY, SECRET, changed, record
from tests.golden import verdicts
from tests.strategies import AnyRuleset

PROVED_SAYS = "The deal follows from the secret and the players’ entropies."
SEALED_SAYS = "The deal can be checked once its secret is published."

each_ruleset = pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.slug)
entropy = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=64)


def dealing_of(text: str) -> Dealing:
    dealing = verdict_on(text).dealing
    assert dealing is not None, verdict_on(text).fault
    return dealing


def rule_and_place(text: str) -> tuple[str, str | None]:
    dealing = dealing_of(text)
    return dealing.status, dealing.rule


@pytest.mark.parametrize("path", sorted((FOLDER / "games").iterdir()), ids=lambda path: path.stem)
def test_a_game_that_was_dealt_is_proved_or_sealed(path: Path) -> None:
    (verdict,) = verdicts(path)

    assert verdict.dealing is not None
    assert (verdict.dealing.status, verdict.dealing.rule) == (path.stem.partition("-")[0], None)


@pytest.mark.parametrize("path", sorted((FOLDER / "shown").iterdir()), ids=lambda path: path.stem)
def test_broken_deal_names_its_rule_but_the_record_stays_legal(path: Path) -> None:
    (verdict,) = verdicts(path)

    assert verdict.verdict in (VERIFIED, UNFINISHED)
    assert verdict.dealing is not None
    assert (verdict.dealing.status, verdict.dealing.rule) == ("broken", "-".join(path.stem.split("-")[:3]))
    assert len(verdict.dealing.message) > 15


@each_ruleset
@given(st.data())
@settings(max_examples=8)
def test_a_record_made_from_a_deal_is_proved(ruleset: AnyRuleset, data: st.DataObject) -> None:
    seats = data.draw(st.sampled_from(sorted({len(line) for line in ruleset.seatings})))
    entropies = [data.draw(entropy) for _ in range(seats)]
    text = record(ruleset, entropies, how=data.draw(st.sampled_from(["drawn", "chosen"])), plies=8)

    assert rule_and_place(text) == ("proved", None)
    assert dealing_of(text).message == PROVED_SAYS


@each_ruleset
def test_unfinished_record_is_sealed_until_its_secret_is_given(ruleset: AnyRuleset) -> None:
    text = record(ruleset, end=NOBODY, plies=3)

    assert dealing_of(text).as_json() == {"status": "sealed", "rule": None, "message": SEALED_SAYS}
    assert rule_and_place(changed(text, DealingSecret=SECRET)) == ("proved", None)
    assert rule_and_place(changed(text, DealingSecret="6" * 64)) == ("broken", "DEAL-COMMIT-1")


@each_ruleset
@pytest.mark.parametrize(
    ("tag", "value", "rules"),
    [
        ("Dealing", "atta-deal/2", {"DEAL-TAG-1"}),
        ("DealingCommitment", "0" * 64, {"DEAL-COMMIT-1"}),
        ("DealingSecret", "0" * 64, {"DEAL-COMMIT-1"}),
        ("DealingEntropy1", "other", {"DEAL-FIRST-1", "DEAL-SETUP-1"}),
        ("DealingEntropy2", "~", {"DEAL-FIRST-1", "DEAL-SETUP-1"}),
        ("DealingFirst", "", {"DEAL-TAG-1"}),
        ("DealingSeats", "", {"DEAL-TAG-1"}),
        *((f"Dealing{tag}", None, {"DEAL-TAG-1"})
          for tag in ("Commitment", "Secret", "Entropy1", "Entropy2", "First", "Seats")),
    ],
)  # fmt: skip
def test_changing_any_dealing_tag_breaks_the_deal(
    ruleset: AnyRuleset, tag: str, value: str | None, rules: set[str]
) -> None:
    status, rule = rule_and_place(changed(record(ruleset), **{tag: value}))

    assert status == "broken"
    assert rule in rules


@pytest.mark.parametrize("ruleset", [ONLINE, PRINTED], ids=lambda ruleset: ruleset.slug)
@pytest.mark.parametrize("number", [1, 2, 4])
def test_playing_a_card_that_was_not_dealt_breaks_the_deal(ruleset: AnyRuleset, number: int) -> None:
    dealing = dealing_of(record(ruleset, ENTROPIES[:3], stray=number, plies=200))

    assert (dealing.status, dealing.rule) == ("broken", "DEAL-DECK-1")
    assert dealing.message.startswith(f"Card {number} of the deck is ")


def test_first_of_several_broken_rules_is_named() -> None:
    text = changed(record(ONLINE, ENTROPIES[:3], stray=1), DealingSeats="R O B")

    assert rule_and_place(text) == ("broken", "DEAL-FIRST-1")
    assert rule_and_place(changed(text, DealingSecret="0" * 64)) == ("broken", "DEAL-COMMIT-1")
    assert rule_and_place(changed(text, DealingSecret="0" * 64, Deck=None)) == ("broken", "DEAL-TAG-1")


@pytest.mark.parametrize("name", ["DealingEntropy0", "DealingEntropy3", "DealingEntropy01", "DealingEntropy"])
def test_entropy_tag_without_a_seat_is_rejected(name: str) -> None:
    dealing = dealing_of(changed(record(ARMY), **{name: "x"}))

    assert (dealing.rule, dealing.message) == (
        "DEAL-TAG-1",
        f"Tag {name} belongs to no seat: there is one such tag for each seat.",
    )


def test_first_player_of_2003_may_lay_only_a_ring_of_the_dealt_cards() -> None:
    pairs = ENTROPIES[:2], ENTROPIES[1:3]
    text, other = (record(PRINTED, entropies, how="chosen", plies=0) for entropies in pairs)
    ring = next(line for line in other.split("\n") if line.startswith("[Setup ")).split('"')[1]

    assert rule_and_place(text) == ("proved", None)
    assert dealing_of(changed(text, Setup=ring)).rule == "DEAL-SETUP-1"


def test_record_without_a_deal_has_no_dealing_status() -> None:
    verdict = verdict_on(changed(record(ARMY), Dealing=None))

    assert (verdict.verdict, verdict.dealing, verdict.as_json()["dealing"]) == (VERIFIED, None, None)


def test_rejected_record_has_no_dealing_status() -> None:
    verdict = verdict_on(changed(record(ARMY), Result="*"))

    assert (verdict.verdict, verdict.dealing, verdict.as_json()["dealing"]) == (REJECTED, None, None)


def test_a_deal_changes_neither_verdict_nor_game_digest() -> None:
    dealt = verdict_on(record(ARMY))
    plainly = verdict_on("\n".join(line for line in record(ARMY).split("\n") if not line.startswith("[Dealing")))

    assert (dealt.verdict, dealt.digest, dealt.likeness) == (plainly.verdict, plainly.digest, plainly.likeness)


def test_report_shows_the_dealing_status_below_the_verdict() -> None:
    proved, broken = (record(ARMY), changed(record(ARMY), DealingFirst="me"))

    assert of_verdict("x.agn", verdict_on(proved), plain).split("\n")[1:] == [f"    Dealing proved: {PROVED_SAYS}", ""]
    assert of_verdict("x.agn", verdict_on(broken), plain).split("\n")[1:] == [
        "    Dealing broken: DEAL-TAG-1: DealingFirst must be drawn or chosen, not 'me'.", ""
    ]  # fmt: skip
