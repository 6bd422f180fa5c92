"""Clients whose requests pass the gate first, as those of the web server do."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.test import Client
from django.test.client import ClientHandler

from atta_site.gate import refusal


class _Gate(ClientHandler):
    """Django's handler of test clients, behind the gate."""

    def get_response(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a request that is not refused."""
        return refusal(request.META) or super().get_response(request)


class GatedClient(Client):
    """Django's client, behind the gate."""

    def __init__(self, *, raise_request_exception: bool = True) -> None:
        super().__init__(raise_request_exception=raise_request_exception)
        self.handler = _Gate(enforce_csrf_checks=False)
