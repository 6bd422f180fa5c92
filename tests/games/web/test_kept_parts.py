"""Parts of pages that are rendered once for all readers."""

from django.template import Context, Template
from django.utils.translation import override

from games.web.game.replay import Move, MovesPage, Round, Turn
from games.web.kept_parts import _rendered

PART = Template('{% kept "games/records/moves.html" moves=moves asked=asked %}')


def moves(comment: str = "") -> MovesPage:
    turn = Turn("R", "red", (Move(1, "R1:N", comment, current=True),))
    return MovesPage((Round(1, (turn,)),), "", first=1, last=1, total=1, previous=None, next=None)


def rendered(comment: str = "", asked: str = "", **others: object) -> str:
    return PART.render(Context({"moves": moves(comment), "asked": asked, **others}))


def test_equal_values_are_rendered_once_whoever_reads() -> None:
    _rendered.cache_clear()

    assert rendered("Well played", user="Ada") == rendered("Well played", user="Bruno")
    assert (_rendered.cache_info().misses, _rendered.cache_info().hits) == (1, 1)


def test_other_values_are_rendered_anew() -> None:
    assert "Well played" in rendered("Well played")
    assert "Badly played" in rendered("Badly played")
    assert 'href="?ply=1&amp;result"' in rendered(asked="&result")
    assert 'href="?ply=1"' in rendered()


def test_another_language_is_rendered_anew() -> None:
    assert 'aria-label="Moves"' in rendered()
    with override("de"):
        assert 'aria-label="Züge"' in rendered()


def test_what_people_wrote_is_escaped() -> None:
    assert "&lt;b&gt;" in rendered("<b>")
