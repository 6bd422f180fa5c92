"""Changes a record's text: adds actions and takes them back, changes comments and tags. The result is parsed again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from engine.agn.canonical import format_tags
from engine.agn.reading import tidy_comment
from engine.drafting.reading import Draft


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A change of a record."""

    at: int | None = None
    """The ply at which actions are added, or where the record is to end; without it, behind the last legal action."""
    play: Sequence[str] = ()
    """The tokens of actions that are added. What followed is dropped."""
    cut: bool = False
    """Whether what follows is dropped, also where nothing is added."""
    comments: Mapping[int, str] = field(default_factory=dict)
    """New comments by ply, -1 for the one before the first action; an empty one takes the comment away."""
    tags: Mapping[str, str] = field(default_factory=dict)
    """New values of tags; an empty one takes the tag away."""


def change(draft: Draft, wanted: Change) -> str:
    """Return the text of a changed record.

    It is parsed again afterwards, which shows whether it is legal. Everything after the first fault is dropped.
    """
    ends = wanted.cut or bool(wanted.play)
    kept = len(draft.actions) if wanted.at is None or not ends else max(0, wanted.at)
    actions = (*draft.actions[:kept], *wanted.play)
    comments = {**draft.comments, **wanted.comments}
    if ends:
        comments = {ply: text for ply, text in comments.items() if ply < kept or ply in wanted.comments}
    tags = {name: value for name, value in {**draft.tags, **wanted.tags}.items() if value}
    return compose(tags, actions, comments)


def compose(tags: Mapping[str, str], actions: Sequence[str], comments: Mapping[int, str]) -> str:
    """Return an unfinished record as text, not in canonical form: without numbers, on one line."""
    tidy = {ply: f"{{{found}}}" for ply, text in comments.items() if (found := tidy_comment(text))}
    words = [tidy[-1]] if -1 in tidy else []
    for ply, action in enumerate(actions):
        words += [action, tidy[ply]] if ply in tidy else [action]
    return f"{format_tags(tags)}\n{' '.join(words)}\n*\n"
