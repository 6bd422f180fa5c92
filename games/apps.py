"""The app's configuration."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """Games, their logs, verdicts and ratings."""

    name = "games"
