"""What a job claims grows with its input and with each attempt."""

from types import SimpleNamespace

from biasorigin.claims import cores, need


def inputs(folder):
    """Two inputs, of 3 MB and of 2 MB in two files, one of them not made yet; sparse, so that they cost nothing."""
    for name, size in (("text", 3_000_000), ("matrix", 2_000_000)):
        with (folder / name).open("wb") as file:
            file.truncate(size)
    return SimpleNamespace(text=str(folder / "text"), matrix=[str(folder / "matrix"), str(folder / "not made yet")])


def test_memory_and_time_grow_with_the_named_inputs_and_the_attempt(tmp_path):
    given = inputs(tmp_path)
    assert need(1000)(None, given, 1) == 1000
    assert need(1000)(None, given, 3) == 3000
    assert need(1000, 10, "text")(None, given, 1) == 1030
    assert need(1000, 10, "text", "matrix")(None, given, 2) == 2100


def test_threads_grow_with_the_named_inputs_up_to_a_limit(tmp_path):
    given = inputs(tmp_path)
    assert cores(1, 1000, "text", "matrix")(None, given) == 1
    assert cores(1, 1, "text", "matrix")(None, given) == 6
    assert cores(2, 0.1, "text")(None, given) == 16
    assert cores(2, 0.1, "text", most=4)(None, given) == 4
