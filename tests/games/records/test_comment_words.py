"""Words of comments are taken out in a time that grows with the text, whatever stands in it."""

import pytest

from games.records.reads.comment_words import indexed


@pytest.mark.parametrize(
    ("comments", "words"),
    [
        ("Don't move", "don t move dont"),
        ("l\u2019aile d'une reine", "l aile d une reine laile dune"),
        ("it's rock'n'roll", "it s rock n roll its rocknroll"),
        ("'tis so_ 'quoted'", " tis so   quoted "),
    ],
)
def test_word_with_an_apostrophe_is_found_by_its_parts_and_without_it(comments: str, words: str) -> None:
    assert indexed(comments) == words


@pytest.mark.parametrize("unit", ["x", "x'", "x''", "x_", "'", "\u00e9"])
def test_longest_comment_of_one_pattern_is_taken_in_one_pass(unit: str) -> None:
    assert indexed(unit * 100_000)
