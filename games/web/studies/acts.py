"""What the author of a study does on its page: each act is a form with the version that it changes."""

from dataclasses import dataclass

from django.http import HttpRequest
from django.utils import timezone

from engine.studying import MOST_NODES, Mark, Tree
from engine.studying.editing import add_action, comment_on, drop, promote, switch_mark
from engine.studying.values import ROOT
from games.lookup import chapter_or_404, signed_in
from games.models import Study
from games.platform.errors import RefusedError
from games.studies import writing
from games.studies.reads.studies import tree_of
from games.web.parameters import number_from, text_from

EDITS = ("play", "comment", "mark", "promote", "drop", "title")


@dataclass(frozen=True, slots=True)
class Where:
    """The position that the page shows after an act."""

    chapter: int
    node: int = ROOT

    @property
    def query(self) -> str:
        """The query of its address."""
        return f"?chapter={self.chapter}" + (f"&node={self.node}" if self.node != ROOT else "")


def edit(request: HttpRequest, study: Study, name: str) -> Where:
    """Change a chapter as a form says, and store it.

    :raises RefusedError: when it has another version by now, or the account did not write it.
    :raises StudyError: when an action is not legal.
    """
    chapter = chapter_or_404(request, study.key, number_from(request.POST, "chapter"))
    tree = tree_of(chapter)
    node = _node(request, tree)
    changed, at = _changed(request, name, tree, node)
    title = text_from(request.POST, "title") if name == "title" else chapter.title
    version = number_from(request.POST, "version")
    writing.save_chapter(chapter, title, changed, version, by=signed_in(request), now=timezone.now())
    return Where(chapter.number, at)


def _node(request: HttpRequest, tree: Tree) -> int:
    """Return the position that a form is about; a position that is gone is the first one."""
    text = text_from(request.POST, "node")
    is_number = text.isascii() and text.isdigit() and len(text) <= len(str(MOST_NODES))
    return int(text) if is_number and int(text) < len(tree.nodes) else ROOT


def _changed(request: HttpRequest, name: str, tree: Tree, node: int) -> tuple[Tree, int]:
    if name == "play":
        return add_action(tree, node, text_from(request.POST, "token").strip())
    if name == "comment":
        return comment_on(tree, node, request.POST.get("comment", "")), node
    if name == "mark":
        cell, to, colour = (text_from(request.POST, field) for field in ("cell", "to", "colour"))
        return switch_mark(tree, node, Mark(cell, to, colour)), node
    if node == ROOT or name == "title":
        return tree, node
    return promote(tree, node) if name == "promote" else drop(tree, node)


def arrange(request: HttpRequest, study: Study, name: str) -> Where:
    """Move or remove a chapter. :raises RefusedError: when the account did not write it, or it is the last one."""
    chapter = chapter_or_404(request, study.key, number_from(request.POST, "chapter"))
    by, now = signed_in(request), timezone.now()
    if name == "remove":
        writing.remove_chapter(chapter, by=by, now=now)
        return Where(0)
    writing.move_chapter(chapter, -1 if name == "up" else 1, by=by, now=now)
    return Where(chapter.number)


def refused_texts(request: HttpRequest) -> dict[str, str]:
    """Return what was written in the forms of a refused act, so that it can be changed and sent again."""
    return {name: request.POST.get(name, "") for name in ("comment", "token")}


def sent_text(request: HttpRequest, error: RefusedError) -> str:
    """Return why nothing was stored, with the comment that was written, so that it is not lost."""
    comment = request.POST.get("comment", "")
    return f"{error.sentence} “{comment}”" if comment and error.code == "changed_meanwhile" else error.sentence
