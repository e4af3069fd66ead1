"""Co-occurrences of corpora larger than memory: sorted runs on disk, added up row by row.

A corpus is cut into shards (for different machines) and a shard into runs (for bounded memory), always between
documents. Each run is a sparse matrix of whole numbers on disk, sorted by row and column; merging reads the same
range of rows of every run and adds. Sums of whole numbers do not depend on how the documents were cut.
"""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np

from biasorigin.artefacts import load_array, save_array, scratch_beside, write_atomically
from biasorigin.cooccurrence import count_row_ranges, in_order, row_ranges
from biasorigin.cooccurrence_kernels import add_rows

TOKENS_PER_RUN = 2**25
CELLS_PER_TASK = 1_000_000

RowRange = tuple[np.ndarray, np.ndarray, np.ndarray]  # cells in each row, indices, integer sums


def shard_documents(offsets: np.ndarray, shard: int, shards: int) -> np.ndarray:
    """The documents of shard 0, 1, ... of `shards`: consecutive, with about the same number of tokens each."""
    edges = np.searchsorted(offsets, np.arange(shards + 1) * (int(offsets[-1]) / shards), side="left")
    edges[0], edges[-1] = 0, len(offsets) - 1
    return np.arange(edges[shard], edges[shard + 1], dtype=np.int64)


def count_shard(
    tokens: np.ndarray,
    offsets: np.ndarray,
    documents: np.ndarray,
    words: int,
    window: int,
    folder: Path | str,
    *,
    tokens_per_run: int = TOKENS_PER_RUN,
    threads: int = 1,
) -> None:
    """Count the co-occurrences of some documents into indptr.npy, indices.npy and sums.npy of a folder."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    lengths = np.diff(np.asarray(offsets))[documents]
    runs = row_ranges(lengths, tokens_per_run)
    if len(runs) <= 1:
        write_rows(folder, count_row_ranges(tokens, offsets, words, window, documents, threads))
        return
    with scratch_beside(folder / "runs") as scratch:
        folders = [scratch / str(number) for number in range(len(runs))]
        for (first, last), run in zip(runs, folders, strict=True):
            write_rows(run, count_row_ranges(tokens, offsets, words, window, documents[first:last], threads))
        write_rows(folder, add_runs(folders, words, threads=threads))


def add_runs(folders: list[Path], words: int, *, threads: int = 1) -> Iterator[RowRange]:
    """Yield the sums of all runs, a range of rows at a time."""
    runs = [(load_array(Path(folder) / "indptr.npy"), Path(folder)) for folder in folders]
    sizes = sum(np.diff(indptr) for indptr, _ in runs)

    def add(bounds: tuple[int, int]) -> RowRange:
        first, last = bounds
        starts, ends, columns, sums, base = [], [], [], [], 0
        for indptr, folder in runs:
            low, high = int(indptr[first]), int(indptr[last])
            starts.append(np.asarray(indptr[first:last]) - low + base)
            ends.append(np.asarray(indptr[first + 1 : last + 1]) - low + base)
            columns.append(_read_part(folder / "indices.npy", low, high))
            sums.append(_read_part(folder / "sums.npy", low, high))
            base += high - low
        new_ends, new_columns, new_sums = add_rows(
            np.array(starts), np.array(ends), np.concatenate(columns), np.concatenate(sums), words
        )
        return np.diff(new_ends, prepend=0), new_columns, new_sums

    yield from in_order(add, row_ranges(np.asarray(sizes), CELLS_PER_TASK), threads)


def write_rows(folder: Path | str, parts: Iterable[RowRange], denominator: int | None = None) -> int:
    """Write ranges of rows as indptr.npy, indices.npy and sums.npy, or values.npy when divided by a denominator.

    Returns the number of cells. The parts are written as they come, and the files appear when all are whole.
    """
    folder = Path(folder)
    name, kind = ("sums", np.int64) if denominator is None else ("values", np.float64)
    counts = [np.zeros(1, np.int64)]
    cells = 0
    with ExitStack() as stack:
        files = []
        for path, dtype in ((folder / "indices.npy", np.int32), (folder / f"{name}.npy", kind)):
            temporary = stack.enter_context(write_atomically(path))
            files.append((stack.enter_context(temporary.open("wb")), dtype))
            _write_header(files[-1][0], dtype, 0)
        for row_counts, indices, sums in parts:
            counts.append(row_counts)
            cells += len(indices)
            files[0][0].write(np.ascontiguousarray(indices, np.int32).data)
            files[1][0].write((sums if denominator is None else sums / denominator).data)
        for file, dtype in files:
            file.seek(0)
            _write_header(file, dtype, cells)
    save_array(folder / "indptr.npy", np.concatenate(counts).cumsum())
    return cells


def _read_part(path: Path, first: int, last: int) -> np.ndarray:
    """A part of a line of numbers, read rather than mapped, so that it does not stay in memory."""
    whole = load_array(path)
    if first == last:
        return np.empty(0, whole.dtype)
    return np.fromfile(path, whole.dtype, last - first, offset=whole.offset + first * whole.itemsize)


def _write_header(file, dtype, cells: int) -> None:
    """The .npy header of a line of numbers; NumPy pads it, so that its length does not depend on the number."""
    header = {"descr": np.lib.format.dtype_to_descr(np.dtype(dtype)), "fortran_order": False, "shape": (cells,)}
    np.lib.format.write_array_header_1_0(file, header)
