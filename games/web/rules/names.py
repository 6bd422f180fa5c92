"""The rules that a fault can name, as scripts of pages read them."""

from games.records.reads.rulebook import documents, rule_url


def rules_to_name() -> dict[str, dict[str, str | None]]:
    """Return the title of every rule and where it is explained, by its id."""
    return {
        rule.id: {"title": rule.title, "url": rule_url(rule.id)} for document in documents() for rule in document.rules
    }
