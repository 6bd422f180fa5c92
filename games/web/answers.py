"""Answers that Django has no name for."""

from django.http import HttpResponseRedirect


class SeeOther(HttpResponseRedirect):
    """What was sent is done with, and the page to look at is another."""

    status_code = 303
