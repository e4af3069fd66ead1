"""Plan the retrainings that check the estimates, and estimate each of them beforehand by every method."""

import numpy as np
import polars as pl

from biasorigin.artefacts import load_array, load_table, save_table
from biasorigin.attribution.estimators import ESTIMATORS, estimate_removals
from biasorigin.attribution.ground_truth import PlanSettings, plan_removals
from biasorigin.attribution.study import load_study


def plan_ground_truth(
    path_to_tokens: str,
    path_to_offsets: str,
    path_to_cooccurrence: str,
    path_to_embeddings: list[str],
    path_to_sets: str,
    path_to_effects: str,
    settings: dict,
    path_to_plan: str,
    path_to_estimates: str,
) -> None:
    """Write the plan (removal, target, kind, size, documents) and the estimates (removal, seed, set, before, one
    column per estimator; effects are before minus after)."""
    sets = load_table(path_to_sets)
    effects = np.asarray(load_array(path_to_effects))
    reported = sets.filter(pl.col("reported"))["set"].to_list()
    targets = [key for key in settings["sets"] or reported if key in sets["set"].to_list()]
    chosen = PlanSettings(
        sizes=settings["sizes"],
        random=settings["random"],
        subsets=settings["subsets"],
        fraction=settings["fraction"],
        together=settings["together"],
        seed=settings["seed"],
    )
    plan = plan_removals(effects.mean(axis=0), tuple(sets["set"]), targets, chosen)
    paths = (path_to_tokens, path_to_offsets, path_to_cooccurrence, path_to_embeddings)
    studies = {name: load_study(*paths, sets, name) for name in ESTIMATORS}
    save_table(path_to_plan, plan)
    save_table(path_to_estimates, estimate_removals(plan, studies, effects))


if __name__ == "__main__":
    from entry import run

    run(
        plan_ground_truth,
        snakemake.log,
        threads=snakemake.threads,
        path_to_tokens=snakemake.input.tokens,
        path_to_offsets=snakemake.input.offsets,
        path_to_cooccurrence=snakemake.params.cooccurrence,
        path_to_embeddings=snakemake.params.embeddings,
        path_to_sets=snakemake.input.sets,
        path_to_effects=snakemake.input.effects,
        settings=snakemake.params.settings,
        path_to_plan=snakemake.output.plan,
        path_to_estimates=snakemake.output.estimates,
    )
