"""Refusals: what a service cannot do, said so that it can be translated."""


class RefusedError(ValueError):
    """Something that was asked for cannot be done, and nothing of it was. `code` names the reason for programs."""

    def __init__(self, code: str, template: str, /, **params: object) -> None:
        super().__init__(template.format(**params))
        self.code = code
        self.template = template
        self.params = params
