"""Forgotten and changed passwords."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.games.web.accounts.forms import PASSWORD, link_in, posted, sign_in, text_of

pytestmark = pytest.mark.django_db


def test_forgotten_password_is_reset_by_a_single_use_link(client: Client, ada: User) -> None:
    answer = client.post("/account/password/reset/", {"email": "ada@ants.example"})
    assert answer["Location"] == "/account/password/reset/done/"
    link = link_in(posted()[0])
    form = client.get(link)["Location"]
    new = {"password1": "Acromyrmex-77", "password2": "Acromyrmex-77"}
    assert client.post(form, new)["Location"] == "/account/password/reset/key/done/"
    assert "Your password is changed" in text_of(client.get("/account/password/reset/key/done/"))
    assert sign_in(client, "Ada", "Acromyrmex-77")["Location"] == "/account/"
    assert "This link is no longer valid" in text_of(Client().get(link))


def test_password_reset_does_not_reveal_whether_an_account_exists(client: Client) -> None:
    answer = client.post("/account/password/reset/", {"email": "eve@ants.example"})
    assert answer["Location"] == "/account/password/reset/done/"
    assert [message.subject for message in posted()] == ["Atta: no account has this address"]


@pytest.mark.full
def test_a_changed_password_signs_out_every_other_browser(client: Client, ada: User) -> None:
    other = Client()
    sign_in(client)
    sign_in(other)
    new = {"oldpassword": PASSWORD, "password1": "Acromyrmex-77", "password2": "Acromyrmex-77"}
    client.post("/account/password/change/", new)
    assert client.get("/account/").status_code == 200
    assert other.get("/account/").status_code == 302
    assert "Your password has been changed." in posted()[0].body
