"""Data too big to be read at once: compressed blocks that the page opens only when it shows them.

A block is a byte string, deflated and written in base64. Small studies carry their blocks inside the page, so that
it is one file; large ones put each block in a file beside the page. A page that was opened from the file system
may not `fetch` its neighbours, so such a file is a script that hands its block over.
"""

import base64
import json
import re
import zlib
from collections.abc import Sequence

import numpy as np

NAME = re.compile(r"[A-Za-z0-9_.-]+")
MANTISSA_KEPT = 14  # bits of 23: four digits, which is more than the page shows, and a quarter less weight


class Blocks:
    """The blocks of a page by name, in the order in which they were added."""

    def __init__(self, level: int = 6) -> None:
        self.level = level
        self.packed: dict[str, str] = {}

    def add(self, name: str, content: bytes) -> str:
        """Add a block and give its name back."""
        if not NAME.fullmatch(name):
            raise ValueError(f"A block's name is made of letters, digits, dots, hyphens and underscores, not {name!r}.")
        if name in self.packed:
            raise ValueError(f"There is a block {name!r} already.")
        self.packed[name] = base64.b64encode(zlib.compress(content, self.level)).decode("ascii")
        return name

    def add_json(self, name: str, value: object) -> str:
        """Add plain values as JSON."""
        return self.add(name, to_json(value).encode("utf-8"))

    def add_numbers(self, name: str, values: np.ndarray, kept: int = MANTISSA_KEPT) -> str:
        """Add a column of numbers, little-endian: float32 (rounded to `kept` bits of mantissa), int32 or uint8."""
        values = np.ascontiguousarray(values)
        if values.dtype.kind == "f":
            values = rounded(values.astype("<f4"), kept)
        elif values.dtype != np.uint8:
            values = values.astype("<i4")
        return self.add(name, values.tobytes())

    @property
    def size(self) -> int:
        """The weight of all blocks in bytes, as they stand in the page."""
        return sum(map(len, self.packed.values()))


def rounded(values: np.ndarray, kept: int = MANTISSA_KEPT) -> np.ndarray:
    """float32 values rounded to a shorter mantissa; zero stays zero, signs stay, infinities and NaN are refused."""
    if not np.isfinite(values).all():
        raise ValueError("A column of the explorer holds a number that is not finite.")
    bits = np.ascontiguousarray(values, dtype="<f4").view("<u4")
    drop = 23 - kept
    half = np.uint32(1 << (drop - 1))
    mask = np.uint32(0xFFFFFFFF ^ ((1 << drop) - 1))
    return ((bits + half) & mask).view("<f4")


def to_json(value: object) -> str:
    """Compact JSON that can stand inside a script element: it holds no `<`, `>` or `&`, and no NaN."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def spans(sizes: Sequence[int], most: int) -> list[int]:
    """Where to cut a row of items so that no part weighs more than `most`, unless a single item does: boundaries."""
    cuts = [0]
    weight = 0
    for place, size in enumerate(sizes):
        if weight and weight + size > most:
            cuts.append(place)
            weight = 0
        weight += size
    return [*cuts, len(sizes)] if len(sizes) else [0]
