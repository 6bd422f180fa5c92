"""What a browser is called."""

import pytest

from games.web.accounts.devices import device_of

APPLE = "AppleWebKit/537.36 (KHTML, like Gecko)"


@pytest.mark.parametrize(
    ("user_agent", "device"),
    [
        (f"Mozilla/5.0 (X11; Linux x86_64) {APPLE} Chrome/126.0 Safari/537.36", "Chrome on Linux"),
        (f"Mozilla/5.0 (Windows NT 10.0) {APPLE} Chrome/126.0 Safari/537.36 Edg/126.0", "Edge on Windows"),
        ("Mozilla/5.0 (Android 14; Mobile; rv:127.0) Gecko/127.0 Firefox/127.0", "Firefox on Android"),
        (
            f"Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) {APPLE} Version/17.5 Safari/604.1",
            "Safari on iPhone",
        ),
        ("curl/8.5.0", "curl/8.5.0"),
        ("", ""),
    ],
)
def test_a_browser_is_named_with_its_system(user_agent: str, device: str) -> None:
    assert device_of(user_agent) == device
