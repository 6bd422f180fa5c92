"""The sentences that the score sheet's script says, in the reader's language."""

from django.utils.translation import gettext, ngettext, pgettext


def texts() -> dict[str, str | list[str]]:
    """Return them by their names; in braces stands what the script fills in, and a list has one and many."""
    return _sheet() | _board() | _dialogs()


def _sheet() -> dict[str, str | list[str]]:
    return {
        "actions": [ngettext("{n} action", "{n} actions", number) for number in (1, 2)],
        "faults": gettext("1 fault"),
        "saved": gettext("Saved on this device at {time}."),
        "unsaved": gettext("This browser keeps nothing. Save the AGN before you close the page."),
        "notYet": gettext("Saved on this device as soon as you begin."),
        "followed": gettext("Changed in another tab."),
        "keptOther": gettext("Another tab changed this sheet at the same moment. What you wrote is kept as a branch."),
        "away": gettext(
            "The network is away. You can go on typing, and everything is kept on this device; the board follows "
            "when the network is back."
        ),
        "awayLaying": gettext("The network is away. What you have laid is kept; go on when the network is back."),
        "waitBoard": gettext("Too many requests at once. The board follows in a moment."),
        "mainLine": gettext("Main line"),
        "branchLine": gettext("Branch {n}"),
        "otherLine": gettext("Kept from another tab ({n})"),
        "branchFrom": gettext("from action {n}"),
        "openLine": gettext("Open"),
        "dropLine": gettext("Delete branch {name}"),
        "dropSheet": gettext("Delete this sheet"),
        "sureSheet": gettext("Really delete?"),
        "untitled": gettext("Untitled game"),
        "inSetup": gettext("Set-up not finished"),
        "uploadedAt": gettext("sent to Atta"),
        "opened": [ngettext("{n} game opened.", "{n} games opened.", number) for number in (1, 2)],
        "nothingToOpen": gettext("There is no game in this text."),
        "gone": gettext("This sheet was deleted in another tab."),
    }


def _board() -> dict[str, str | list[str]]:
    return {
        "round": gettext("Round {n}"),
        "over": gettext("The game is over"),
        "faultAt": gettext("Line {line}, column {column}: {message}"),
        "layingBoard": gettext("The table before the first action"),
        "whatLies": gettext("What lies here: {place}?"),
        "laidAll": gettext("Everything is laid."),
        "begin": gettext("Begin the game"),
        "takeAway": gettext("Take it away"),
        "left": gettext("{n} left"),
        "leftOf": gettext("{left} of {of}"),
        "rotations": gettext("{fit} of {all} rotations fit"),
        "name": gettext("Name"),
        "nameOf": gettext("Name of player {n}"),
        "colourOf": gettext("Colour of player {n}"),
        "placeGoes": pgettext("how many are laid", "{done} of {all} laid"),
    }


def _dialogs() -> dict[str, str | list[str]]:
    return {
        "commentOn": gettext("Comment on {token}"),
        "commentFirst": gettext("Comment before the first action"),
        "fixFirst": gettext("fix 1 fault first"),
        "nothingYet": gettext("nothing played yet"),
        "awayUpload": gettext("the network is away"),
        "setUpFirst": gettext("finish the set-up first"),
    }
