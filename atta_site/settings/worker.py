"""The worker.

PostgreSQL is the queue, and the broker only wakes the workers: messages carry ids or nothing, are acknowledged before
the work, and the sweep finds the work of lost messages. So the broker may be down or slow, or lose messages.
"""

import sys

from celery.schedules import crontab

from atta_site import env

CELERY_BROKER_URL = env.url("CELERY_BROKER_URL", ["redis", "rediss", "amqp", "amqps"])
CELERY_BROKER_CONNECTION_TIMEOUT = 2
CELERY_BROKER_HEARTBEAT = 10  # seconds after which a worker and RabbitMQ, cut off from each other, notice it
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a worker waits for its broker forever
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # Without these two a publisher waits forever for a broker that accepts but never answers.
    "socket_timeout": 2,
    "socket_connect_timeout": 2,
    # Longer than the hard time limit, including a prefetched task; by default messages are restored only after an hour.
    "visibility_timeout": 60,
    "unacked_restore_interval": 5,
    "unacked_restore_throttle": 1,
    "confirm_publish": True,  # RabbitMQ may otherwise drop messages silently
}
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0, "interval_step": 0.1, "interval_max": 0.1}
CELERY_TASK_DEFAULT_QUEUE = "atta"
# Small uploads, bots and films have their own queues and workers: large uploads never delay small ones, and bots and
# films never delay verification.
CELERY_TASK_ROUTES = {
    "games.tasks.verify_small": {"queue": "small"},
    "games.tasks.play_bots": {"queue": "bots"},
    "games.tasks.exhibit": {"queue": "bots"},
    "games.tasks.make_films": {"queue": "films"},
}
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SOFT_TIME_LIMIT = 20
CELERY_TASK_TIME_LIMIT = 25
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# Celery would close the connection before and after each task; `celery.py` closes only old or broken ones.
CELERY_DB_REUSE_MAX = sys.maxsize
# MiB that each process of a worker may take for itself; 0: no limit. Beyond that a record fails with MemoryError, and
# is set aside after three attempts. A process that once took half of it is replaced after its task: Python keeps it.
WORKER_MEMORY = env.number("WORKER_MEMORY", 1024, at_least=0)
if WORKER_MEMORY:
    CELERY_WORKER_MAX_MEMORY_PER_CHILD = WORKER_MEMORY * 1024 // 2
CELERY_TIMEZONE = "UTC"
# Number of games that built-in bots play against each other, one action per sweep.
BOT_EXHIBITIONS = env.number("BOT_EXHIBITIONS", 0, at_least=0)
# Seconds between two sweeps, which find work whose message was lost.
SWEEP_EVERY = env.number("SWEEP_EVERY", 5, at_least=1)
CELERY_BEAT_SCHEDULE = {
    # A sweep that no worker took in time expires, so that sweeps do not pile up.
    "sweep": {"task": "games.tasks.sweep", "schedule": SWEEP_EVERY, "options": {"expires": SWEEP_EVERY}},
    # Every night, so that hidden games and deleted accounts are gone from all dumps by the morning; on the first of a
    # month it also makes the dump of the month before.
    "dumps": {"task": "games.tasks.make_dumps", "schedule": crontab(hour=3, minute=10), "options": {"expires": 3600}},
    # Every night, so that what was left over, or did not fit into the time, is made up for.
    "month-ends": {
        "task": "games.tasks.make_month_ends",
        "schedule": crontab(hour=2, minute=20),
        "options": {"expires": 3600},
    },
    # Every hour: it chooses once a day, so that a run that was missed is made up for.
    "game-of-the-day": {
        "task": "games.tasks.choose_game_of_the_day",
        "schedule": crontab(minute=5),
        "options": {"expires": 600},
    },
    "tidy": {"task": "games.tasks.tidy", "schedule": 3600.0, "options": {"expires": 600}},
}

# Seconds after which the sweep claims a log again. Longer than a task's hard time limit.
VERIFICATION_LEASE = env.number("VERIFICATION_LEASE", 30, at_least=1)
# Logs that a worker verifies in one batch; fewer if they are long.
VERIFICATION_BATCH = env.number("VERIFICATION_BATCH", 1000, at_least=1)
