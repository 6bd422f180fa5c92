"""The Celery application; every setting of it stands in `settings.py` under `CELERY_`."""

import gc
import os

import structlog
from celery import Celery
from celery.signals import setup_logging, task_postrun, task_prerun, worker_process_init
from django.db import close_old_connections

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


@task_prerun.connect
@task_postrun.connect
def _close_old_connections(**_: object) -> None:
    """A task keeps the connection of the one before, unless it is old or broken: to connect anew takes ten ms."""
    close_old_connections()
