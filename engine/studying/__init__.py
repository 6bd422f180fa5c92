"""Studies: a game, or a position, with variations, comments and marks on the board.

`values` holds a chapter's tree, `branching` makes one of a game, `editing` changes it, `playing` checks it by the
rules, `drawing` draws its positions, `shape` is its JSON, `writing` and `reading` its text: AGN with variations in
parentheses, which records refuse (AGN-MOVE-3).
"""

from engine.studying.branching import Branch, chapter_of_game
from engine.studying.drawing import draw
from engine.studying.playing import PlayedTree, play, play_checked
from engine.studying.reading import FORMAT, ReadChapter, check_all_actions, read_file
from engine.studying.shape import chapter_from_json, chapter_json, tree_from_json, tree_json
from engine.studying.values import (
    COLOURS,
    MOST_COMMENT,
    MOST_NODES,
    MOST_OF_STUDY,
    MOST_TITLE,
    Mark,
    Node,
    StudyError,
    TooLongError,
    Tree,
    without_controls,
)
from engine.studying.writing import write

__all__ = [
    "COLOURS",
    "FORMAT",
    "MOST_COMMENT",
    "MOST_NODES",
    "MOST_OF_STUDY",
    "MOST_TITLE",
    "Branch",
    "Mark",
    "Node",
    "PlayedTree",
    "ReadChapter",
    "StudyError",
    "TooLongError",
    "Tree",
    "chapter_from_json",
    "chapter_json",
    "chapter_of_game",
    "check_all_actions",
    "draw",
    "play",
    "play_checked",
    "read_file",
    "tree_from_json",
    "tree_json",
    "without_controls",
    "write",
]
