"""The engine as pages use it in the browser: files are checked, records corrected, positions answered, as JSON.

Python runs there in WebAssembly, from an archive that `.ci/engine_archive.py` makes of these sources.
"""

import gzip
import io
import json
import time
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from datetime import date
from gettext import GNUTranslations
from importlib.resources import files
from typing import Any

from engine.agn.lines import json_line
from engine.drafting import IllegalError, UnreadableError, answer_position, answer_setup
from engine.exploring import PlayedOnError, answer_branch
from engine.fixes import Fixes, fixes_of
from engine.proving import LeaderboardProof, prove_game
from engine.registry import ruleset_by_slug
from engine.replay import Replay
from engine.ruleset import TagError
from engine.scene import film, last_scene, svg, union
from engine.suggesting import edited, suggest
from engine.touching import LayingError, Reader
from engine.verify import ENGINE_VERSION, REJECTED, Verdict, verify_bytes, verify_file
from engine.words import Translate, params_json, render, untranslated, words

Json = dict[str, Any]

LARGEST = 128 * 1024**2
"""Bytes of a file, unpacked. What is larger is checked on the server."""
_SUGGESTING = 1.0
"""Seconds that suggestions for one record may take."""
_POSITION: Json = {
    "text": "", "ply": None, "play": [], "cut": False, "comments": {}, "tags": {}, "drawn": None, "whole": True,
}  # fmt: skip
_NO_GAME = words("There is no game in this text.")
_MORE_GAMES = words("This text holds more than one game. Correct one at a time.")
_SETUP: Json = {"laid": {}, "deck": None, "hand": None}


class TooLargeError(ValueError):
    """A file is larger than a browser should hold."""


class Engine:
    """Answers in one language."""

    def __init__(self, language: str) -> None:
        self.translate = translation(language)

    @property
    def version(self) -> str:
        """The version of the rules, as named in stored verdicts."""
        return ENGINE_VERSION

    def check(self, name: str, data: bytes | memoryview, today: str) -> "Checking":
        """Begin to check a file, which may be packed with gzip or as a zip archive.

        :param today: the day in UTC, as 2026-11-29: later dates are a fault (AGN-TAG-6).
        :raises ValueError: when it cannot be unpacked.
        :raises TooLargeError: when it is too large.
        """
        return Checking(name, unpacked(name, bytes(data)), self.translate, date.fromisoformat(today))

    def position(self, body: str) -> str:
        """Answer a request to `POST /api/v1/positions`, with the same JSON."""
        return self._answer(body, _POSITION, lambda asked, reader: answer_position(_by_ply(asked), reader))

    def setup(self, slug: str, body: str) -> str:
        """Answer a request to `POST /api/v1/setups/SLUG`, with the same JSON."""
        ruleset = ruleset_by_slug(slug)
        return self._answer(body, _SETUP, lambda asked, reader: answer_setup(ruleset, asked, reader))

    def open(self, text: str) -> "Branches":
        """Begin to play on from a legal record, or the legal part of one, with other actions."""
        return Branches(self, text)

    def prove_game(self, record: bytes | memoryview, published: str) -> str:
        """Compare a game with its record.

        :param published: JSON: the game, and its canonical text and deal or null.
        """
        said = json.loads(published)
        findings = prove_game(bytes(record), said["game"], said["canonical"], said["deal"])
        return json_line({"findings": [finding.as_json() for finding in findings]})

    def prove_leaderboard(self) -> LeaderboardProof:
        """Begin to compute a leaderboard again."""
        return LeaderboardProof()

    def record(self, text: str, use: str, today: str) -> str:
        """Return the verdict on one record, its picture and possible corrections.

        :param use: the name of a suggestion to apply first, or nothing.
        :param today: as for `check`.
        """
        day = date.fromisoformat(today)
        verdicts = verify_bytes(text.encode(), day)
        if len(verdicts) != 1:
            message = (_NO_GAME if not verdicts else _MORE_GAMES).render(self.translate)
            return json_line({"error": {"code": "not_one", "message": message}})
        changed = _carried_out(verdicts[0], use) if use else None
        return json_line(self._panel(verify_bytes(changed, day)[0] if changed else verdicts[0]))

    def _answer(self, body: str, defaults: Json, answer: Callable[[Json, Reader], Json]) -> str:
        asked = defaults | json.loads(body)
        known, whole = frozenset(asked.get("known", ())), asked.get("whole", True)
        reader = Reader(known=known, whole=whole, touched=asked.get("touched", ()), translate=self.translate)
        try:
            return json_line(answer(asked, reader))
        except UnreadableError as error:
            fault = error.fault
            place = {"line": fault.line, "column": fault.column, "rule": fault.rule, "token": fault.token}
            code = "illegal" if isinstance(error, IllegalError) else "unreadable"
            return self.error(code, fault.template, fault.params, place)
        except LayingError as error:
            return self.error("not_laid", error.words.template, dict(error.words.params), {"parameter": "laid"})
        except TagError as error:
            return self.error("wrong_deck", error.template, error.params, {"parameter": "deck", "rule": error.rule})

    def error(self, code: str, template: str, params: Mapping[str, Any], place: Json) -> str:
        """Return an error in the same shape as the API."""
        message = render(template, params, self.translate)
        shape = {"code": code, "message": message, "template": template, "params": params_json(params), "place": place}
        return json_line({"error": shape})

    def _panel(self, verdict: Verdict) -> Json:
        until = time.monotonic() + _SUGGESTING
        found = suggest(verdict, enough=lambda: time.monotonic() > until) if verdict.fault else None
        fixes = fixes_of(verdict, found, self.translate)
        played = verdict.replay
        scenes = fixes.scenes if fixes and fixes.scenes else _last_scenes(played)
        return {
            **verdict.as_json(),
            "text": verdict.record.data.decode(errors="replace").replace("\r\n", "\n"),
            "message": _message(verdict, self.translate),
            "ruleset": self.translate(verdict.ruleset.title) if verdict.ruleset else "",
            "form": verdict.record.form,
            "board": svg(scenes[0], union(scenes), prefix="checked-", translate=self.translate) if scenes else "",
            "fixes": _fixes_json(fixes) if fixes else None,
        }


class Branches:
    """Positions to which other actions than those of a record would have led."""

    def __init__(self, engine: Engine, text: str) -> None:
        self._engine = engine
        (verdict,) = verify_bytes(text.encode())
        if verdict.replay is None:
            raise ValueError(_message(verdict, engine.translate))
        self._played = verdict.replay
        scenes = film(verdict.replay.ruleset, verdict.replay.states, verdict.replay.actions)
        self._known = frozenset(union(scenes).symbols)

    def branch(self, body: str) -> str:
        """Answer what `GET /api/v1/games/KEY/position` with `drawings=new` is asked, in the same JSON."""
        asked = {"play": (), "drawn": None, "whole": True, "touched": ()} | json.loads(body)
        ply, whole, touched = asked["ply"], asked["whole"], asked["touched"]
        reader = Reader(known=self._known, whole=whole, touched=touched, translate=self._engine.translate)
        try:
            return json_line(answer_branch(self._played, ply, asked["play"], reader, asked["drawn"]))
        except PlayedOnError as refused:
            error = refused.error
            place = {"ply": ply + refused.at, "rule": error.rule, "token": refused.token}
            return self._engine.error("illegal", error.template, error.params, place)


class Checking:
    """A file that is being checked, a little at a time."""

    def __init__(self, name: str, data: bytes, translate: Translate, today: date) -> None:
        self.name = name
        self.data = data
        self._translate = translate
        self._stream = io.BytesIO(data)
        self._verdicts = verify_file(self._stream, today)
        self._places = dict[int, tuple[int, int]]()

    def more(self, milliseconds: float) -> str:
        """Continue checking for a while. :returns: the new results: counts, lines of the report, rejected records."""
        until = time.monotonic() + milliseconds / 1000
        counts, lines, rejected = Counter[str](), list[str](), list[Json]()
        over = True
        for verdict in self._verdicts:
            counts[verdict.verdict] += 1
            lines.append(json_line({"file": self.name, **verdict.as_json()}))
            if verdict.verdict == REJECTED:
                record = verdict.record
                self._places[record.game] = (record.offset, len(record.data))
                rejected.append(_row(verdict, self._translate))
            if time.monotonic() > until:
                over = False
                break
        read = len(self.data) if over else self._stream.tell()
        found = {"over": over, "read": read, "of": len(self.data), "counts": counts}
        return json_line({**found, "report": "".join(lines), "rejected": rejected})

    def text_of(self, game: int) -> str:
        """Return the text of a rejected record."""
        begin, length = self._places[game]
        return self.data[begin : begin + length].decode(errors="replace")

    def corrected(self, texts: str) -> bytes:
        """Return the file with corrected texts for some rejected records.

        :param texts: JSON: the text by the record's number.
        """
        pieces, at = list[bytes](), 0
        for game, text in sorted((int(game), text) for game, text in json.loads(texts).items()):
            begin, length = self._places[game]
            pieces += [self.data[at:begin], text.encode()]
            at = begin + length
        return b"".join([*pieces, self.data[at:]])


def translation(language: str) -> Translate:
    """Return the translation into a language, or into English if the archive has no catalogue for it."""
    path = files("engine") / "locale" / language / "LC_MESSAGES" / "engine.mo"
    if not path.is_file():
        return untranslated
    with path.open("rb") as file:
        catalogue = GNUTranslations(file)

    def translated(template: str, plural: str = "", number: int = 1, /) -> str:
        return catalogue.ngettext(template, plural, number) if plural else catalogue.gettext(template)

    return translated


def unpacked(name: str, data: bytes) -> bytes:
    """Return a file's text; for a zip archive, the texts of all its files one after another.

    :raises TooLargeError: when there is too much of it.
    :raises ValueError: when it is damaged.
    """
    try:
        if data.startswith(b"PK\x03\x04"):
            return _unzipped(data)
        if data.startswith(b"\x1f\x8b"):
            with gzip.open(io.BytesIO(data)) as file:
                return _bounded(file.read(LARGEST + 1))
    except (OSError, EOFError, zlib.error, zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        raise ValueError(f"{name}: {error}") from error
    return _bounded(data)


def _unzipped(data: bytes) -> bytes:
    whole = bytearray()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for entry in archive.infolist():
            if not entry.is_dir():
                with archive.open(entry) as file:
                    whole += file.read(LARGEST + 1 - len(whole)) + b"\n"
                _bounded(whole)
    return bytes(whole)


def _bounded(data: bytes | bytearray) -> bytes:
    if len(data) > LARGEST:
        raise TooLargeError
    return bytes(data)


def _carried_out(verdict: Verdict, use: str) -> bytes | None:
    """Return a record with a suggestion applied; None if there is no such suggestion."""
    found = suggest(verdict)
    chosen = next((one for one in found.found if one.edit.name == use), None) if found else None
    return edited(verdict.record, chosen.edit) if chosen else None


def _by_ply(asked: Json) -> Json:
    return asked | {"comments": {int(ply): text for ply, text in asked["comments"].items()}}


def _row(verdict: Verdict, translate: Translate) -> Json:
    fault = verdict.fault
    return {
        "game": verdict.record.game,
        "line": fault and fault.line,
        "column": fault and fault.column,
        "rule": fault and fault.rule,
        "message": _message(verdict, translate),
    }


def _message(verdict: Verdict, translate: Translate) -> str:
    if verdict.fault:
        return render(verdict.fault.template, verdict.fault.params, translate)
    return verdict.outcome.reason.render(translate) if verdict.outcome else ""


def _last_scenes(played: Replay[Any, Any] | None) -> tuple[Any, ...]:
    return (last_scene(played.ruleset, played.states, played.actions),) if played else ()


def _fixes_json(fixes: Fixes) -> Json:
    """Return the offered corrections without their scenes, which the board shows."""
    shown = asdict(replace(fixes, scenes=()))
    del shown["scenes"]
    return shown
