"""The header by which an answer names the version of its rules, so that a page with others notices."""

from typing import Final

ENGINE_HEADER: Final = "Atta-Engine"
