"""Decimal text to float32 at the speed of the disk: a compiled kernel for lines of `word number number …`."""

import numpy as np

from biasorigin.compiled import compiled

NEWLINE, CARRIAGE_RETURN, SPACE, TAB = 10, 13, 32, 9
PLUS, MINUS, POINT, ZERO, NINE = 43, 45, 46, 48, 57
UPPER_E, LOWER_E = 69, 101
POWERS_OF_TEN = np.array([float(f"1e{exponent}") for exponent in range(37)])
LARGEST_EXACT = 2**53  # every integer up to here is a float64
MOST_DIGITS = 18  # digits that fit an int64; further digits go the slow way


@compiled()
def parse_lines(text, vectors, layout):
    """Parse whole lines; returns the number of lines that are not empty.

    text     (bytes,) uint8, ends with a line end
    vectors  (rows, dim) float32, filled; NaN where a number must be parsed the slow, exact way
    layout   (rows, 4) int64, filled: where the word starts, where it ends, where the line ends, and how many
             numbers follow the word (the vector is filled only if there are `dim`)
    """
    row = 0
    position = 0
    while position < len(text) and row < len(vectors):
        start = position
        while position < len(text) and text[position] != NEWLINE:
            position += 1
        end = position
        position += 1
        while end > start and (_is_gap(text[end - 1]) or text[end - 1] == CARRIAGE_RETURN):
            end -= 1
        if end == start:
            continue
        word_end, numbers = _find_numbers(text, start, end, vectors.shape[1])
        layout[row, 0], layout[row, 1], layout[row, 2], layout[row, 3] = start, word_end, end, numbers
        if numbers == vectors.shape[1]:
            parse_numbers(text, word_end, end, vectors[row])
        row += 1
    return row


@compiled()
def parse_numbers(text, start, end, values):
    """Parse the numbers between two positions; NaN where the quick way is not certain to round correctly."""
    cursor = start
    for column in range(len(values)):
        while cursor < end and _is_gap(text[cursor]):
            cursor += 1
        cursor, values[column] = _parse_number(text, cursor, end)
        while cursor < end and not _is_gap(text[cursor]):
            cursor += 1


@compiled(inline="always")
def _is_gap(byte):
    return byte == SPACE or byte == TAB  # noqa: PLR1714  (`in` is slow here)


@compiled()
def _find_numbers(text, start, end, dim):
    """(end of the word, numbers after it): counted from the right, because a word may hold spaces."""
    cursor = end
    numbers = 0
    while numbers < dim:
        before = cursor
        while before > start and not _is_gap(text[before - 1]):
            before -= 1
        if before == start:
            break
        numbers += 1
        cursor = before
        while cursor > start and _is_gap(text[cursor - 1]):
            cursor -= 1
    return cursor, numbers


@compiled()
def _parse_number(text, cursor, end):
    """(position reached, value), the value NaN for anything but a plain decimal number of few digits."""
    negative = cursor < end and text[cursor] == MINUS
    if cursor < end and (negative or text[cursor] == PLUS):
        cursor += 1
    mantissa = 0
    digits = 0  # digits seen at all, leading zeros included
    significant = 0
    exponent = 0
    point = False
    while cursor < end and not _is_gap(text[cursor]):
        byte = text[cursor]
        cursor += 1
        if ZERO <= byte <= NINE and significant < MOST_DIGITS:
            digits += 1
            mantissa = mantissa * 10 + (byte - ZERO)
            significant += mantissa > 0
            exponent -= point
        elif byte == POINT and not point:
            point = True
        elif (byte == LOWER_E or byte == UPPER_E) and digits:  # noqa: PLR1714, SIM109
            cursor, power, plain = _parse_power(text, cursor, end)
            return cursor, _rounded(mantissa, exponent + power, negative) if plain else np.float32(np.nan)
        else:
            return cursor, np.float32(np.nan)
    return cursor, _rounded(mantissa, exponent, negative) if digits else np.float32(np.nan)


@compiled()
def _parse_power(text, cursor, end):
    """(position reached, power of ten, whether it was one)."""
    negative = cursor < end and text[cursor] == MINUS
    if cursor < end and (negative or text[cursor] == PLUS):
        cursor += 1
    power = 0
    digits = 0
    while cursor < end and ZERO <= text[cursor] <= NINE and digits < 4:
        power = power * 10 + (text[cursor] - ZERO)
        digits += 1
        cursor += 1
    return cursor, -power if negative else power, digits > 0 and (cursor == end or _is_gap(text[cursor]))


@compiled()
def _rounded(mantissa, exponent, negative):
    """mantissa · 10^exponent as float32, or NaN if an error in float64's last bits could change the rounding."""
    if mantissa == 0:
        value = 0.0
    elif exponent < -36 or exponent > 36:
        return np.float32(np.nan)
    elif exponent < 0:
        value = mantissa / POWERS_OF_TEN[-exponent]
    else:
        value = mantissa * POWERS_OF_TEN[exponent]
    if value != 0.0 and (value < 1e-36 or value > 1e38):
        return np.float32(np.nan)
    exact = mantissa <= LARGEST_EXACT and -22 <= exponent <= 22
    # Otherwise mantissa, power and operation are each rounded, which leaves an error below 4e-16.
    if not exact and np.float32(value * (1 - 1e-15)) != np.float32(value * (1 + 1e-15)):
        return np.float32(np.nan)
    return np.float32(-value if negative else value)
