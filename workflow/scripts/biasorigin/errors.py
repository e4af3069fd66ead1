"""The one exception that a user is meant to read."""


class UserError(Exception):
    """A problem in what the user gave us: what was found, what was expected, what to do, in one line."""


def listing(names: list[str], most: int = 8) -> str:
    """The names separated by commas, cut after `most` with a count of the rest."""
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
