"""Clubs, members and seasons, locked until the transaction ends. Lock a club before reading what to change."""

from games.clubs.errors import ClubError
from games.models import Club, ClubMember, Season


def locked_club(club: int) -> Club:
    """Return a club by its primary key, locked. :raises ClubError: when it no longer exists."""
    found = Club.objects.select_for_update(no_key=True).filter(pk=club).first()
    if found is None:
        raise ClubError("no_club", "This club no longer exists.")
    return found


def locked_member(club: Club, member: ClubMember) -> ClubMember:
    """Return a member of a locked club as they are now. :raises ClubError: when they have left."""
    found = club.members.select_for_update(no_key=True).filter(pk=member.pk).first()
    if found is None:
        raise ClubError("left", "{name} is no longer a member.", name=member.name)
    return found


def locked_season(club: Club, season: Season) -> Season:
    """Return an open season of a locked club as it is now. :raises ClubError: when it is closed."""
    found = club.seasons.select_for_update(no_key=True).get(pk=season.pk)
    if found.closed_at:
        raise ClubError("closed", "This season is already closed.")
    return found
