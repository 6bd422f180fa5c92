"""The wiring of the project: settings, addresses, Celery, and the servers of `make run`."""

from atta_site.celery import app as celery_app

__all__ = ["celery_app"]
