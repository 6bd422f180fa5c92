"""The German translation of all texts is complete and consistent."""

import re
import shutil
from pathlib import Path
from string import Formatter

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import override_settings

from engine.scene.film import film, frames
from engine.verify import Verdict, verify_bytes
from engine.words import render, untranslated
from games.web.uploads.samples import samples
from tests.catalogue import CATALOGUES, ROOT, compiled, messages
from tests.sentences import templates
from tests.tiers import LONG, by_tier

MESSAGES = [message for catalogue in CATALOGUES for message in messages(catalogue) if message.key]
SENTENCES = {sentence for message in MESSAGES for sentence in message.sentences}
RECORDS = [path for path in sorted((ROOT / "fixtures").rglob("*.agn")) if LONG or path.parent.name != "canonical"]
"""In the quick tier not the canonical form of what is there otherwise."""


def test_every_message_is_translated_into_german() -> None:
    assert [message.key for message in MESSAGES if not all(message.texts) or message.fuzzy] == []


def test_apostrophes_are_curly() -> None:
    assert [sentence for sentence in SENTENCES if re.search(r"[A-Za-z}]'[a-z ]", sentence)] == []


def test_translations_use_the_same_placeholders() -> None:
    pairs = [pair for message in MESSAGES for pair in zip(message.sentences, message.texts, strict=True)]
    assert [text for sentence, text in pairs if _places(text) != _places(sentence)] == []


def _places(text: str) -> set[str]:
    """A placeholder: `{name!r:x}`, or `%(name)s` on pages."""
    named = set(re.findall(r"%\(\w+\)s", text))
    return named or {f"{name}!{how}:{spec}" for _, name, spec, how in Formatter().parse(text) if name}


# `Sie` and `Ihr` may begin a sentence about a thing; capitalized elsewhere they address the reader formally.
FORMAL = re.compile(r"(?<![.:!?„>] )(?<![„>])(?<!^)\b(Sie|Ihr(e[mnrs]?)?|Ihnen)\b")


def test_german_texts_never_address_the_reader_formally() -> None:
    assert [text for message in MESSAGES for text in message.texts if FORMAL.search(text)] == []


REPLACED = re.compile("Anmeldename|Brett|Wiederherstellungscode|wäre wenn|[Gg]efolgte Spieler")
"""Other words for what docs/contributing/translating.md names."""


def test_words_that_were_replaced_do_not_come_back() -> None:
    assert [text for message in MESSAGES for text in message.texts if REPLACED.search(text)] == []


ONE_WORD = {
    "annul": "annull", r"bots?\b": "bot", "claim": "anspruch|ansprüche|beanspruch", "digest": "prüfsumme",
    "dispute": "anf[ei]cht|angefocht|ficht", "dump": "monatsdatei", "export": "export", "flag": "hinweis",
    "leaderboard": "rangliste", "club": "klub", "organiser": "leit", "passkey": "passkey",
    "recovery code": "notfallcode", "rejected": "abgelehnt", "training game": "übungspartie",
    "unrated": "ungewertet|ohne wertung", "vouch": "bürg", "webhook": "webhook",
}  # fmt: skip
"""The German term for each term of docs/contributing/translating.md."""


@pytest.mark.parametrize("term", ONE_WORD)
def test_each_term_has_one_german_translation(term: str) -> None:
    pairs = [pair for message in MESSAGES for pair in zip(message.sentences, message.texts, strict=True)]
    plain = [(re.sub(r"\W[({]\w+[)}]", "", sentence.lower()), text.lower()) for sentence, text in pairs]
    named = [text for sentence, text in plain if re.search(rf"\b{term}", sentence)]
    assert named
    assert [text for text in named if not re.search(ONE_WORD[term], text)] == []


@pytest.mark.parametrize("catalogue", CATALOGUES, ids=lambda path: path.parents[3].name)
def test_compiled_catalogue_matches_its_source(catalogue: Path) -> None:
    written = {message.key: "\0".join(message.texts) for message in messages(catalogue) if message.key}
    made = compiled(catalogue.with_suffix(".mo"))
    assert "nplurals=2; plural=(n != 1)" in made.pop("")
    assert made == written, "run `make setup`"


def test_sentence_used_by_many_games_has_one_german_translation() -> None:
    texts = {message.key: message.texts for message in MESSAGES}
    assert [message.key for message in MESSAGES if message.texts != texts[message.key]] == []


@pytest.mark.full
def test_every_template_of_the_engine_is_in_the_catalogue() -> None:
    assert {template: at for template, at in templates().items() if template not in SENTENCES} == {}


@pytest.mark.parametrize(
    "path", by_tier(quick=RECORDS[::3], full=RECORDS, long=RECORDS), ids=lambda path: f"{path.parent.name}/{path.stem}"
)
def test_all_that_the_engine_says_of_a_record_is_in_the_catalogue(path: Path) -> None:
    said = set[str]()

    for verdict in verify_bytes(path.read_bytes()):
        _collect(verdict, said)

    assert said <= SENTENCES


def _collect(verdict: Verdict, said: set[str]) -> None:
    """Have every message translated, and record it."""

    def note(template: str, plural: str = "", number: int = 1, /) -> str:
        said.update(filter(None, (template, plural)))
        return untranslated(template, plural, number)

    if verdict.fault:
        render(verdict.fault.template, verdict.fault.params, note)
    if verdict.dealing:
        render(verdict.dealing.template, verdict.dealing.params, note)
    if verdict.outcome:
        verdict.outcome.reason.render(note)
    if verdict.replay:
        played = verdict.replay
        list(frames(film(played.ruleset, played.states, played.actions), 0, note))


def test_no_template_formats_dates_for_one_language_only() -> None:
    pages = {path.name: path.read_text() for path in (ROOT / "games" / "templates").rglob("*.html")}
    shown = {name: re.sub(r'datetime="[^>]*>', "", page) for name, page in pages.items()}
    assert [name for name, page in shown.items() if re.search(r'date:"[^"]*[a-z]', page)] == []


def test_every_sample_title_is_in_the_catalogue() -> None:
    assert {str(sample.title) for sample in samples()} <= SENTENCES


@pytest.mark.full
@pytest.mark.skipif(shutil.which("xgettext") is None, reason="xgettext is not installed, so nothing can be collected")
def test_catalogue_is_up_to_date_with_the_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("atta_site", "engine", "games"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__", "vendor"))
    monkeypatch.chdir(tmp_path)

    with override_settings(LOCALE_PATHS=[tmp_path / Path(path).relative_to(ROOT) for path in settings.LOCALE_PATHS]):
        call_command("makemessages", locale=["de"], verbosity=0)

    for catalogue in CATALOGUES:
        collected = tmp_path / catalogue.relative_to(ROOT)
        assert _translations(collected) == _translations(catalogue), "run `make messages`"


def _translations(path: Path) -> dict[str, tuple[str, ...]]:
    """Return a catalogue's messages regardless of order and source location: files may be moved."""
    return {message.key: message.texts for message in messages(path)}
