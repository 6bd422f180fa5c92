"""What the first requests would do once for all later ones, while several people wait: it is done before."""

from celery.worker import request  # noqa: F401 - each task asks for it when it is called for the first time
from django.conf import settings
from django.urls import get_resolver, reverse
from django.utils.translation import override

from atta_site.celery import app


def make_ready() -> None:
    """Import all pages, and make the table of addresses by names and what sends messages. Nothing is connected to."""
    get_resolver().check()
    for language, _ in settings.LANGUAGES:
        with override(language):
            reverse("home")  # any address: the table has all, for one language
    app.amqp.router  # noqa: B018 - made when it is first asked for
    app.backend, app.events.Dispatcher  # noqa: B018 - the same
    with app.connection_for_write() as broker:
        broker.transport_cls  # noqa: B018 - the same
