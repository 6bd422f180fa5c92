"""What the operator says of the site: who runs it, whom to write to, and what is added to the pages about it."""

from dataclasses import dataclass

from django.conf import settings
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt


@dataclass(frozen=True, slots=True)
class Operator:
    """Who runs the site, as the settings say; what they do not say is empty."""

    name: str
    mail: str
    address: tuple[str, ...]
    """Line by line."""
    licence: str
    """Of the dumps."""


@dataclass(frozen=True, slots=True)
class SitePage:
    """A page about the site."""

    operator: Operator
    note: SafeString
    """What the operator adds."""


@dataclass(frozen=True, slots=True)
class PrivacyPage:
    """The page about personal data."""

    note: SafeString
    """What the operator adds."""
    logged: str
    """How much of clients' addresses is logged: `full`, `network` or `none`."""
    log_days: int
    """For how long the log is kept."""


def about_page() -> SitePage:
    """Return what the page about the site says."""
    return SitePage(_operator(), _note(settings.ABOUT_NOTE))


def privacy_page() -> PrivacyPage:
    """Return what the page about personal data says."""
    return PrivacyPage(_note(settings.PRIVACY_NOTE), settings.LOG_ADDRESSES, settings.LOG_DAYS)


def contact_page() -> SitePage:
    """Return whom to write to."""
    return SitePage(_operator(), SafeString())


def _operator() -> Operator:
    address = tuple(line.strip() for line in settings.OPERATOR_ADDRESS.split(",") if line.strip())
    return Operator(settings.OPERATOR_NAME, settings.OPERATOR_MAIL, address, settings.DUMPS_LICENCE)


def _note(text: str) -> SafeString:
    rendered = str(MarkdownIt("commonmark", {"html": False}).render(text))
    return mark_safe(rendered)  # noqa: S308 - the renderer escapes, and HTML is not read
