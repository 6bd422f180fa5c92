"""The pages about the site, which the operator fills in through settings."""

import pytest
from django.test import Client
from pytest_django import Settings

from tests.games.web.conftest import Read, words_of


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/about/", "/privacy/", "/contact/"])
def test_pages_link_to_the_pages_about_the_site(client: Client, path: str) -> None:
    assert f'<a href="{path}">' in client.get("/rules/").content.decode()


@pytest.mark.django_db
def test_pages_point_out_missing_operator_settings(read: Read) -> None:
    assert "The operator has not filled this in yet." in read("/about/")
    assert "The operator has not given a mail address yet." in read("/contact/")


@pytest.mark.django_db
def test_settings_provide_the_operators_name_and_contact_details(read: Read, settings: Settings) -> None:
    settings.OPERATOR_NAME, settings.OPERATOR_MAIL = "Games Club", "club@example.org"
    settings.OPERATOR_ADDRESS = "Ant Street 1, 12345 Hill"
    assert "Games Club Ant Street 1 12345 Hill club@example.org" in read("/contact/")
    assert "Games Club." in read("/about/")


@pytest.mark.django_db
def test_the_operators_note_is_rendered_as_markdown_with_html_escaped(client: Client, settings: Settings) -> None:
    settings.PRIVACY_NOTE = "Backups are kept **a week**. <script>alert(1)</script>"
    html = client.get("/privacy/").content.decode()
    assert "Backups are kept <strong>a week</strong>. &lt;script&gt;" in html


@pytest.mark.django_db
def test_the_privacy_page_lists_what_is_stored_and_for_how_long(read: Read) -> None:
    words = read("/privacy/")
    assert "Logs that are only checked To show the report. 24 hours" in words
    assert "Answers to club evenings To show who is coming." in words
    assert "Invitations: who made one" in words
    assert "Notices and the texts of mails To tell you what needs your attention. 30 days" in words


@pytest.mark.django_db
def test_the_privacy_page_says_that_names_of_deleted_accounts_are_held(client: Client) -> None:
    english = words_of(client.get("/privacy/").content.decode())
    assert "Name of a deleted account, as a keyed digest from which it cannot be read" in english
    assert "passes for that person. A year from the deletion" in english
    client.cookies["django_language"] = "de"
    german = words_of(client.get("/privacy/", headers={"Accept-Language": "de"}).content.decode())
    assert "Name eines gelöschten Kontos, als Prüfsumme mit geheimem Schlüssel" in german
    assert "Ein Jahr nach der Löschung" in german


@pytest.mark.django_db
def test_the_privacy_page_says_what_the_log_has_of_addresses_and_for_how_long(read: Read, settings: Settings) -> None:
    assert "number of the account, IP address To find faults and attacks. 30 days" in read("/privacy/")
    settings.LOG_ADDRESSES, settings.LOG_DAYS = "network", 1
    assert "beginning of the IP address To find faults and attacks. 1 day" in read("/privacy/")
    settings.LOG_ADDRESSES = "none"
    assert "number of the account To find faults" in read("/privacy/")
