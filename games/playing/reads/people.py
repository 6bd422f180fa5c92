"""Who sits at tables: an account, a guest with a token, or a built-in bot."""

import secrets
from dataclasses import dataclass
from hashlib import sha256

from django.contrib.auth.models import AbstractBaseUser

from games.models import Table, TableSeat


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody at a table: one of account, guest or bot; nobody has none of the three."""

    account: AbstractBaseUser | None = None
    guest: str = ""
    """The digest of a guest's token."""
    bot: str = ""
    """The name of a built-in bot."""
    earlier: str = ""
    """The guest as whom an account played in this browser before it signed in: it goes on with that guest's games."""

    @property
    def is_somebody(self) -> bool:
        """Return whether this is anybody at all."""
        return self.account is not None or bool(self.guest or self.bot)

    def opened(self, table: Table) -> bool:
        """Return whether they opened a table."""
        if self.account:
            was_theirs = bool(self.earlier) and table.opened_by_guest == self.earlier
            return bool(table.opened_by_id == self.account.pk) or was_theirs
        if self.bot:
            return table.opened_by_id is None and not table.opened_by_guest
        return bool(self.guest) and table.opened_by_guest == self.guest

    def sits_in(self, seat: TableSeat) -> bool:
        """Return whether a seat is theirs."""
        if self.account:
            return bool(seat.account_id == self.account.pk) or (bool(self.earlier) and seat.guest == self.earlier)
        return bool(self.guest and seat.guest == self.guest) or bool(self.bot and seat.bot == self.bot)


NOBODY = Person()


def new_guest_token() -> str:
    """Return a token for a guest; only its digest is kept."""
    return secrets.token_hex(16)


def guest_of(token: str) -> str:
    """Return the digest under which a guest's token is kept."""
    return sha256(token.encode()).hexdigest()
