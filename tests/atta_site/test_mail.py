"""One URL configures how mails are sent; an invalid one stops startup."""

import pytest

from atta_site import env
from atta_site.mail import Mail, mail_of

SMTP = "django.core.mail.backends.smtp.EmailBackend"


@pytest.mark.parametrize(
    ("address", "meant"),
    [
        ("", Mail("django.core.mail.backends.dummy.EmailBackend")),
        ("smtp://mx.example", Mail(SMTP, "mx.example", 587, starttls=True)),
        ("smtps://ada:p%40ss@mx.example", Mail(SMTP, "mx.example", 465, "ada", "p@ss", tls=True)),
        ("smtp+plain://localhost:2525", Mail(SMTP, "localhost", 2525)),
        ("file:///var/mail%20out", Mail("django.core.mail.backends.filebased.EmailBackend", folder="/var/mail out")),
    ],
)
def test_email_url_selects_the_mail_backend(address: str, meant: Mail) -> None:
    assert mail_of(address) == meant


@pytest.mark.parametrize(
    ("address", "message"),
    [
        (
            "mx.example",
            "EMAIL_URL: expected an address that begins with smtp:// or smtps:// or smtp+plain:// or file://",
        ),
        ("smtp://", "EMAIL_URL: expected smtp://user:password@host:port or file:///folder, got 'one with no host'"),
        ("file://var/mail", "got 'one with no folder: write an absolute path after three slashes'"),
        ("smtp://mx:port", "EMAIL_URL: expected smtp://user:password@host:port"),
    ],
)
def test_invalid_email_url_is_rejected(monkeypatch: pytest.MonkeyPatch, address: str, message: str) -> None:
    monkeypatch.setenv("EMAIL_URL", address)
    with pytest.raises(env.BadSettingError) as caught:
        env.mail("EMAIL_URL")
    assert message in str(caught.value)


def test_email_password_never_appears_in_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMAIL_URL", "smtp://ada:secret@:25")
    with pytest.raises(env.BadSettingError) as caught:
        env.mail("EMAIL_URL")
    assert "secret" not in str(caught.value)
