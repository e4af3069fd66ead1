"""The hash sample: nested, blind to order, of the expected size."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biasorigin.errors import UserError
from biasorigin.sampling import in_sample, position

fractions = st.floats(min_value=0.001, max_value=1.0)


@given(st.text(), st.text(), fractions, fractions)
def test_a_smaller_fraction_is_a_part_of_a_larger_one(salt, document, one, other):
    small, large = sorted((one, other))
    assert in_sample(salt, document, large) or not in_sample(salt, document, small)


@given(st.lists(st.text(min_size=1), unique=True, max_size=50), st.randoms(use_true_random=False), fractions)
def test_neither_order_nor_neighbours_matter(documents, random, fraction):
    shuffled = documents.copy()
    random.shuffle(shuffled)
    sample = {document for document in documents if in_sample("salt", document, fraction)}
    assert {document for document in shuffled[: len(shuffled) // 2] if in_sample("salt", document, fraction)} <= sample
    assert {document for document in shuffled if in_sample("salt", document, fraction)} == sample


@given(st.text(max_size=8), st.floats(min_value=0.01, max_value=0.99))
def test_the_size_is_as_expected(salt, fraction):
    total = 5_000
    kept = sum(in_sample(salt, f"document {number}", fraction) for number in range(total))
    # 6 standard deviations of the binomial distribution: one failure in 500 million draws.
    assert abs(kept - total * fraction) <= 6 * math.sqrt(total * fraction * (1 - fraction)) + 1


def test_another_salt_is_another_sample():
    chosen = [{n for n in range(2_000) if in_sample(salt, str(n), 0.5)} for salt in ("a", "b")]
    both = len(chosen[0] & chosen[1])
    assert 400 < both < 600  # independent: a quarter of 2,000


def test_the_position_is_fixed_for_ever():
    # BLAKE2b-64 of b"biasorigin\x00document 1": any other value would change everybody's samples.
    assert position("biasorigin", "document 1") == 0x922C8935819F9708


def test_the_whole_is_everything():
    assert all(in_sample("x", str(number), 1.0) for number in range(1_000))


@pytest.mark.parametrize("fraction", [0, -0.1, 1.5, float("nan")])
def test_an_impossible_fraction_is_refused(fraction):
    with pytest.raises(UserError, match="expected more than 0 and at most 1"):
        in_sample("salt", "document", fraction)
