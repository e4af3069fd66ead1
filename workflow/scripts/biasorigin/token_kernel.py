"""The inner loop of the tokenizer: from UTF-8 bytes to numbers of words, in one pass."""

import sys
import unicodedata
from functools import cache

import numpy as np

from biasorigin.compiled import compiled

OTHER, LETTER, NUMBER, SPACE = 0, 1, 2, 3
APOSTROPHE = ord("'")


@cache
def kinds_of_characters() -> np.ndarray:
    """(code points,) uint8: letter or mark, number, space, or other, by Unicode's general categories."""
    kinds = {"L": LETTER, "M": LETTER, "N": NUMBER, "Z": SPACE}
    table = np.zeros(sys.maxunicode + 1, dtype=np.uint8)
    for point in range(sys.maxunicode + 1):
        character = chr(point)
        table[point] = SPACE if character.isspace() else kinds.get(unicodedata.category(character)[0], OTHER)
    return table


@compiled()
def number_tokens(data, bounds, kinds, keep_apostrophes, keep_punctuation, keep_numbers):
    """Cut documents into tokens and number the distinct ones in order of appearance.

    data    (bytes,) uint8, valid UTF-8, the documents one after the other
    bounds  (documents + 1,) int64 where they begin and end
    Returns (tokens,) int32 numbers, (documents,) int64 lengths, and where each distinct token first begins and ends.
    """
    tokens = np.empty(data.size if keep_punctuation else data.size // 2 + bounds.size, np.int32)
    lengths = np.zeros(bounds.size - 1, np.int64)
    slots = np.full(1 << 12, -1, np.int32)
    begins, ends, digests = np.empty(1 << 11, np.int64), np.empty(1 << 11, np.int64), np.empty(1 << 11, np.uint64)
    total = types = 0
    for document in range(bounds.size - 1):
        place, end = bounds[document], bounds[document + 1]
        while place < end:
            begin = place
            kind, place = _kind(data, place, kinds)
            if kind == SPACE or (kind == OTHER and not keep_punctuation):
                continue
            if kind != OTHER:
                place, has_letter = _rest_of_word(data, place, end, kinds, keep_apostrophes, kind == LETTER)
                if not (has_letter or keep_numbers):
                    continue
            digest = _digest(data, begin, place)
            slot = _slot(data, begin, place, digest, slots, begins, ends, digests)
            if slots[slot] < 0:
                if types == begins.size:
                    begins, ends, digests = _doubled(begins), _doubled(ends), _doubled(digests)
                    slots = _rehashed(digests, types)
                    slot = _slot(data, begin, place, digest, slots, begins, ends, digests)
                slots[slot] = types
                begins[types], ends[types], digests[types] = begin, place, digest
                types += 1
            tokens[total] = slots[slot]
            total += 1
            lengths[document] += 1
    return tokens[:total].copy(), lengths, begins[:types].copy(), ends[:types].copy()


@compiled()
def _kind(data, place, kinds):
    """The kind of the character at a place, and the place behind it."""
    first = np.int64(data[place])
    if first < 0x80:
        return kinds[first], place + 1
    if first < 0xE0:
        return kinds[(first & 0x1F) << 6 | (data[place + 1] & 0x3F)], place + 2
    second = np.int64(data[place + 1] & 0x3F)
    third = np.int64(data[place + 2] & 0x3F)
    if first < 0xF0:
        return kinds[(first & 0x0F) << 12 | second << 6 | third], place + 3
    return kinds[(first & 0x07) << 18 | second << 12 | third << 6 | (data[place + 3] & 0x3F)], place + 4


@compiled()
def _rest_of_word(data, place, end, kinds, keep_apostrophes, has_letter):
    """Where the word ends whose first character has been read; an apostrophe belongs to it only between two others."""
    while place < end:
        kind, after = _kind(data, place, kinds)
        if data[place] == APOSTROPHE and keep_apostrophes and after < end:
            kind, after = _kind(data, after, kinds)
        if kind not in (LETTER, NUMBER):
            break
        has_letter |= kind == LETTER
        place = after
    return place, has_letter


@compiled()
def _digest(data, begin, end):
    """FNV-1a, 64 bits, with a last mixing step."""
    digest = np.uint64(0xCBF29CE484222325)
    for place in range(begin, end):
        digest = (digest ^ np.uint64(data[place])) * np.uint64(0x100000001B3)
    return digest ^ (digest >> np.uint64(29))


@compiled()
def _slot(data, begin, end, digest, slots, begins, ends, digests):
    """The slot of a token in the hash table, or the free one where it belongs."""
    mask = np.uint64(slots.size - 1)
    slot = digest & mask
    while True:
        known = slots[slot]
        if known < 0:
            return slot
        if digests[known] == digest and ends[known] - begins[known] == end - begin:
            same = True
            for offset in range(end - begin):
                if data[begins[known] + offset] != data[begin + offset]:
                    same = False
                    break
            if same:
                return slot
        slot = (slot + np.uint64(1)) & mask


@compiled()
def _doubled(array):
    larger = np.empty(array.size * 2, array.dtype)
    larger[: array.size] = array
    return larger


@compiled()
def _rehashed(digests, types):
    slots = np.full(digests.size * 2, -1, np.int32)
    mask = np.uint64(slots.size - 1)
    for number in range(types):
        slot = digests[number] & mask
        while slots[slot] >= 0:
            slot = (slot + np.uint64(1)) & mask
        slots[slot] = number
    return slots
