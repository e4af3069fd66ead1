"""Choose the fewest documents whose removal lowers several biases at once, and write the cleaned corpus."""

import logging

import numpy as np
import polars as pl

from biasorigin.artefacts import load_array, load_table, save_table
from biasorigin.attribution.document_sets import remove_documents
from biasorigin.attribution.ground_truth import PLAN_SCHEMA
from biasorigin.attribution.removal import choose_documents, set_by_set
from biasorigin.attribution.study import load_study
from biasorigin.errors import UserError

logger = logging.getLogger("biasorigin")


def choose_removal(
    path_to_tokens: str,
    path_to_offsets: str,
    path_to_documents: str,
    path_to_cooccurrence: str,
    path_to_embeddings: list[str],
    path_to_sets: str,
    path_to_effects: str,
    estimator: str,
    settings: dict,
    path_to_removed: str,
    path_to_cleaned: str,
    path_to_plan: str,
    path_to_estimates: str,
) -> None:
    """Write the removed documents (rank, document, one effect column per set), the cleaned corpus (documents as they
    were, less these), the plan for retraining and the estimates.

    Beside the chosen list the plan holds a control: as many documents, as long, chosen without regard to bias.
    """
    every = load_table(path_to_sets)
    wanted = settings["sets"] or every.filter(pl.col("reported"))["set"].to_list()
    sets = every.filter(pl.col("set").is_in(wanted) & (pl.col("effect_size") != 0))
    if not len(sets):
        raise UserError(
            f"None of the sets {', '.join(wanted)} has enough known words here, so there is no bias to lower. Name "
            "others in attribution.removal.sets, or leave the embedding out of attribution.removal.embeddings."
        )
    unsure = sets.filter(pl.col("least") * pl.col("most") <= 0)["set"].to_list()
    if unsure:
        logger.warning("Seeds disagree on the sign of %s; that of their mean is lowered.", ", ".join(unsure))
    places = [every["set"].to_list().index(key) for key in sets["set"]]
    # A set with a negative effect size is brought to 0 from below.
    sign = np.sign(sets["effect_size"].to_numpy())
    mean = sign * np.asarray(load_array(path_to_effects)).mean(axis=0)[:, places]
    study = load_study(path_to_tokens, path_to_offsets, path_to_cooccurrence, path_to_embeddings, sets, estimator)

    def estimate(documents: np.ndarray) -> np.ndarray:
        removal = remove_documents(study.cells, study.models, study.tests, study.corpus, documents, estimator)
        return sign * removal.after.mean(axis=0)

    before = estimate(np.zeros(0, dtype=np.int64))
    goal = {"reduction": settings["reduction"], "most": min(settings["most"], study.corpus.documents)}
    choice = choose_documents(mean, before, estimate, **goal)
    plain = set_by_set(mean, before, estimate, **goal)
    reached = {True: "reached", False: "not reached"}
    logger.info("Weighted over sets: %d documents, goal %s.", len(choice.documents), reached[choice.reached])
    logger.info("Set by set: %d documents, goal %s.", len(plain.documents), reached[plain.reached])

    documents = load_table(path_to_documents)
    names = documents["id"].gather(choice.documents)
    columns = {f"effect_{key}": (sign * mean)[choice.documents, k] for k, key in enumerate(study.tests.keys)}
    save_table(path_to_removed, pl.DataFrame({"rank": range(1, len(names) + 1), "document": names, **columns}))
    kept = np.setdiff1d(np.arange(len(documents)), choice.documents)
    save_table(path_to_cleaned, documents[kept])
    size = len(choice.documents)
    control = np.random.default_rng(settings["seed"]).choice(len(documents), size, replace=False)
    rows = [
        (f"documents_{size}", "all", "chosen", size, sorted(choice.documents.tolist())),
        (f"random_{size}", None, "random", size, sorted(control.tolist())),
    ]
    plan = pl.DataFrame(rows if settings["control"] else rows[:1], schema=PLAN_SCHEMA, orient="row")
    save_table(path_to_plan, plan)
    save_table(
        path_to_estimates, _estimates(plan, study, lambda some: sign * estimate(some), sign * before, plain, choice)
    )


def _estimates(plan, study, estimate, before, plain, choice) -> pl.DataFrame:
    """removal, set, removed, before, after (estimated, mean over seeds), reached, removed_set_by_set."""
    rows = []
    for one in plan.to_dicts():
        after = estimate(np.array(one["documents"], dtype=np.int64))
        for k, key in enumerate(study.tests.keys):
            rows.append((one["removal"], key, one["size"], float(before[k]), float(after[k])))
    table = pl.DataFrame(rows, schema=["removal", "set", "removed", "before", "after"], orient="row")
    return table.with_columns(
        reached=pl.lit(choice.reached),
        removed_set_by_set=pl.lit(len(plain.documents) if plain.reached else None, dtype=pl.Int64),
    )


if __name__ == "__main__":
    from entry import run

    run(
        choose_removal,
        snakemake.log,
        threads=snakemake.threads,
        path_to_tokens=snakemake.input.tokens,
        path_to_offsets=snakemake.input.offsets,
        path_to_documents=snakemake.input.documents,
        path_to_cooccurrence=snakemake.params.cooccurrence,
        path_to_embeddings=snakemake.params.embeddings,
        path_to_sets=snakemake.input.sets,
        path_to_effects=snakemake.input.effects,
        estimator=snakemake.params.estimator,
        settings=snakemake.params.settings,
        path_to_removed=snakemake.output.removed,
        path_to_cleaned=snakemake.output.cleaned,
        path_to_plan=snakemake.output.plan,
        path_to_estimates=snakemake.output.estimates,
    )
