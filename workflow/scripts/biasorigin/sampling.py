"""Which documents belong to a sample: a pure function of the salt and the document's id."""

from hashlib import blake2b

from biasorigin.errors import UserError

RANGE = 1 << 64


def position(salt: str, document_id: str) -> int:
    """Where a document stands between 0 and 2^64, whatever its file, order, shard or neighbours.

    BLAKE2b with a digest of 8 bytes, keyed by nothing, of the salt, a zero byte and the id in UTF-8, read as a
    big-endian number.
    """
    text = f"{salt}\0{document_id}".encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "big")


def threshold(fraction: float) -> int:
    """The first position outside a sample of the given fraction."""
    if not 0 < fraction <= 1:
        raise UserError(f"The fraction of a sample is {fraction}; expected more than 0 and at most 1.")
    return int(fraction * RANGE)


def in_sample(salt: str, document_id: str, fraction: float) -> bool:
    """Whether the document is in the sample. The sample of a smaller fraction is a part of that of a larger one."""
    return position(salt, document_id) < threshold(fraction)
