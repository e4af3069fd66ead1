"""Artefacts are written whole or not at all, and an earlier good one survives."""

import datetime
import errno
import os
import stat
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from biasorigin import artefacts
from biasorigin.artefacts import (
    column_names,
    count_rows,
    growing_array,
    iterate_table,
    load_array,
    load_json,
    load_rows,
    load_table,
    mapped_array,
    replace_folder,
    save_array,
    save_json,
    save_table,
    save_text,
    write_atomically,
)
from biasorigin.errors import UserError
from biasorigin.parquet_files import write_parquet


def disk_full(*_):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_everything_comes_back_as_it_was(tmp_path):
    array = np.arange(6, dtype=np.int32).reshape(2, 3)
    save_array(tmp_path / "a.npy", array)
    np.testing.assert_array_equal(load_array(tmp_path / "a.npy"), array)
    save_array(tmp_path / "empty.npy", np.empty((0, 3)))
    assert load_array(tmp_path / "empty.npy").shape == (0, 3)
    table = pl.DataFrame({"word": ["null", "NA", "a\tb"], "count": [1, 2, 3]})
    save_table(tmp_path / "t.parquet", table)
    assert load_table(tmp_path / "t.parquet").equals(table)
    save_json(tmp_path / "j.json", {"b": [1, 2.5, None], "a": "é"})
    assert load_json(tmp_path / "j.json") == {"b": [1, 2.5, None], "a": "é"}


def test_a_table_keeps_its_types(tmp_path):
    table = pl.DataFrame(
        {
            "text": ["a", None, "Ż"],
            "category": pl.Series(["x", "y", "x"], dtype=pl.Categorical),
            "choice": pl.Series(["x", "y", None], dtype=pl.Enum(["x", "y"])),
            "truth": [True, None, False],
            "small": pl.Series([1, 2, 3], dtype=pl.Int8),
            "number": [1.5, float("nan"), None],
            "list": [["a"], [], None],
            "day": [datetime.date(2020, 1, 1)] * 3,
            "nothing": [None] * 3,
        }
    )
    save_table(tmp_path / "t.parquet", table)
    read = load_table(tmp_path / "t.parquet")
    assert read.schema == table.schema
    assert read.equals(table)
    assert load_table(tmp_path / "t.parquet", ["day", "text"]).equals(table.select("day", "text"))
    assert load_table(tmp_path / "t.parquet", ["text"]).columns == ["text"]
    assert count_rows(tmp_path / "t.parquet") == 3
    assert pl.concat(iterate_table(tmp_path / "t.parquet")).equals(table)


@pytest.mark.parametrize("bit", [1, 128])
def test_a_changed_byte_never_gives_other_rows(tmp_path, bit):
    table = pl.DataFrame({"word": ["he", "she", None] * 9, "x": [1 / 3, 2.0, None] * 9, "n": range(27)})
    path = tmp_path / "t.parquet"
    save_table(path, table)
    whole = path.read_bytes()
    footer = len(whole) - 8 - int.from_bytes(whole[-8:-4], "little")
    refused = 0
    for place in range(footer):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ bit]) + whole[place + 1 :])
        for read in (load_table, lambda path: pl.concat(iterate_table(path))):
            try:
                assert read(path).equals(table), place
            except UserError as error:
                assert "Delete the file and run again" in str(error)
                refused += 1
    assert refused > footer  # of twice as many: most bytes matter


@pytest.mark.parametrize("read", [load_table, count_rows, lambda path: list(iterate_table(path))])
@pytest.mark.parametrize("content", [b"", b"PAR1", b"not a table" * 9])
def test_a_broken_table_is_one_line(tmp_path, read, content):
    (tmp_path / "t.parquet").write_bytes(content)
    with pytest.raises(UserError, match="Delete the file and run again"):
        read(tmp_path / "t.parquet")


def test_an_array_is_read_only_and_grows_by_pieces(tmp_path):
    with growing_array(tmp_path / "a.npy", np.int32) as writer:
        for piece in ([1, 2], [], [3]):
            writer.append(np.array(piece))
    array = load_array(tmp_path / "a.npy")
    assert array.tolist() == [1, 2, 3]
    assert array.dtype == np.int32
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 9


def test_a_failed_write_keeps_the_earlier_file_and_leaves_nothing_behind(tmp_path):
    path = tmp_path / "a.json"
    save_json(path, {"good": True})
    with pytest.raises(RuntimeError), write_atomically(path) as temporary:
        temporary.write_text("half")
        raise RuntimeError("interrupted")
    assert load_json(path) == {"good": True}
    assert [file.name for file in tmp_path.iterdir()] == ["a.json"]


def test_what_a_killed_job_left_is_cleared_away(tmp_path):
    (tmp_path / ".a.npy.x1y2.part.npy").write_bytes(b"half")
    (tmp_path / ".b.npy.x1y2.part.npy").write_bytes(b"half of another file")
    save_array(tmp_path / "a.npy", np.zeros(2))
    assert sorted(file.name for file in tmp_path.iterdir()) == [".b.npy.x1y2.part.npy", "a.npy"]


@pytest.mark.parametrize(
    "write",
    [
        lambda path: save_array(path.with_suffix(".npy"), np.zeros(3)),
        lambda path: save_json(path.with_suffix(".json"), [1]),
        lambda path: save_table(path.with_suffix(".parquet"), pl.DataFrame({"a": [1]})),
        lambda path: save_text(path.with_suffix(".txt"), "x"),
    ],
)
def test_a_full_disk_is_one_line_and_keeps_what_was_there(tmp_path, monkeypatch, write):
    write(tmp_path / "a")
    (before,) = tmp_path.iterdir()
    content = before.read_bytes()
    monkeypatch.setattr(artefacts, "_flush", disk_full)
    with pytest.raises(UserError, match="No space left on device") as caught:
        write(tmp_path / "a")
    assert "\n" not in str(caught.value)
    assert before.read_bytes() == content
    assert list(tmp_path.iterdir()) == [before]


def test_the_device_that_is_always_full_is_reported():
    """The real thing: /dev/full refuses every byte."""
    with pytest.raises(OSError, match="No space left"), Path("/dev/full").open("wb", buffering=0) as file:
        file.write(b"x")


def test_an_artefact_is_as_readable_as_any_other_file(tmp_path):
    save_text(tmp_path / "a.txt", "x")
    (tmp_path / "b.txt").write_text("x")
    modes = {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("a.txt", "b.txt")}
    assert len(modes) == 1


def test_a_pickle_is_never_read(tmp_path):
    np.save(tmp_path / "evil.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(UserError, match="Could not read"):
        load_array(tmp_path / "evil.npy")


@pytest.mark.parametrize("content", [b"", b"\x93NUMPY", b"not an array"])
def test_a_broken_array_is_one_line(tmp_path, content):
    (tmp_path / "a.npy").write_bytes(content)
    with pytest.raises(UserError, match="Delete the file and run again") as caught:
        load_array(tmp_path / "a.npy")
    assert "\n" not in str(caught.value)


def test_numbers_that_json_does_not_have_are_refused(tmp_path):
    with pytest.raises(ValueError, match="JSON"):
        save_json(tmp_path / "a.json", float("nan"))
    assert not list(tmp_path.iterdir())


def test_the_same_content_gives_the_same_bytes(tmp_path):
    for name in ("a", "b"):
        save_table(tmp_path / f"{name}.parquet", pl.DataFrame({"x": [1.5, None], "y": ["a", "b"]}))
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()


def test_some_rows_of_a_table_are_read_in_order(tmp_path):
    pieces = [pl.DataFrame({"k": range(first, first + 3), "x": "y"}).to_arrow() for first in (0, 3, 6)]
    assert write_parquet(tmp_path / "a.parquet", pieces) == 9
    assert load_rows(tmp_path / "a.parquet", np.array([0, 2, 3, 8]), ["k"])["k"].to_list() == [0, 2, 3, 8]
    assert load_rows(tmp_path / "a.parquet", np.array([], dtype=np.int64)).shape == (0, 2)
    assert column_names(tmp_path / "a.parquet") == ["k", "x"]


def test_a_folder_is_replaced_as_a_whole_or_not_at_all(tmp_path):
    folder = tmp_path / "models"
    with replace_folder(folder) as new:
        (new / "a").write_text("first")
        left = new.name
    (tmp_path / left).mkdir()  # as a killed job would have left it
    with replace_folder(folder) as new:
        assert not (tmp_path / left).exists()
        (new / "b").write_text("second")
        assert (folder / "a").read_text() == "first"
    assert [path.name for path in tmp_path.rglob("*")] == ["models", "b"]
    with pytest.raises(UserError, match="wrong"), replace_folder(folder) as new:
        (new / "c").write_text("third")
        raise UserError("wrong")
    assert [path.name for path in tmp_path.rglob("*")] == ["models", "b"]


def test_what_a_killed_job_left_is_cleared_whether_file_or_folder(tmp_path):
    (tmp_path / ".table.tsv.abc.part").mkdir()
    (tmp_path / ".table.tsv.abc.part" / "wheel").touch()
    (tmp_path / ".table.tsv.def.part.tsv").touch()
    (tmp_path / ".other.tsv.def.part.tsv").touch()
    save_table(tmp_path / "table.tsv", pl.DataFrame({"a": [1]}))
    assert sorted(path.name for path in tmp_path.iterdir()) == [".other.tsv.def.part.tsv", "table.tsv"]


def test_a_mapped_array_meets_a_full_disk_before_it_is_filled(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "posix_fallocate", disk_full)
    with (
        pytest.raises(UserError, match="No space left on device"),
        mapped_array(tmp_path / "a.npy", (2, 2), np.float64),
    ):
        pytest.fail("the array was to be filled")
    assert not list(tmp_path.iterdir())


def test_a_mapped_array_is_like_one_that_was_saved(tmp_path):
    values = np.arange(12.0).reshape(2, 3, 2)
    with mapped_array(tmp_path / "a.npy", values.shape, np.float64) as array:
        array[:, 1:] = values[:, 1:]
        array[:, :1] = values[:, :1]
        assert not (tmp_path / "a.npy").exists()
    save_array(tmp_path / "b.npy", values)
    assert (tmp_path / "a.npy").read_bytes() == (tmp_path / "b.npy").read_bytes()
