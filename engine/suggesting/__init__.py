"""Suggests corrections for a rejected record: single changes at its first fault, each tried on the rest of the log.

Three parts: `candidates` lists the changes worth a try, `trying` plays them, `editing` writes one into the record.
"""

from engine.suggesting.editing import edited
from engine.suggesting.trying import BOUNDS, Bounds, suggest
from engine.suggesting.values import Edit, Kind, Suggestion, Suggestions

__all__ = ["BOUNDS", "Bounds", "Edit", "Kind", "Suggestion", "Suggestions", "edited", "suggest"]
