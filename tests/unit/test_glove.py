"""GloVe: the same bytes for any number of threads, falling loss, pairing, and errors that name the culprit."""

from dataclasses import replace

import numpy as np
import pytest

from biasorigin import glove_blocks, row_solves
from biasorigin.cooccurrence import Cooccurrence, count_cooccurrence, without_documents
from biasorigin.errors import UserError
from biasorigin.finish import FinishSettings
from biasorigin.glove import GloveSettings, settings_from, start_model, train
from biasorigin.glove_blocks import deal, number_of_groups
from biasorigin.stationarity import by_frequency_band, newton_steps


def corpus(words=150, tokens=6_000, documents=30, seed=0):
    """A skewed random text cut into documents."""
    rng = np.random.default_rng(seed)
    text = np.minimum(rng.zipf(1.3, tokens) - 1, words - 1).astype(np.int32)
    return text, np.linspace(0, tokens, documents + 1).astype(np.int64)


WORDS = 150
COUNTED = count_cooccurrence(*corpus(), WORDS)
SETTINGS = GloveSettings(dim=10, epochs=3, finish=FinishSettings(sweeps=2, ridge=0.3))


def bytes_of(model):
    """All parameters and losses of a model as bytes."""
    arrays = (model.vectors, model.contexts, model.biases, np.array([loss for _, _, loss in model.losses]))
    return b"".join(array.tobytes() for array in arrays)


@pytest.mark.parametrize("threads", [2, 4])
@pytest.mark.parametrize(("dim", "steps"), [(1, 2), (10, 2), (75, 2), (10, 0)])
def test_threads_do_not_change_a_byte(monkeypatch, threads, dim, steps):
    monkeypatch.setattr(row_solves, "CELLS_PER_TASK", 500)
    settings = replace(SETTINGS, dim=dim, finish=FinishSettings(sweeps=3, ridge=0.3, steps=steps))
    assert bytes_of(train(COUNTED, settings, 1, threads=threads)) == bytes_of(train(COUNTED, settings, 1))


def test_seeds_are_different_and_repeatable():
    first, again, other = (train(COUNTED, SETTINGS, seed) for seed in (1, 1, 2))
    assert bytes_of(first) == bytes_of(again)
    assert bytes_of(first) != bytes_of(other)


@pytest.mark.parametrize("accumulate", ["steps", "gradients"])
def test_the_loss_falls(accumulate):
    settings = replace(SETTINGS, epochs=8, accumulate=accumulate, finish=FinishSettings(sweeps=3, ridge=0.3))
    model = train(COUNTED, settings, 1)
    losses = [loss for _, _, loss in model.losses]
    assert [(phase, step) for phase, step, _ in model.losses] == [
        *(("adagrad", step) for step in range(1, 9)),
        *(("finish", step) for step in range(1, 4)),
    ]
    assert np.all(np.diff(losses[:8]) < 0)
    assert losses[-1] < losses[7]


def test_shapes_and_types():
    model = train(COUNTED, SETTINGS, 1)
    assert model.vectors.shape == model.contexts.shape == (WORDS, 10)
    assert model.biases.shape == (2, WORDS)
    assert {array.dtype for array in (model.vectors, model.contexts, model.biases)} == {np.dtype(np.float32)}


def test_the_start_is_uniform_and_small():
    model = start_model(2_000, SETTINGS, 3)
    values = np.concatenate([model.vectors.ravel(), model.contexts.ravel(), model.biases.ravel()])
    assert np.abs(values).max() <= 0.5 / 11
    assert abs(values.mean()) < 1e-3
    assert values.std() == pytest.approx(1 / 11 / np.sqrt(12), rel=0.02)


@pytest.mark.parametrize(("epochs", "sweeps"), [(2, 0), (0, 2), (2, 2)])
def test_a_vocabulary_of_one(epochs, sweeps):
    cells = Cooccurrence(np.array([0, 1]), np.array([0], np.int32), np.array([4.0]), 1)
    settings = GloveSettings(dim=3, epochs=epochs, finish=FinishSettings(sweeps=sweeps))
    model = train(cells, settings, 1, threads=2)
    assert np.isfinite(model.vectors).all()
    assert model.vectors.shape == (1, 3)


def test_a_word_without_cooccurrences_keeps_its_start():
    tokens, offsets = np.array([0, 1, 0, 1, 2], np.int32), np.array([0, 4, 5])
    cells = count_cooccurrence(tokens, offsets, 3)
    model = train(cells, SETTINGS, 1)
    np.testing.assert_array_equal(model.vectors[2], start_model(3, SETTINGS, 1).vectors[2])


def test_no_cells_at_all():
    with pytest.raises(UserError, match="no co-occurrences"):
        train(Cooccurrence(np.zeros(3, int), np.empty(0, np.int32), np.empty(0), 1), SETTINGS, 1)


def test_a_run_that_explodes_names_epoch_and_word():
    words = [f"word{row}" for row in range(WORDS)]
    wild = replace(SETTINGS, learning_rate=1e8, accumulate="gradients")
    with pytest.raises(UserError, match=r"after epoch 1, .* not finite \(word\d+.*Lower learning_rate"):
        train(COUNTED, wild, 1, words=words)


def test_a_value_that_is_not_finite_names_the_word():
    values = COUNTED.values.copy()
    values[COUNTED.indptr[7]] = np.nan
    broken = Cooccurrence(COUNTED.indptr, COUNTED.indices, values, COUNTED.denominator)
    with pytest.raises(UserError, match=r"in sweep 1, .*row 7"):
        train(broken, replace(SETTINGS, epochs=0, finish=FinishSettings(sweeps=1)), 1)


def test_trainings_with_and_without_documents_are_paired():
    """Removing a little changes a little: far less than another seed does."""
    tokens, offsets = corpus()
    less = without_documents(COUNTED, tokens, offsets, np.array([3]))
    settings = GloveSettings(dim=10, epochs=5, finish=FinishSettings(sweeps=0))
    whole, part, other = (train(x, settings, seed).vectors for x, seed in ((COUNTED, 1), (less, 1), (COUNTED, 2)))
    assert np.linalg.norm(whole - part) < 0.3 * np.linalg.norm(whole - other)


def test_rows_are_at_their_minimum():
    model = train(COUNTED, SETTINGS, 1)
    assert newton_steps(model, COUNTED, SETTINGS, threads=2).max() < 1e-3


def test_groups_are_dealt_evenly():
    grouping = deal(103, 8, np.random.default_rng(0))
    assert len(np.unique(grouping.place)) == 103
    assert grouping.groups == 8
    members = grouping.members()
    assert sorted(np.concatenate(members).tolist()) == list(range(103))
    # Each run of eight words, alike in frequency, is spread over all groups.
    assert all(len(set(grouping.place[run : run + 8] // grouping.lines)) == 8 for run in range(0, 96, 8))


def test_groups_fit_the_cache():
    assert number_of_groups(1, 640) == 1
    assert number_of_groups(5, 640) == 5
    assert number_of_groups(16_000, 640) == glove_blocks.FEWEST_GROUPS
    assert number_of_groups(60_000, 640) == 32
    assert number_of_groups(10**7, 640) == glove_blocks.MOST_GROUPS


def test_settings_come_from_config_or_facts():
    given = {"kind": "glove", "dim": 20, "epochs": 4, "finish": {"sweeps": 2, "ridge": 0.5}, "window": 8}
    settings = settings_from(given)
    assert settings == GloveSettings(dim=20, epochs=4, finish=FinishSettings(sweeps=2, ridge=0.5))
    assert settings.ridge == 0.5
    assert replace(settings, finish=FinishSettings(0, 0.5)).ridge == 0


def test_bands_of_frequency():
    counts = np.array([15, 20, 40, 500, 20_000])
    table = by_frequency_band(counts, np.array([0.1, 0.3, 0.0, 0.002, 0.0005]))
    assert table["from_count"].to_list() == [0, 30, 300, 10_000]
    assert table["to_count"].to_list() == [29, 99, 999, None]
    assert table["words"].to_list() == [2, 1, 1, 1]
    assert table["median_step"].to_list() == pytest.approx([0.2, 0.0, 0.002, 0.0005])
    assert table["share_below_0.001"].to_list() == [0, 1, 0, 1]
