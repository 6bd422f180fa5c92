"""Accounts in a real browser: passkeys, and every page on a phone, in light and dark."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from knox.models import AuthToken
from playwright.sync_api import Page, expect

from games.models import Upload
from tests.browser.conftest import SCREENS, on_screen
from tests.browser.soundness import unsound
from tests.factories import record
from tests.games.uploading import upload_file

PASSWORD = "Leaf-Cutter-1923"
LONG = "Maximiliane-Friederike von und zu Ameisenhausen-Blattschneider"
WIDEST = 390
OUTSIDE = ("/account/login/", "/account/signup/", "/account/password/reset/", "/account/password/reset/done/",
           "/account/confirm-email/", "/account/confirm-email/x/", "/account/password/reset/key/1-x/",
           "/account/password/reset/key/done/", "/account/inactive/")  # fmt: skip
INSIDE = ("/account/", "/account/settings/", "/account/following/", "/account/email/",
          "/account/password/change/", "/account/sessions/", "/account/tokens/",
          "/account/players/", "/account/waiting/", "/account/delete/", "/account/2fa/",
          "/account/2fa/totp/activate/", "/account/2fa/webauthn/", "/account/2fa/webauthn/add/", "/account/logout/",
          "/account/reauthenticate/")  # fmt: skip


@pytest.fixture
def site(live: str) -> str:
    """The site under a host name: passkeys need one."""
    return live.replace("127.0.0.1", "localhost")


@pytest.fixture
def ada(live: str) -> User:
    user = User.objects.create_user(LONG, "ada@ants.example", PASSWORD)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


@contextmanager
def authenticator(page: Page) -> Iterator[None]:
    """A device with a fingerprint reader, emulated by Chromium."""
    devices = page.context.new_cdp_session(page)
    devices.send("WebAuthn.enable")
    options = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
               "isUserVerified": True, "automaticPresenceSimulation": True}  # fmt: skip
    device = devices.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    yield
    devices.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": device["authenticatorId"]})


def sign_in(page: Page, site: str) -> None:
    page.goto(f"{site}/account/login/")
    page.get_by_label("Name or e-mail address").fill("ada@ants.example")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", name=LONG)).to_be_visible()


def enter_password_again(page: Page) -> None:
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Continue").click()


@pytest.mark.full
def test_passkey_signs_in_without_a_password(page: Page, site: str, ada: User) -> None:
    with authenticator(page):
        sign_in(page, site)
        page.goto(f"{site}/account/2fa/webauthn/add/")
        enter_password_again(page)
        page.get_by_label("Name of the key").fill("Fingerprint")
        page.get_by_role("button", name="Add").click()
        expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
        page.goto(f"{site}/account/logout/")
        page.get_by_role("button", name="Sign out").click()
        expect(page.get_by_text("You have signed out.")).to_be_visible()

        page.goto(f"{site}/account/login/")
        page.get_by_role("button", name="Sign in with a passkey").click()
        expect(page.get_by_role("heading", name=LONG)).to_be_visible()
    assert Authenticator.objects.get(type="webauthn").wrap().name == "Fingerprint"


@pytest.mark.full
def test_passkey_serves_as_second_factor_after_the_password(page: Page, site: str, ada: User) -> None:
    with authenticator(page):
        sign_in(page, site)
        page.goto(f"{site}/account/2fa/webauthn/add/")
        enter_password_again(page)
        page.get_by_role("button", name="Add").click()
        expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
        page.context.clear_cookies()

        page.goto(f"{site}/account/login/")
        page.get_by_label("Name or e-mail address").fill(LONG)
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in", exact=True).click()
        page.get_by_role("button", name="Use a passkey or a security key").click()
        expect(page.get_by_role("heading", name=LONG)).to_be_visible()


@pytest.mark.full
def test_failed_passkey_sign_in_is_explained(page: Page, live: str, ada: User) -> None:
    page.goto(f"{live}/account/login/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("alert")).to_contain_text("Open this site by its name, not by a number")


@pytest.mark.full
def test_account_pages_work_without_javascript_except_passkeys(
    open_page: Callable[..., Page], site: str, ada: User
) -> None:
    page = open_page(scripts=False)
    sign_in(page, site)
    page.goto(f"{site}/account/2fa/webauthn/add/")
    enter_password_again(page)
    expect(page.get_by_text("Passkeys need JavaScript")).to_be_visible()
    expect(page.get_by_role("button", name="Add")).to_be_hidden()


@pytest.mark.full
@SCREENS
def test_account_pages_are_accessible_and_never_scroll_sideways(
    open_page: Callable[..., Page], site: str, ada: User, now: object, width: int, *, dark: bool
) -> None:
    AuthToken.objects.create(ada)
    upload_file(record(), via=Upload.Via.WEB, now=now, uploader=ada, filename="e" * 200)  # type: ignore[arg-type]
    page = open_page(width=width, dark=dark)
    found: dict[str, object] = {}

    def look(path: str) -> None:
        found[path] = unsound(page)

    for path in on_screen(OUTSIDE, width):
        page.goto(site + path)
        look(path)
    sign_in(page, site)
    page.goto(f"{site}/account/reauthenticate/?next=/account/")
    enter_password_again(page)
    for path in on_screen(INSIDE, width):
        page.goto(site + path)
        assert page.url == site + path
        look(path)
    assert {path: faults for path, faults in found.items() if faults} == {}
