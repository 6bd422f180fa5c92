"""A chapter is written and read back unchanged, and every fault of it is refused with its rule and its place."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine.registry import RULESETS
from engine.studying import Mark, Node, StudyError, Tree, play, read_file, tree_from_json, tree_json, write
from engine.studying.playing import cells
from engine.studying.values import tidy
from engine.verify import REJECTED, VERIFIED, verify_bytes
from tests.strategies import AnyRuleset, recorded

every_ruleset = pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.slug)

CHAPTER = """\
[Game "Army Ants"]
[Rules "standard"]
[Seats "R B"]
[Red "Ada"]
[Black "Bruno"]
[Setup "46.8Q/74625/8AA99/73352/Q374A/8697A/54569/22.83"]
[Result "*"]

"""


def begun(ruleset: AnyRuleset) -> Tree:
    """Return the beginning of a recorded game."""
    played = next(one for one in recorded(ruleset) if len(one.actions) > 6)
    nodes = tuple(Node(token, at - 1) for at, token in enumerate(played.actions[:6]))
    return Tree(
        {name: played.tags[name] for name in ("Game", "Rules", "Seats", "Deck", "Setup") if name in played.tags}, nodes
    )


def branched(ruleset: AnyRuleset, random: Random) -> Tree:
    """Return a chapter with nested variations, comments and marks."""
    tree = begun(ruleset)
    for number in range(12):
        played = play(tree)
        at = random.randrange(-1, len(tree.nodes))
        state: Any = played.state(at)
        here = {node.token for node in tree.nodes if node.parent == at}
        legal = [token for token in map(ruleset.format_action, ruleset.legal_actions(state)) if token not in here]
        if legal:
            one, other = random.sample(sorted(cells(played.scene(at))), 2)
            marks = (Mark(one), Mark(one, other, "blue"))[: number % 3]
            tree = Tree(
                tree.tags, (*tree.nodes, Node(random.choice(legal), at, "why (not)" * (number % 2), marks)), "About"
            )
    return tree


def lines(tree: Tree) -> set[Any]:
    """Return all lines of a tree, with what is said about each position, whatever the order of its nodes."""
    played = play(tree)
    return {(tuple(played.played(at)[1]), node.comment, node.marks) for at, node in enumerate(tree.nodes)}


@every_ruleset
def test_chapter_with_variations_is_written_and_read_back(ruleset: AnyRuleset) -> None:
    tree = branched(ruleset, Random(ruleset.slug))

    text = write(play(tree), {}, {"Study": "Openings", "Chapter": "First"})
    title, [chapter] = read_file(text.encode(), 1)

    assert (title, chapter.title, chapter.played.tree.comment) == ("Openings", "First", "About")
    assert lines(chapter.played.tree) == lines(tree)
    assert chapter.played.tree.main_line() != []
    assert write(chapter.played, {}, {"Study": "Openings", "Chapter": "First"}) == text


@every_ruleset
def test_chapter_is_the_same_after_it_was_json(ruleset: AnyRuleset) -> None:
    tree = branched(ruleset, Random(ruleset.slug))

    assert tree_from_json(tree_json(tree)) == tree


@every_ruleset
def test_strict_reader_refuses_variations_and_names_studies(ruleset: AnyRuleset) -> None:
    (verdict,) = verify_bytes(write(play(branched(ruleset, Random(ruleset.slug))), {}, {}).encode())

    assert verdict.verdict == REJECTED
    assert verdict.fault is not None
    assert verdict.fault.rule == "AGN-MOVE-3"
    assert verdict.fault.message == "Variations in parentheses are not supported in version 1: only studies have them."


@every_ruleset
def test_chapter_without_variations_is_a_record(ruleset: AnyRuleset) -> None:
    played = next(one for one in recorded(ruleset) if one.finished)

    _, [chapter] = read_file(played.text().encode(), 1)
    names = {seat.letter: played.tags.get(seat.tag, "") for seat in ruleset.seats}
    (verdict,) = verify_bytes(write(chapter.played, names, {}).encode())

    assert verdict.verdict == VERIFIED
    assert verdict.replay is not None
    assert verdict.replay.digest() == played.digest()


def test_variation_replaces_the_action_before_it() -> None:
    text = CHAPTER + "1. a2b3 (1. a1a2 {[%cells red a1] [%arrows blue a1>a2 a2>a3] why} 1. b8a8) 1. a8b8 *"
    _, [chapter] = read_file(legal(text).encode(), 1)

    tokens = [(node.token, node.parent) for node in chapter.played.tree.nodes]
    assert [parent for _, parent in tokens] == [-1, -1, 1, 0]
    assert chapter.played.tree.nodes[1].comment == "why"
    assert chapter.played.tree.nodes[1].marks == (
        Mark("a1", "", "red"),
        Mark("a1", "a2", "blue"),
        Mark("a2", "a3", "blue"),
    )


def legal(text: str) -> str:
    """Return a text with legal actions in place of its four."""
    played = play(read_file((CHAPTER + "*").encode(), 1)[1][0].played.tree)
    ruleset = played.ruleset
    one, other, *_ = ruleset.legal_actions(played.states[0])
    answers = [next(iter(ruleset.legal_actions(ruleset.apply(played.states[0], action)))) for action in (other, one)]
    tokens = map(ruleset.format_action, (one, other, *answers))
    for name, token in zip(("a2b3", "a1a2", "b8a8", "a8b8"), tokens, strict=True):
        text = text.replace(name, token)
    return text


@pytest.mark.parametrize(
    ("movetext", "rule", "column", "sentence"),
    [
        ("( a2b3 ) *", "AGN-MOVE-3", 1, "A variation must follow the action that it replaces."),
        ("a2b3 ( a1a2 *", "AGN-MOVE-3", 0, "This variation is never closed."),
        ("a2b3 ( ) *", "AGN-MOVE-3", 0, "This variation has no action."),
        ("a2b3 ) *", "AGN-MOVE-3", 0, "This variation was never opened."),
        ("a2b3 ( a2b3 ) *", "AGN-MOVE-3", 0, "appears here twice."),
        ("a2b3 ( 7. a1a2 ) *", "AGN-MOVE-2", 0, "Expected move number 1, found '7.'."),
        ("a2b3", "AGN-RESULT-1", 0, "The result is missing."),
        ("a2b3 2-1", "AGN-RESULT-2", 0, "If Red gave up, the action before the result is resign:R (AGN-ADMIN-1)."),
        ("{[%cells z9]} *", "AGN-MOVE-3", 1, "There is no cell 'z9' to mark."),
        ("{never closed *", "AGN-MOVE-3", 1, "This comment is never closed."),
        ("x " * 5001 + "( *", "AGN-FILE-2", 10001, "A chapter can have at most 5000 actions."),
        ("{" + "[%cells " * 30_000 + "} *", "AGN-FILE-2", 1, "A comment can have at most 2000 characters."),
        ("(" * 5000, "AGN-MOVE-3", 1, "A variation must follow the action that it replaces."),
    ],
)
def test_fault_of_a_chapter_names_rule_and_place(movetext: str, rule: str, column: int, sentence: str) -> None:
    with pytest.raises(StudyError) as refused:
        read_file(legal(CHAPTER + movetext).encode(), 1)

    assert refused.value.rule == rule
    assert str(refused.value).endswith(sentence)
    assert refused.value.place is not None
    assert refused.value.place[0] == (1 if "[%cells" in movetext else 9)
    assert column in (0, refused.value.place[1])


def test_illegal_variation_is_refused_with_its_place_and_rule() -> None:
    text = legal(CHAPTER + "a2b3 ( a1a2 a2b3 ) *")

    with pytest.raises(StudyError) as refused:
        read_file(text.encode(), 1)

    assert refused.value.rule.startswith("ARMY-")
    assert refused.value.place == (
        9,
        text.splitlines()[8].rindex("(") + text.splitlines()[8].split("( ")[1].index(" ") + 4,
    )


def test_deep_nesting_needs_no_recursion() -> None:
    text = legal(CHAPTER + "a2b3" + " ( a2b3" * 3000)

    with pytest.raises(StudyError, match="never closed"):
        read_file(text.encode(), 1)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"comment": "x" * 2001}, "A comment can have at most 2000 characters."),
        ({"marks": [{"cell": f"a{n}"} for n in range(33)]}, "A position can have at most 32 marks."),
        (
            {"marks": [{"cell": "a1", "colour": "pink"}]},
            "'pink' is not a colour of marks: use green, red, blue, yellow.",
        ),
        ({"marks": [{"cell": "a1", "to": "a1"}]}, "An arrow cannot end where it begins, on a1."),
        ({"marks": "a1"}, "marks must be a list."),
        ({"comment": "\x00"}, "A string contains a control character or an incomplete character."),
        (
            {"nodes": [{"token": "x", "parent": 0}]},
            "The parent of an action must be the number of an earlier action, or -1.",
        ),
        ({"nodes": [{"token": "x"}]}, "The parent of an action must be the number of an earlier action, or -1."),
        ({"nodes": [{"token": "1-2", "parent": -1}]}, "'1-2' is not a single action."),
        ({"nodes": [{"token": "x", "parent": -1}] * 5001}, "A chapter can have at most 5000 actions."),
        ({"tags": {}}, "Tag Game is missing."),
        ({"tags": []}, "The tags of a chapter must be an object."),
    ],
)
def test_chapter_in_json_is_refused_with_a_reason(change: dict[str, Any], sentence: str) -> None:
    _, [chapter] = read_file((CHAPTER + "*").encode(), 1)

    with pytest.raises(StudyError) as refused:
        play(tree_from_json(tree_json(chapter.played.tree) | change))

    assert str(refused.value) == sentence


@pytest.mark.parametrize("text", ["a\x01b", "a\ud800b"])
def test_text_that_could_not_be_read_again_is_refused(text: str) -> None:
    _, [chapter] = read_file((CHAPTER + "*").encode(), 1)

    for changes in ({"comment": text}, {"nodes": (Node(text, -1),)}):
        with pytest.raises(StudyError, match="A string contains a control character"):
            play(replace(chapter.played.tree, **changes))


def test_line_ends_of_a_comment_become_blanks() -> None:
    assert tidy("one\r\ntwo\rthree\n") == "one two three"


@pytest.mark.parametrize("comment", ["\xa0", "}{", "[%cells a1]", "(1. a2b3)", "; *", "%"])
def test_odd_comment_is_written_and_read_back(comment: str) -> None:
    _, [begun] = read_file((CHAPTER + "*").encode(), 1)
    tree = replace(begun.played.tree, comment=tidy(comment))

    _, [chapter] = read_file(write(play(tree), {}, {}).encode(), 1)

    assert chapter.played.tree == tree


def test_more_chapters_than_allowed_are_refused() -> None:
    with pytest.raises(StudyError, match="A study can have at most 1 chapters"):
        read_file(f"{CHAPTER}*\n\n{CHAPTER}*\n".encode(), 1)
