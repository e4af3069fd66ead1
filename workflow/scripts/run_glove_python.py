"""Train with glove-python-binary: run by an old interpreter (Python 3.6 to 3.8), which has that package and NumPy only.

usage: run_glove_python.py FOLDER

FOLDER holds tokens.npy, offsets.npy and settings.json; vectors.npy (words, dim) float32 is written into it.
One thread: with more, the package's own updates race and no two runs agree.
"""

import json
import os
import sys

import numpy as np


def main(folder):
    from glove import Corpus, Glove

    with open(os.path.join(folder, "settings.json")) as file:  # noqa: PTH123, PTH118
        settings = json.load(file)
    tokens = np.load(os.path.join(folder, "tokens.npy"), mmap_mode="r")  # noqa: PTH118
    offsets = np.load(os.path.join(folder, "offsets.npy"))  # noqa: PTH118

    def documents():
        for start, end in zip(offsets[:-1], offsets[1:]):  # noqa: B905, RUF007  (Python 3.6)
            yield tokens[start:end].tolist()

    # Words are handed over as their row numbers, so the package's rows are ours.
    corpus = Corpus(dictionary={row: row for row in range(settings["words"])})
    corpus.fit(documents(), window=settings["window"])
    model = Glove(
        no_components=settings["dim"],
        learning_rate=settings["learning_rate"],
        alpha=settings["alpha"],
        max_count=settings["x_max"],
        max_loss=settings["max_loss"],
        random_state=settings["seed"],
    )
    model.fit(corpus.matrix, epochs=settings["epochs"], no_threads=1, verbose=True)
    np.save(os.path.join(folder, "vectors.npy"), np.asarray(model.word_vectors, dtype=np.float32))  # noqa: PTH118


if __name__ == "__main__":
    main(sys.argv[1])
