"""The parts of a table's page that change with its events, as the page's script gets them without loading it again."""

from collections.abc import Collection, Sequence

from django.template.loader import render_to_string

from games.models import Table, TableSeat
from games.playing.reads import own
from games.playing.reads.people import Person
from games.playing.reads.state import may_join
from games.web.play.table import table_page

_TOKEN = "of-the-page"  # noqa: S105 - in its place, as these parts are made without a request


def parts_html(table: Table, viewer: Person, known: Collection[str] = ()) -> str:
    """Return the parts of a table's page for a viewer, in the language that is active.

    The page's script gives the forms its token against forged requests.

    :param known: the drawings that the page has already.
    """
    values = {"page": table_page(table, viewer, tuple(known)), "user": viewer.account, "csrf_token": _TOKEN}
    return render_to_string("games/play/parts.html", values)


def audience(table: Table, seats: Sequence[TableSeat], viewer: Person) -> str:
    """Return whose parts a viewer gets: everybody with the same audience gets the same.

    Who sits at the table or has opened it is alone. Of the others only those before the game differ, by whether
    they may sit down and whether they are signed in.
    """
    if viewer.opened(table) or any(viewer.sits_in(seat) for seat in seats):
        return own.name_of(viewer)
    if table.state != Table.State.OPEN:
        return ""
    joins = "may join" if may_join(table, list(seats), viewer) else "looks on"
    return f"{joins}, {'account' if viewer.account else 'guest'}"
