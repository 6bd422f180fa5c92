"""AGN, the record format of ant games: files cut into records, records read as logs, logs written canonically.

`cut` finds the records in a file, `reading` reads one as text or JSON into a `log.Log`, `tags` checks what the
tags say against a ruleset, `canonical` writes a log and gives its digests. `RULES.md` holds the numbered rules.
"""
