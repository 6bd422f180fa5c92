"""Error pages."""

import re

import pytest
from django.template.loader import render_to_string
from django.test import Client, RequestFactory
from django.views.defaults import bad_request, permission_denied, server_error
from pytest_django import DjangoAssertNumQueries

from tests.games.web.conftest import Read, words_of


@pytest.mark.django_db
def test_not_found_page_suggests_what_to_do_next(read: Read) -> None:
    words = read("/nothing/here", status=404)
    assert "404 Page not found" in words
    assert "To the home page" in words


def test_a_broken_page_needs_no_database(
    rf: RequestFactory, db: None, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0):
        answer = server_error(rf.get("/"))
    assert answer.status_code == 500
    assert "500 Something went wrong on our side" in words_of(answer.content.decode())
    assert 'method="post"' not in answer.content.decode()


def test_bad_request_and_forbidden_pages_explain_the_problem(rf: RequestFactory) -> None:
    assert "The request could not be read" in bad_request(rf.get("/"), ValueError()).content.decode()
    assert "You are not allowed to do this" in permission_denied(rf.get("/"), PermissionError()).content.decode()


def test_too_many_requests_page_shows_the_wait_time() -> None:
    assert "Try again in 7 seconds" in words_of(render_to_string("429.html", {"wait": 7}))


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["/", "/games/", "/leaderboards/", "/rules/", "/api/", "/upload/"])
def test_pages_contain_no_inline_styles_or_scripts(client: Client, page: str) -> None:
    html = client.get(page).content.decode()
    assert " style=" not in html
    assert " onclick" not in html
    assert html.count("<script") == len(re.findall(r"<script( type=\"module\"| defer)? src=", html))
