"""The site as an app of Django: its commands, its templates and its checks."""

from importlib import import_module

from django.apps import AppConfig


class AttaSite(AppConfig):
    """The site itself."""

    name = "atta_site"

    def ready(self) -> None:
        """Register what looks a deployment over, in the order in which it is said."""
        for part in ("machine", "servers", "work"):
            import_module(f"atta_site.doctor.{part}")
