"""The texts of the score sheet's script, in the reader's language."""

from django.utils.translation import gettext, ngettext, pgettext

from games.web.laying import laying_texts


def texts() -> dict[str, str | list[str]]:
    """Return the texts by name; the script fills in braces, and a list holds singular and plural."""
    return _sheet() | _offline() | _board() | laying_texts() | _dialogs()


def _sheet() -> dict[str, str | list[str]]:
    return {
        "actions": [ngettext("{n} action", "{n} actions", number) for number in (1, 2)],
        "faults": gettext("1 fault"),
        "resigned": gettext("{name} resigned"),
        "saved": gettext("Saved on this device at {time}."),
        "unsaved": gettext("This browser cannot save anything. Save the AGN before you close the page."),
        "notYet": gettext("It is saved on this device as soon as you begin."),
        "followed": gettext("Changed in another tab."),
        "keptOther": gettext("Another tab changed this sheet at the same moment. What you wrote is kept as a branch."),
        "keptSheet": gettext(
            "Another tab changed this sheet at the same moment. What you laid is kept as a sheet of its own."
        ),
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
        "inSetup": gettext("Setup not finished"),
        "uploadedAt": gettext("uploaded to Atta"),
        "opened": [ngettext("{n} game opened.", "{n} games opened.", number) for number in (1, 2)],
        "nothingToOpen": gettext("This text contains no game."),
        "gone": gettext("This sheet was deleted in another tab."),
    }


def _offline() -> dict[str, str | list[str]]:
    return {
        "away": gettext(
            "You are offline. You can go on typing, and everything is saved on this device; the board follows when "
            "you are back online."
        ),
        "awayStarting": gettext("You are offline. The engine on this device is starting…"),
        "awayHere": gettext("You are offline. Rules are checked on this device, and everything is saved here."),
        "otherVersion": gettext("The site’s rules have changed since this page was opened. Reload the page."),
        "awayLaying": gettext("You are offline. What you have laid is saved; continue when you are back online."),
        "offlineKept": gettext("This page works offline on this device."),
        "offlineKeeping": gettext("Getting ready for offline use: {n}%"),
        "offlineNotKept": gettext("This page could not be kept for offline use. Reload it to try again."),
        "offlineNever": gettext("This browser cannot keep this page for offline use."),
        "uploading": gettext("Uploading the game…"),
        "uploadDone": gettext("The game was uploaded."),
        "uploadWaits": gettext(
            "This game waits on this device. It is uploaded as soon as the site can be reached and this page is open."
        ),
        "uploadWaiting": gettext("waiting to be uploaded"),
        "uploadRefused": gettext("The game was not uploaded: {why}"),
        "uploadOther": gettext("A game waits to be uploaded by another account. Sign in with that account."),
        "uploadNobody": gettext("A game waits to be uploaded without an account. Sign out, and open this page again."),
    }


def _board() -> dict[str, str | list[str]]:
    return {
        "over": gettext("The game is over"),
        "faultAt": gettext("Line {line}, column {column}: {message}"),
        "begin": gettext("Begin the game"),
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
        "awayUpload": gettext("you are offline"),
        "setUpFirst": gettext("finish the setup first"),
    }
