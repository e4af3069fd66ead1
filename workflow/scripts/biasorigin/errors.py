"""The one exception that a user is meant to read."""

LONGEST = 1500  # characters of a message; hostile input can be quoted in it


class UserError(Exception):
    """A problem in what the user gave us: what was found, what was expected, what to do, in one line."""

    def __init__(self, message: str) -> None:
        super().__init__(printable(message))


def printable(text: str) -> str:
    """The text with line ends, control characters and the like spelled out, its middle left out if it is very long."""
    if not text.isprintable():
        text = "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in text)
    return text if len(text) <= LONGEST else f"{text[: LONGEST // 2]} … {text[-LONGEST // 2 :]}"


def listing(names: list[str], most: int = 8) -> str:
    """The names separated by commas, cut after `most` with a count of the rest."""
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
