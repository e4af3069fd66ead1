"""Generate he:she analogies, and set the projections of professions in pairs of embeddings against each other."""

import logging

import numpy as np
import polars as pl

from biasorigin.artefacts import save_table
from biasorigin.association.analogies import generate_analogies
from biasorigin.association.directions import make_direction
from biasorigin.association.projections import agreement, project_words
from biasorigin.embedding import load_embedding
from biasorigin.errors import UserError
from biasorigin.wordsets import load_word_sets

logger = logging.getLogger(__name__)

_ANALOGIES = {"embedding": pl.String, "rank": pl.Int64, "left": pl.String, "right": pl.String}
_ANALOGIES |= {"score": pl.Float64, "distance": pl.Float64}
_PROJECTIONS = {"first": pl.String, "second": pl.String, "word": pl.String, "on_first": pl.Float64}
_PROJECTIONS |= {"on_second": pl.Float64}
_AGREEMENT = {"first": pl.String, "second": pl.String, "pearson": pl.Float64, "low": pl.Float64, "high": pl.Float64}
_AGREEMENT |= {"spearman": pl.Float64, "words": pl.Int64}


def compare_embeddings(
    paths_to_word_sets: list[str],
    folders: dict[str, str],
    analogies: dict,
    projections: dict,
    path_to_analogies: str,
    path_to_projections: str,
    path_to_agreement: str,
) -> None:
    """Write the best analogies of each embedding, projections of the same words in pairs, and their correlation.

    folders      of the first seed of each embedding
    analogies    embeddings, direction, most_distance, count, vocabulary
    projections  pairs of embeddings, direction, words (a list), exclude (a list: words with a gender by definition)
    """
    word_sets = load_word_sets(paths_to_word_sets)
    found = [pl.DataFrame(schema=_ANALOGIES)]
    for name in analogies["embeddings"]:
        embedding = load_embedding(folders[name])
        try:
            direction = make_direction(embedding, word_sets.directions[analogies["direction"]])
        except UserError as error:
            logger.warning("No analogies on %s: %s", name, error)
            continue
        rows = np.flatnonzero(np.linalg.norm(embedding.vectors[: analogies["vocabulary"]], axis=1) > 0)
        best = generate_analogies(
            [embedding.words[row] for row in rows],
            embedding.unit_rows(rows),
            direction.vector,
            most_distance=analogies["most_distance"],
            count=analogies["count"],
        )
        found.append(best.select(pl.lit(name).alias("embedding"), pl.all()).cast(_ANALOGIES))
    save_table(path_to_analogies, pl.concat(found))
    excluded = set(word_sets.lists[projections["exclude"]].words)
    words = [word for word in word_sets.lists[projections["words"]].words if word not in excluded]
    direction = word_sets.directions[projections["direction"]]
    pairs, agreements = [pl.DataFrame(schema=_PROJECTIONS)], []
    for first, second in projections["pairs"]:
        try:
            sides = [project_words(load_embedding(folders[name]), direction, words) for name in (first, second)]
            joined = (
                sides[0]
                .rename({"projection": "on_first"})
                .join(sides[1].rename({"projection": "on_second"}), on="word", maintain_order="left")
            )
            agreed = agreement(joined["on_first"].to_numpy(), joined["on_second"].to_numpy())
        except UserError as error:
            logger.warning("%s against %s: %s", first, second, error)
            continue
        pairs.append(joined.select(pl.lit(first).alias("first"), pl.lit(second).alias("second"), pl.all()))
        agreements.append((first, second, agreed.pearson, agreed.low, agreed.high, agreed.spearman, agreed.words))
    save_table(path_to_projections, pl.concat(pairs))
    save_table(path_to_agreement, pl.DataFrame(agreements, schema=_AGREEMENT, orient="row"))


if __name__ == "__main__":
    from entry import run

    run(
        compare_embeddings,
        snakemake.log,
        threads=snakemake.threads,
        paths_to_word_sets=snakemake.input.word_sets,
        folders=snakemake.params.folders,
        analogies=snakemake.params.analogies,
        projections=snakemake.params.projections,
        path_to_analogies=snakemake.output.analogies,
        path_to_projections=snakemake.output.projections,
        path_to_agreement=snakemake.output.agreement,
    )
