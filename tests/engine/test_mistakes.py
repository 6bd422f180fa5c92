"""The marks that show a mistake on a board."""

from dataclasses import replace
from xml.etree.ElementTree import fromstring

from engine.ant_trails.ruleset import ANT_TRAILS
from engine.scene import Piece, Scene, svg
from engine.scene.mistakes import GHOST, Mistake, drawing, mistaken

TAGS = {"Setup": "b5=2 c3=3 d6=1 e2=2 e8=3 f5=1 g7=2 h4=3 h9=1 i7=3 j6=1 j9=2"}
ANT = Piece("ant:c5", "ant-round", 58, 0, classes=("ant", "seat-black"))
MISTAKE = Mistake(at=(58, 0), pieces=(ANT,), offended=(0, 0), open_to=((0, 100), (100, 0)), played=(100, 0))


def marked(mistake: Mistake) -> Scene:
    scene = ANT_TRAILS.shown.scene(ANT_TRAILS.initial(TAGS))
    assert isinstance(scene, Scene)
    return mistaken(replace(scene, draw=drawing(scene.draw)), mistake)


def symbols(scene: Scene) -> list[str]:
    return [piece.symbol for piece in scene.pieces if "mark" in piece.classes]


def test_the_refused_piece_is_above_all_others_and_below_the_marks() -> None:
    pieces = marked(MISTAKE).pieces
    ghost = next(at for at, piece in enumerate(pieces) if GHOST in piece.classes)
    assert all("mark" in piece.classes for piece in pieces[ghost + 1 :])
    assert len(pieces) - ghost - 1 == len(symbols(marked(MISTAKE)))


def test_legal_places_have_a_dot_and_the_place_played_has_a_ring() -> None:
    assert symbols(marked(MISTAKE)).count("open") == 1
    assert "open-played" in symbols(marked(MISTAKE))
    assert "played" in symbols(marked(MISTAKE._replace(open_to=())))


def test_a_bar_connects_the_mistake_to_the_piece_it_conflicts_with() -> None:
    assert {"offended", "offence-10"} <= set(symbols(marked(MISTAKE)))
    assert "offended" not in symbols(marked(MISTAKE._replace(offended=None)))


def test_an_action_off_the_board_shows_only_the_marks_of_legal_places() -> None:
    assert symbols(marked(Mistake(at=None, open_to=((0, 100),)))) == ["open"]


def test_the_drawing_contains_marks_as_well_as_pieces() -> None:
    drawings = {drawn.get("id") for drawn in fromstring(svg(marked(MISTAKE))).iter()}
    assert {"refused-ring", "refused-stop", "offence-10", "tile", "sand"} <= drawings
