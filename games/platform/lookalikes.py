"""Lookalike names: invisible characters, mixed scripts, and one form for all names that look the same (UTS 39).

The tables are Unicode's own (`confusables.txt` and the scripts of characters), as the library confusable-homoglyphs
brings them.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from functools import cache

from confusable_homoglyphs import categories
from confusable_homoglyphs.confusables import confusables_data
from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Value
from django.utils.crypto import salted_hmac

from engine.agn.names import name_key
from engine.quoting import is_needed
from games.models import AccountName, FormerName, Player, Seating
from games.models.folding import Folded

HELD_FOR = timedelta(days=365)
"""How long the name of a deleted account cannot be taken."""
MARKS_MOST = 2
"""Marks on one letter: the languages of the world get by with two, once they are composed."""
_ANY = frozenset({"COMMON", "INHERITED"})
_TOGETHER = (
    frozenset({"LATIN", "HAN", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "HAN", "HANGUL"}),
    frozenset({"LATIN", "HAN", "BOPOMOFO"}),
)
"""Scripts that are written together (UTS 39, highly restrictive)."""
_MOST = 400
"""Characters of a skeleton: a few characters are confused with a dozen, and an index takes no long rows."""
_LOOKED_AT = 1000
"""Names of players that are compared with those of a page."""
_ROUNDS = 3
"""A small letter may be confused with another prototype than its capital, and of two alike ours may be the other."""
_MARK = "\u200e"
_FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\u2800")
"""Letters and marks by their category that show nothing."""
_SELECTORS = ((0x180B, 0x180F), (0xFE00, 0xFE0F), (0xE0100, 0xE01EF))
"""Variation selectors: marks that show nothing by themselves."""


def is_invisible(letter: str) -> bool:
    """Return whether a character is invisible, or changes the direction of others."""
    if letter in _FILLERS or any(first <= ord(letter) <= last for first, last in _SELECTORS):
        return True
    return unicodedata.category(letter) in {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}


def mixes_scripts(name: str) -> bool:
    """Return whether a name mixes scripts that nobody writes in one word."""
    scripts = {categories.alias(letter) for letter in name} - _ANY
    return len(scripts) > 1 and not any(scripts <= those for those in _TOGETHER)


def stacks_marks(name: str) -> bool:
    """Return whether a letter has more marks than in any language, or the same mark twice (UTS 39)."""
    return any(is_heaped for _, is_heaped in _heaped(name))


def _heaped(text: str) -> Iterator[tuple[str, bool]]:
    """Yield each character of a text, composed, and whether it is one mark too many on its letter."""
    run, last = 0, ""
    for letter in unicodedata.normalize("NFC", text):
        is_mark = unicodedata.category(letter) in {"Mn", "Me"}
        run = run + 1 if is_mark else 0
        yield letter, run > MARKS_MOST or (is_mark and letter == last)
        last = unicodedata.normalize("NFD", letter)[-1]


def skeleton(name: str) -> str:
    """Return the form shared by all names that look like this one, whatever the case of their letters."""
    form = name
    for _ in range(_ROUNDS):
        form = _bare(form).casefold()
    return form[:_MOST]


def _bare(name: str) -> str:
    """Return the skeleton of UTS 39: decomposed, without what nobody sees, each character by its prototype.

    By compatibility, which UTS 39 leaves to who asks: a wide letter looks like a narrow one.
    """
    seen = (letter for letter in unicodedata.normalize("NFKD", name) if not is_invisible(letter))
    return unicodedata.normalize("NFKD", "".join(map(_prototype, seen)))


@cache
def _prototype(letter: str) -> str:
    """Return the character that a character is confused with; the result itself has no further one."""
    alike = _alike(letter)
    if len(alike) != 1:
        return letter
    mutual = _alike(alike[0]) == [letter]
    return min(letter, alike[0]) if mutual else alike[0]


def _alike(letter: str) -> list[str]:
    """Return what the table has beside a character; letters written leftwards stand between marks of direction."""
    found = confusables_data.get(letter) or confusables_data.get(f"{_MARK}{letter}{_MARK}") or ()
    return [str(one["c"]).strip(_MARK) for one in found]


# --- names as they are shown ------------------------------------------------------------------------------------------

_HIDDEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0"
    "\ufff9-\ufffb\U000e0000-\U000e0fff\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
)
_INVISIBLE = re.compile(f"[{_HIDDEN}\u200c\u200d]")


def has_invisible(text: str) -> bool:
    """Return whether a text has characters that nobody sees and no script needs there, or that change the direction."""
    return any(not is_needed(text, found.start()) for found in _INVISIBLE.finditer(text))


_BEYOND = re.compile("[\u0300-\u1fff\u2c00-\ud7ff\uf900-\U0010ffff]")
"""What a text without letters of other scripts than Latin, and without marks, has nothing of."""
_WORD = re.compile(
    "[^\\s\x00-\x2f\x3a-\x40\x5b-\x5e\x60\x7b-\xa9\xab-\xb4\xb6-\xb9\xbb-\xbf\u2000-\u206f\u20a0-\u2bff]+"
)
"""Letters, digits and marks that stand together, whatever of a page stands around them."""


def with_marks(text: str) -> str:
    """Return a text with deceptive characters written as ⟨U+202E⟩.

    That is what nobody sees or turns the direction, letters of another script within one word, and every mark on a
    letter beyond those that languages write.
    """
    shown = _INVISIBLE.sub(lambda found: found[0] if is_needed(text, found.start()) else _code(found[0]), text)
    return _WORD.sub(_plain_word, shown) if _BEYOND.search(shown) else shown


def name_with_marks(name: str, *, alike: bool | None = None) -> str:
    """Return a name as it is looked up, with deceptive characters written out.

    Those that its script needs are not, while no other player's name looks the same without them.

    :param alike: whether one does; none where the database is to be asked.
    """
    key = name_key(name)
    if alike is None:
        alike = key in names_alike([key])
    return with_marks(_INVISIBLE.sub(lambda found: _code(found[0]), key) if alike else key)


def names_alike(names: Iterable[str]) -> set[str]:
    """Return those of some names that have unseen characters and look like the name of another public player.

    :param names: as they are looked up.
    """
    unseen = {name: skeleton(name) for name in names if _INVISIBLE.search(name)}
    if not unseen:
        return set()
    public = Seating.objects.filter(player=OuterRef("pk"), game__private=False)  # or it would tell of private games
    others = Player.objects.filter(Exists(public), folded__in=[Folded(Value(name)) for name in unseen])
    found = {(skeleton(name), name) for name in others.values_list("name", flat=True).distinct()[:_LOOKED_AT]}
    return {name for name, form in unseen.items() if any(form == other and name != key for other, key in found)}


def _code(letter: str) -> str:
    return f"⟨U+{ord(letter):04X}⟩"


def _plain_word(found: re.Match[str]) -> str:
    """Return a word in which foreign letters and heaped marks are written out."""
    word = found[0]
    if word.isascii():
        return word
    if mixes_scripts(word):
        word = _of_one_script(word)
    return _without_heaps(word) if stacks_marks(word) else word


def _of_one_script(word: str) -> str:
    """Write out what is not Latin, or where nothing is, what is not of the first letter's script."""
    scripts = [categories.alias(letter) for letter in word]
    kept = "LATIN" if "LATIN" in scripts else next(script for script in scripts if script not in _ANY)
    return "".join(
        letter if script == kept or script in _ANY else _code(letter)
        for letter, script in zip(word, scripts, strict=True)
    )


def _without_heaps(word: str) -> str:
    return "".join(_code(letter) if is_heaped else letter for letter, is_heaped in _heaped(word))


# --- the names of accounts --------------------------------------------------------------------------------------------


def is_taken(name: str) -> bool:
    """Return whether an account has a name that looks like this one."""
    _keep_missing()
    return AccountName.objects.filter(skeleton=skeleton(name)).exists()


def hold(name: str, *, now: datetime) -> None:
    """Keep the name of an account that is deleted from being taken, and all that look like it, without storing it."""
    FormerName.objects.update_or_create(digest=_digest(name), defaults={"held_until": now + HELD_FOR})


def is_held(name: str, *, now: datetime) -> bool:
    """Return whether an account with a name that looks like this one was deleted not long ago."""
    return FormerName.objects.filter(digest=_digest(name), held_until__gt=now).exists()


def _digest(name: str) -> str:
    return salted_hmac("games.former_name", skeleton(name_key(name)), algorithm="sha256").hexdigest()


def keep_skeleton(account: User) -> None:
    """Store the skeleton of an account's name. :raises IntegrityError: when another account's name looks the same."""
    AccountName.objects.create(account=account, skeleton=skeleton(account.get_username()))


def _keep_missing() -> None:
    """Store it for accounts that were made on the server; of two that already look alike, for the older."""
    for account in User.objects.filter(lookalike=None).order_by("pk").iterator():
        form = skeleton(account.get_username())
        free = not AccountName.objects.filter(skeleton=form).exists()
        AccountName.objects.create(account=account, skeleton=form if free else None)
