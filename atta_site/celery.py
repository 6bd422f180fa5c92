"""The Celery application; every setting of it stands in `settings.py` under `CELERY_`."""

import gc
import os

import structlog
from celery import Celery
from celery.signals import setup_logging, worker_process_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "atta_site.settings")

app = Celery("atta")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@setup_logging.connect
def _keep_djangos_logging(**_: object) -> None:
    """Being connected is the point: Celery sets up no logging of its own then, so all lines have one form."""
    structlog.contextvars.clear_contextvars()


@worker_process_init.connect
def _collect_less_often(**_: object) -> None:
    """A batch makes a million objects, hardly any in circles: to look for those every 700 took a tenth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000)
