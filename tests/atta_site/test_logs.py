"""Log lines."""

import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from atta_site.logs import configure


@pytest.fixture
def _configured_as_before() -> Iterator[None]:
    """Give loggers their configuration back: those used before keep it, and would be captured no more."""
    before = structlog.get_config()
    yield
    structlog.configure(**before)


@pytest.mark.usefixtures("_configured_as_before")
def test_logged_exception_does_not_include_variable_values() -> None:
    formatter = configure("json", "INFO")["formatters"]["line"]
    line = structlog.stdlib.ProcessorFormatter(
        processors=formatter["processors"], foreign_pre_chain=formatter["foreign_pre_chain"]
    )
    password = "open sesame"
    with pytest.raises(ZeroDivisionError) as failed:
        len(password) // 0
    fault = (failed.type, failed.value, failed.tb)
    record = logging.LogRecord("atta", logging.ERROR, __file__, 1, "it failed", None, fault)

    written = line.format(record)

    assert json.loads(written)["exception"][0]["exc_type"] == "ZeroDivisionError"
    assert "sesame" not in written
