"""What the referees of all games share: how they refuse an action. Each has the rules of its game once more."""


class BrokenRuleError(Exception):
    """The action is not allowed; the text names the rule."""


def demand(fine: bool, rule: str) -> None:
    """Refuse an action that breaks a rule."""
    if not fine:
        raise BrokenRuleError(rule)
