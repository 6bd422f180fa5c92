"""What the site needs on this machine: settings, static files, translations, folders."""

import resource
import shutil
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage

from atta_site import statics
from atta_site.doctor.findings import Findings, bad, examination, good, warning

_LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})
_FEW_FILES = 32_768
_LITTLE, _VERY_LITTLE = 0.1, 0.03


@examination
def check_settings() -> Findings:
    """Report settings that are unsuitable for a public site."""
    host = urlsplit(settings.SITE_URL).hostname
    if settings.DEBUG:
        yield bad("settings", "DEBUG is on: error pages show code and settings. Turn it off.")
    if settings.SECURE_SSL_REDIRECT is False and host not in _LOCAL:
        yield bad(
            "settings", f"PLAIN_HTTP is on for {host}: passwords travel unencrypted. Turn it off, with TLS in front."
        )
    if "*" in settings.ALLOWED_HOSTS:
        yield warning("settings", "ALLOWED_HOSTS allows any host: name your own.")
    if not settings.OPERATOR_MAIL:
        yield warning("settings", "OPERATOR_MAIL is not set: nobody can reach you, and there is no security.txt.")
    if not settings.METRICS_TOKEN:
        yield warning("settings", "METRICS_TOKEN is not set: nothing can watch this site.")
    yield good("settings", f"The site is {settings.SITE_URL}.")


@examination
def check_files() -> Findings:
    """Report whether pages can be made, in all languages."""
    if problem := statics.problem():
        yield bad("static files", f"{problem[0].upper()}{problem[1:]}.")
    else:
        yield good("static files", "All are collected.")
    folders = [Path(folder) / "de" / "LC_MESSAGES" for folder in settings.LOCALE_PATHS]
    if missing := [folder for folder in folders if not (folder / "django.mo").exists()]:
        yield bad(
            "translations",
            f"{missing[0]} is not compiled. Run `make setup`, or install a wheel that `make wheel` has built.",
        )


@examination
def check_folders() -> Findings:
    """Report whether the folders are writable and have room."""
    for name, folder in (("SPOOL_DIR", settings.SPOOL_DIR), ("DUMPS_DIR", settings.DUMPS_DIR)):
        yield _folder(name, folder)
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if 0 < files < _FEW_FILES:
        yield warning("limits", f"At most {files} open files: allow {_FEW_FILES} (LimitNOFILE in systemd).")


def _folder(name: str, folder: Path) -> CheckMessage:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
        usage = shutil.disk_usage(folder)
    except OSError as problem:
        return bad("folders", f"{name} cannot be written to: {problem}.")
    free = usage.free / usage.total
    said = f"{name} has {usage.free / 2**30:.1f} GiB free ({free:.0%})."
    if free > _LITTLE:
        return good("folders", said)
    return (bad if free < _VERY_LITTLE else warning)("folders", f"{said} Make room.")
