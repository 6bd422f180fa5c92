"""What the page of a film shows."""

from dataclasses import dataclass

from django.urls import reverse

from games.films.reads import films_before
from games.models import Film
from games.records.reads.embedding import title_of


@dataclass(frozen=True, slots=True)
class FilmShown:
    """A film that was asked for."""

    game: str
    game_url: str
    first: int
    last: int
    state: str
    is_video: bool
    before: int
    file: str
    still: str
    """Its first position, for who wants less motion."""
    size: int
    """The length of its longer side: its place is a square, so that nothing moves when it comes."""
    bytes: int
    again: str
    """Where to ask for another one."""

    @property
    def is_waiting(self) -> bool:
        """Return whether it is still to be made."""
        return self.state in {Film.State.WAITING, Film.State.MAKING}


def film_shown(film: Film) -> FilmShown:
    """Return what the page of a film shows."""
    game = film.game
    made = film.state == Film.State.MADE
    return FilmShown(
        game=title_of(game),
        game_url=game.get_absolute_url(),
        first=film.first,
        last=film.last,
        state=film.state,
        is_video=film.form == Film.Form.MP4,
        before=films_before(film),
        file=reverse("api-game-film-file", args=[game.key, film.pk]) if made else "",
        still=f"{reverse('api-game-picture', args=[game.key])}?ply={film.first}&size={film.size}&theme={film.theme}",
        size=film.size,
        bytes=film.bytes,
        again=reverse("game-films", args=[game.key]),
    )
