"""Choose the fewest documents whose removal lowers several biases at once, and write the cleaned corpus."""

import logging

import numpy as np
import polars as pl

from biasorigin.artefacts import load_array, load_table, save_table
from biasorigin.attribution.document_sets import remove_documents
from biasorigin.attribution.ground_truth import PLAN_SCHEMA
from biasorigin.attribution.removal import Choice, choose_documents, set_by_set
from biasorigin.attribution.study import Study, focus, load_study
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
    were, less these), the plan for retraining and the estimates (removal, removed, seed, set, aimed_at, before, after,
    reached, removed_set_by_set), which are made for each seed, to be compared with a retraining of the same one.

    Beside the chosen list the plan holds a control: as many documents, chosen at random.
    """
    every = load_table(path_to_sets)
    sets = _sets_to_lower(every, settings["sets"])
    # A set with a negative effect size is brought to 0 from below.
    sign = np.sign(sets["effect_size"].to_numpy())
    places = [every["set"].to_list().index(key) for key in sets["set"]]
    effects = np.asarray(load_array(path_to_effects)).mean(axis=0)[:, places]
    whole = load_study(path_to_tokens, path_to_offsets, path_to_cooccurrence, path_to_embeddings, every, estimator)
    study = focus(whole, sets["set"].to_list())

    def estimate(documents: np.ndarray) -> np.ndarray:
        return sign * remove_documents(*study.parts, documents, estimator).after.mean(axis=0)

    before = estimate(np.zeros(0, dtype=np.int64))
    goal = {"reduction": settings["reduction"], "most": min(settings["most"], study.corpus.documents)}
    choice = choose_documents(sign * effects, before, estimate, **goal)
    plain = set_by_set(sign * effects, before, estimate, **goal)
    for name, one in {"Weighted over sets": choice, "Set by set": plain}.items():
        logger.info("%s: %d documents, goal %s.", name, len(one.documents), "reached" if one.reached else "not reached")

    documents = load_table(path_to_documents)
    names = documents["id"].gather(choice.documents)
    columns = {f"effect_{key}": effects[choice.documents, k] for k, key in enumerate(study.tests.keys)}
    save_table(path_to_removed, pl.DataFrame({"rank": range(1, len(names) + 1), "document": names, **columns}))
    save_table(path_to_cleaned, documents[np.setdiff1d(np.arange(len(documents)), choice.documents)])
    plan = _plan(choice, len(documents), settings)
    save_table(path_to_plan, plan)
    table = pl.concat([_estimates(one, whole, estimator) for one in plan.to_dicts()])
    chosen = pl.col("removal") == plan["removal"][0]
    table = table.with_columns(
        aimed_at=chosen & pl.col("set").is_in(sets["set"].to_list()),
        reached=pl.when(chosen).then(choice.reached),
        removed_set_by_set=pl.when(chosen & plain.reached).then(len(plain.documents)).cast(pl.Int64),
    )
    save_table(path_to_estimates, table)


def _sets_to_lower(every: pl.DataFrame, wanted: list[str] | None) -> pl.DataFrame:
    wanted = wanted or every.filter(pl.col("reported"))["set"].to_list()
    sets = every.filter(pl.col("set").is_in(wanted) & (pl.col("effect_size") != 0))
    if not len(sets):
        raise UserError(
            f"None of the sets {', '.join(wanted)} has enough known words here, so there is no bias to lower. Name "
            "others in attribution.removal.sets, or leave the embedding out of attribution.removal.embeddings."
        )
    unsure = sets.filter(pl.col("least") * pl.col("most") <= 0)["set"].to_list()
    if unsure:
        logger.warning("Seeds disagree on the sign of %s; that of their mean is lowered.", ", ".join(unsure))
    return sets


def _plan(choice: Choice, documents: int, settings: dict) -> pl.DataFrame:
    size = len(choice.documents)
    control = np.random.default_rng(settings["seed"]).choice(documents, size, replace=False)
    rows = [
        (f"documents_{size}", "all", "chosen", size, sorted(choice.documents.tolist())),
        (f"random_{size}", None, "random", size, sorted(control.tolist())),
    ]
    return pl.DataFrame(rows if settings["control"] else rows[:1], schema=PLAN_SCHEMA, orient="row")


def _estimates(planned: dict, study: Study, estimator: str) -> pl.DataFrame:
    removal = remove_documents(*study.parts, np.array(planned["documents"], dtype=np.int64), estimator)
    rows = [
        (planned["removal"], planned["size"], seed, key, float(removal.before[m, k]), float(removal.after[m, k]))
        for m, seed in enumerate(study.seeds)
        for k, key in enumerate(study.tests.keys)
    ]
    return pl.DataFrame(rows, schema=["removal", "removed", "seed", "set", "before", "after"], orient="row")


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
