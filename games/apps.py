"""The app's configuration."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """Games, their logs, verdicts and ratings."""

    name = "games"

    def ready(self) -> None:
        """Have bots called when it is their turn."""
        from games import tasks  # noqa: PLC0415 (models are there only now)
        from games.playing import calls  # noqa: PLC0415

        calls.answer_with(tasks.wake_bots)
