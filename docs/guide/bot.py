"""A bot for every game. It needs Python alone; ATTA_SERVER names the site, ATTA_TOKEN is a token of its account."""

import http.client
import json
import os
import random
import secrets
import time
from contextlib import suppress
from urllib.parse import urlsplit

SITE, TOKEN = urlsplit(os.environ["ATTA_SERVER"]), os.environ["ATTA_TOKEN"]


def request(method, path, body=None, **headers):
    """Send a request; return the answer."""
    kind = http.client.HTTPSConnection if SITE.scheme == "https" else http.client.HTTPConnection
    connection = kind(SITE.netloc, timeout=60)
    sent = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json", **headers}
    connection.request(method, path, json.dumps(body) if body is not None else None, sent)
    return connection.getresponse()


def ask(method, path, body=None):
    """Send a request until it is answered, and have it done once; return the table in the answer."""
    key = secrets.token_hex(16)
    while True:
        with suppress(OSError, http.client.HTTPException):
            answer = request(method, f"/api/v1/tables/{path}", body, **{"Idempotency-Key": key})
            received = json.loads(answer.read())
            if answer.status < 429:
                return received.get("table", received)  # of a conflict, the table as it is now
        time.sleep(1)


def choose(table):
    """Return one of the legal actions. This is where your bot begins."""
    takes = [token for token in table["legal"] if "x" in token or "+" in token]
    return random.choice(takes or table["legal"])


def play(key):
    """Act as long as it is the bot's turn."""
    table = ask("GET", key)
    while table.get("your_turn"):
        table = ask("POST", f"{key}/actions", {"ply": table["ply"], "token": choose(table)})


while True:
    with suppress(OSError, http.client.HTTPException):
        for line in request("GET", "/live/me", Accept="application/x-ndjson"):
            event = json.loads(line) if line.strip() else {}
            for table in event.get("invited", ()):
                ask("POST", f"{table['key']}/join", {"entropy": secrets.token_hex(16)})
            for table in event.get("waiting", ()):
                play(table["key"])
    time.sleep(1)
