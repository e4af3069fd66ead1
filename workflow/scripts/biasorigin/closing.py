"""The closing summary of a run, as plain text for a terminal."""

import textwrap

WIDTH = 100
VALUE = 14
MOST = 6


def closing_summary(title: str, overview: dict, places: list[list[str]]) -> str:
    """Headline numbers, how the papers' numbers fared, and where to look; `overview` is what the explorer shows first.

    places  what and where, in the order in which a reader should look
    """
    lines = [f"What was found: {title}", "=" * WIDTH]
    for one in overview["headlines"][:MOST]:
        lines += _entry(one["value"], f"{one['label']}. {one['detail']}")
    card = overview["scorecard"]
    if "missing" not in card:
        total = card["rows"][-1]
        counts = ", ".join(f"{total[status]:,} {status}" for status in card["statuses"])
        lines += ["-" * WIDTH, *_entry(f"{card['total']:,}", f"numbers printed in the papers: {counts}.")]
    lines += ["-" * WIDTH, *(f"{what:<{VALUE + 20}}{where}" for what, where in places)]
    return "\n".join(lines) + "\n"


def _entry(value: str, text: str) -> list[str]:
    indent = " " * (VALUE + 2)
    first, *more = textwrap.wrap(text, WIDTH - len(indent)) or [""]
    return [f"{value:>{VALUE}}  {first}", *(indent + line for line in more)]
