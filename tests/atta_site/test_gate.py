"""Requests that are rejected before they reach the site."""

import json
import time
from typing import Any

import pytest
from django.http import HttpResponse
from django.http.cookie import parse_cookie
from django.test import Client, RequestFactory
from pytest_django import DjangoDbBlocker

from atta_site.gate import MOST_COOKIES, MOST_HEADERS, _page, refusal

pytestmark = pytest.mark.django_db


def rejection_of(method: str = "GET", path: str = "/", **headers: str) -> tuple[HttpResponse, dict[str, Any]]:
    """Return the answer to a request that must be rejected, and its error."""
    answer = refusal(meta_with(method, path, **headers))
    assert answer
    return answer, json.loads(answer.content)["error"]


def meta_with(method: str = "GET", path: str = "/", **headers: str) -> dict[str, Any]:
    """Return what Django calls `META` of a request with these headers."""
    return {**RequestFactory().generic(method, path).META, **headers}


@pytest.mark.parametrize("charset", ["utf-16", "utf-7", "hex", "idna", "nope"])
def test_a_foreign_charset_never_reaches_the_site(charset: str) -> None:
    answer, error = rejection_of(CONTENT_TYPE=f'multipart/form-data; boundary=a; charset="{charset}"')

    assert (answer.status_code, error["message"]) == (415, "Use UTF-8; other encodings are not supported.")


@pytest.mark.parametrize(
    "said_type", ["text/plain; a*=x''y", "multipart/form-data; boundary*=x''y", "a/b;" + "c" * 1100]
)
def test_unparsable_content_type_is_rejected_with_400(said_type: str) -> None:
    answer, error = rejection_of(CONTENT_TYPE=said_type)

    assert (answer.status_code, error["code"]) == (400, "bad_content_type")


@pytest.mark.parametrize(
    ("name", "status"), [("AUTHORIZATION", 401), ("UPLOAD_CHECKSUM", 400), ("UPLOAD_METADATA", 400)]
)
def test_bytes_beyond_ascii_are_refused_where_tokens_and_base64_are_read(name: str, status: int) -> None:
    answer, error = rejection_of(path="/api/v1/account", **{f"HTTP_{name}": "Bearer \xff\xfe"})

    assert (answer.status_code, "message" in error) == (status, True)
    assert ("WWW-Authenticate" in answer) == (status == 401)


def test_request_errors_are_translated_into_german() -> None:
    _, error = rejection_of(CONTENT_TYPE="text/plain; charset=utf-7", HTTP_ACCEPT_LANGUAGE="de")
    answer, chunked = rejection_of("POST", HTTP_TRANSFER_ENCODING="chunked", HTTP_ACCEPT_LANGUAGE="de")

    assert error["message"] == "Nur UTF-8 wird unterstützt."
    message = "Der Inhalt ist mit seiner Content-Length zu senden, nicht in Stücken."
    assert (chunked["message"], answer["Content-Language"]) == (message, "de")


def test_chunked_body_is_rejected_with_411() -> None:
    answer, error = rejection_of("POST", "/api/v1/uploads", HTTP_TRANSFER_ENCODING="chunked")

    assert (answer.status_code, error["code"]) == (411, "length_required")


@pytest.mark.parametrize(("path", "size"), [("/theme/", 4097), ("/account/login/", 70_000), ("/upload/", 120 * 2**20)])
def test_body_over_the_limit_of_its_path_is_rejected(path: str, size: int) -> None:
    answer, error = rejection_of("POST", path, CONTENT_LENGTH=str(size))

    assert (answer.status_code, error["code"]) == (413, "too_large")


def test_oversized_cookies_are_rejected_with_a_german_message() -> None:
    answer, error = rejection_of(HTTP_COOKIE="a" * (MOST_COOKIES + 1), HTTP_ACCEPT_LANGUAGE="de")

    assert (answer.status_code, error["code"]) == (431, "headers_too_large")
    assert error["message"] == "Die Cookies sind zu groß: Eine Anfrage darf höchstens 8192 Bytes davon senden."


def test_a_browser_gets_a_page_that_says_what_is_too_large() -> None:
    browser = {"HTTP_ACCEPT": "text/html,*/*;q=0.8", "HTTP_ACCEPT_LANGUAGE": "de"}
    cookies = {"HTTP_COOKIE": "a" * (MOST_COOKIES + 1)}
    answer = refusal(meta_with(path="/games/", **browser, **cookies))
    _, error = rejection_of(path="/api/v1/games", **browser, **cookies)

    assert answer
    assert (answer.status_code, answer["Content-Type"]) == (431, "text/html; charset=utf-8")
    assert "<h1>Die Anfrage wurde abgelehnt</h1>" in answer.content.decode()
    assert "Eine Anfrage darf höchstens 8192 Bytes davon senden" in answer.content.decode()
    assert error["code"] == "headers_too_large"


def test_a_page_is_made_once_whatever_theme_a_cookie_names() -> None:
    asked = meta_with(HTTP_ACCEPT="text/html", CONTENT_LENGTH=str(10**12))
    themes = ["light", "", "a", "b", "c"]
    pages = [refusal({**asked, "HTTP_COOKIE": f"theme={theme}"}) for theme in ["dark", *themes]]
    made = _page.cache_info().misses

    for theme in themes:
        refusal({**asked, "HTTP_COOKIE": f"theme={theme}x"})

    assert [page.status_code for page in pages if page] == [413] * 6
    assert _page.cache_info().misses == made


@pytest.mark.parametrize("name", ["HTTP_X_ANY", "HTTP_ACCEPT_LANGUAGE", "QUERY_STRING", "PATH_INFO", "CONTENT_TYPE"])
def test_oversized_headers_and_urls_are_rejected(name: str) -> None:
    answer, error = rejection_of(**{name: "a" * MOST_HEADERS})

    assert (answer.status_code, error["code"]) == (431, "headers_too_large")
    assert error["message"] == "The address and headers are too large: a request may send at most 16384 bytes of them."


def test_slow_to_parse_cookies_are_dropped_and_others_kept() -> None:
    meta = meta_with(HTTP_COOKIE='theme=dark; a="' + '\\"' * 4000 + '"; language=de')

    assert refusal(meta) is None
    assert parse_cookie(meta["HTTP_COOKIE"]) == {"theme": "dark", "language": "de"}


TOO_LONG = 10.0
"""CPU seconds of this thread: a guard against quadratic growth, far above what any machine needs."""
_FULL = MOST_HEADERS - 1000
_WORST = {
    "HTTP_COOKIE": ['a="' + '\\"' * 4000 + '"', ";" * 8000, "a=" * 4000, '"' * 8000, "a;" * 4000, '="\\' * 2000],
    "HTTP_ACCEPT_LANGUAGE": ["de," * (_FULL // 3), "a-" * (_FULL // 2), "de;q=0." + "0" * _FULL, "*;q=1,-" * 2000],
    "HTTP_ACCEPT": ["a/b," * (_FULL // 4), ";" * _FULL, "a/b;c=d;" * (_FULL // 8),
                    "*/*;q=" + "9" * _FULL, '"\\' * 7000],
    "CONTENT_TYPE": ["text/plain" + "; " * (_FULL // 2), "a/b;" + " " * _FULL, "a/b" + ';charset="' * 1500,
                     "multipart/form-data; boundary=" + "a" * _FULL, "multipart/form-data;" + 'a="\\' * 3000],
    "HTTP_RANGE": ["bytes=" + "0-1," * (_FULL // 4), "bytes=" + "9" * _FULL + "-"],
    "HTTP_IF_NONE_MATCH": ['"a",' * (_FULL // 4), '"' * _FULL, "W/" * (_FULL // 2), '"a" ' * (_FULL // 4)],
    "HTTP_IF_MODIFIED_SINCE": ["Mon, " + " " * _FULL, "9" * _FULL],
    "HTTP_AUTHORIZATION": ["Bearer " * (_FULL // 7), "Bearer atta_" + "a" * _FULL, "Bearer" + " " * _FULL],
    "HTTP_X_FORWARDED_FOR": ["1.1.1.1," * (_FULL // 8), "," * _FULL, ":" * _FULL],
    "HTTP_HOST": ["a." * (_FULL // 2), "[" * _FULL, "a:" + "9" * _FULL],
    "HTTP_REFERER": ["http://" + "a/" * (_FULL // 2), "http://[" * 1500],
    "HTTP_ORIGIN": ["http://" + "a." * (_FULL // 2)],
    "HTTP_X_REQUEST_ID": ["a" * _FULL],
    "HTTP_UPLOAD_METADATA": ["a YQ==," * (_FULL // 7), "," * _FULL, "a" + " " * _FULL],
    "HTTP_IDEMPOTENCY_KEY": ["a" * _FULL],
    "QUERY_STRING": ["a&" * (_FULL // 2), "&" * _FULL, "a=1&" * 990, "%" * _FULL, "page=" + "9" * _FULL,
                     "a=%ff" * (_FULL // 5), "start=" + "9" * _FULL,
                     "sort=" + "-" * _FULL, "q=" + "%25" * (_FULL // 3)],
    "PATH_INFO": ["/" * _FULL, "/games/" + "a" * _FULL, "/api/v1/games/" + "9" * _FULL, "/static/" + "../" * 5000,
                  "/player/" + "%" * _FULL],
}  # fmt: skip


@pytest.fixture(scope="module")
def _warm(django_db_blocker: DjangoDbBlocker) -> None:
    with django_db_blocker.unblock():
        for path in ("/", "/api/v1/games"):
            Client().get(path)


@pytest.mark.usefixtures("_warm")
@pytest.mark.parametrize(
    ("name", "value"),
    [pytest.param(name, one, id=f"{name}-{i}") for name in _WORST for i, one in enumerate(_WORST[name])],
)
def test_no_header_or_parameter_is_slow_to_parse(name: str, value: str) -> None:
    for method, path in (
        ("GET", "/games/"),
        ("GET", "/api/v1/games"),
        ("POST", "/api/v1/uploads"),
        ("POST", "/theme/"),
    ):
        begun = time.thread_time()
        asked = {"REQUEST_METHOD": method, "PATH_INFO": path, name: value}
        if refusal(meta_with(method) | asked) is None:
            Client(raise_request_exception=False).request(**asked)
        assert time.thread_time() - begun < TOO_LONG


@pytest.mark.parametrize("forged", ['"\\000aaaaaaaaa"', "", "A" * 32, "a" * 31, "a" * 33, "ä" * 32])
def test_forged_session_key_is_dropped_and_others_kept(forged: str) -> None:
    real = f"sessionid={'a1' * 16}"
    meta = meta_with(HTTP_COOKIE=f"theme=dark; sessionid={forged};sessionid={forged}; language=de; {real}")

    assert refusal(meta) is None
    assert meta["HTTP_COOKIE"] == f"theme=dark; language=de; {real}"


def test_pages_vary_by_cookie_and_htmx_header() -> None:
    vary = Client().get("/").headers["Vary"]

    assert "Cookie" in vary
    assert "HX-Request" in vary
