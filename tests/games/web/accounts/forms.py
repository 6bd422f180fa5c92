"""Forms for registering and signing in, and their responses."""

import re
from typing import Any

from django.core import mail
from django.test import Client
from django.utils import timezone

from games.mail.delivery import send_due
from tests.games.web.conftest import words_of

PASSWORD = "Leaf-Cutter-1923"
WRONG = "Leaf-Cutter-1924"


def register(client: Client, name: str = "Ada", **more: str) -> Any:
    sent = {"username": name, "email": "ada@ants.example", "password1": PASSWORD, "password2": PASSWORD} | more
    return client.post("/account/signup/", sent)


def sign_in(client: Client, name: str = "Ada", password: str = PASSWORD, **more: Any) -> Any:
    return client.post("/account/login/", {"login": name, "password": password}, **more)


def posted() -> list[mail.EmailMessage]:
    """Return all mails the worker has sent so far."""
    send_due(now=timezone.now())
    return list(mail.outbox)


def link_in(message: mail.EmailMessage) -> str:
    """Return the path of the link in a mail."""
    (path,) = re.findall(r"http://testserver(/\S+)", str(message.body))
    return str(path)


def text_of(answer: Any) -> str:
    return words_of(answer.content.decode())
