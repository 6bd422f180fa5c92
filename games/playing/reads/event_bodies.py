"""The content of a table's event stream: each event as stored, with what it changes on the board."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from xml.etree.ElementTree import tostring

from engine.scene import frames
from engine.scene.values import Scene
from engine.words import Translate
from games.models import Table, TableEvent
from games.playing.reads.position import stored_tokens, tokens_of
from games.playing.reads.scenes import Step, steps
from games.playing.reads.state import position_seen

Json = dict[str, Any]


def events_after(table: Table, number: int, most: int) -> list[TableEvent]:
    """Return the events of a table after one, at most so many."""
    return list(table.events.filter(number__gt=number).order_by("number")[:most])


def bodies(table: Table, events: Sequence[TableEvent], translate: Translate) -> Iterator[Json]:
    """Yield the content of consecutive events of a table.

    All of it is public: an event is stored only when it happens, and the board shows only the actions up to it.
    """
    shown = _shown(table, events)
    for event in events:
        body = {"number": event.number, "kind": event.kind, "at": event.at.isoformat(), **event.body}
        ply = _ply(event)
        yield body | (_change(shown[ply], ply, translate) if ply in shown else {})


def whole(table: Table, translate: Translate) -> Json:
    """Return the whole board of a table as it is now; None while there is no board."""
    scene = scene_seen(table)
    return _change(Step(None, scene), table.plies, translate) if scene else {}


def drawings_seen(table: Table) -> set[str]:
    """Return the names of the drawings that lie on the board of a table: its events have brought them."""
    scene = scene_seen(table)
    return _symbols(scene) if scene else set()


def scene_seen(table: Table) -> Scene | None:
    """Return the current scene of a table; None before it has a setup, and if the stored game was altered."""
    tokens = tokens_of(table)
    return steps(table, tokens, table.plies)[-1].after if position_seen(table, tokens) else None


def _ply(event: TableEvent) -> int:
    """Return the ply of the board after an event; -1 if it does not change the board."""
    if event.kind == "act":
        return int(event.body["ply"]) + 1
    return 0 if event.kind in {"begun", "setup"} and event.body.get("setup") else -1


def _shown(table: Table, events: Iterable[TableEvent]) -> dict[int, Step]:
    plies = [ply for event in events if (ply := _ply(event)) >= 0]
    if plies and not table.setup:
        table.refresh_from_db()  # it was read before the events
    if not plies or position_seen(table, tokens_of(table)) is None:
        return {}
    tokens = stored_tokens(table)[: max(plies)]
    found = dict(zip(range(min(plies), max(plies) + 1), steps(table, tokens, min(plies)), strict=True))
    if table.hand and 1 in found:
        found[1] = Step(None, found[1].after)  # a seat that leaves instead of laying the setup has shown none
    return found


def _change(step: Step, ply: int, translate: Translate) -> Json:
    """Return what a browser needs to show a scene after the previous one, or from nothing."""
    before, after = step.before, step.after
    frame = frames([after], ply, translate)[0] if before is None else frames([before, after], ply - 1, translate)[1]
    known = _symbols(before) if before else set()
    drawings = {name: tostring(after.draw(name), encoding="unicode") for name in sorted(_symbols(after) - known)}
    change: Json = {"frame": frame, "symbols": drawings}
    if before is None or (before.box, before.labels) != (after.box, after.labels):
        labels = sorted(after.labels, key=str)  # the same in each process
        change |= {
            "box": list(after.box),
            "labels": [{"text": label.text, "x": label.x, "y": label.y} for label in labels],
        }
    return change


def _symbols(scene: Scene) -> set[str]:
    return {piece.symbol for piece in (*scene.pieces, *(piece for tray in scene.trays for piece in tray.pieces))}
