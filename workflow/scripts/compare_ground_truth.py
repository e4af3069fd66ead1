"""Compare what was estimated with what retraining gave."""

import polars as pl

from biasorigin.artefacts import load_table, save_table
from biasorigin.attribution import ground_truth as truth
from biasorigin.attribution.estimators import BASELINES, ESTIMATORS, UNSCALED
from biasorigin.attribution.retraining import FULL


def compare_ground_truth(
    path_to_plan: str,
    path_to_estimates: str,
    path_to_retrained: list[str],
    path_to_sets: str,
    targets: list[str] | None,
    path_to_comparison: str,
    path_to_table: str,
    path_to_agreement: str,
    path_to_noise: str,
    path_to_scores: str,
    path_to_quality: str,
) -> None:
    """Write each (removal, seed, set) with all estimates and the retrained effect, and how well they agree.

    comparison: removal, target, kind, size, documents (number), set, targeted, seed, before, after, retrained, one
    column per estimator, emptied. Targeted: the set for which, or among those for which, the documents were chosen.
    """
    plan = load_table(path_to_plan).with_columns(pl.col("documents").list.len().cast(pl.Int64))
    retrained = pl.concat([load_table(path) for path in path_to_retrained])
    sets = load_table(path_to_sets)
    targets = targets or sets.filter(pl.col("reported"))["set"].to_list()
    comparison = _join(plan, load_table(path_to_estimates), retrained, targets)
    estimators = [name for name in (*ESTIMATORS, "continued", *BASELINES) if name in comparison.columns]
    save_table(path_to_comparison, comparison)
    save_table(path_to_table, comparison)
    rows = []
    scopes = {
        "targeted": comparison.filter("targeted"),
        "targeted, 30 documents or more": comparison.filter(pl.col("targeted") & (pl.col("size") >= 30)),
        "targeted, mean over seeds": _over_seeds(comparison.filter("targeted"), estimators),
        "other sets": comparison.filter(~pl.col("targeted") & pl.col("target").is_not_null()),
        "random": comparison.filter(pl.col("target").is_null()),
        "everything": comparison,
    }
    for scope, some in scopes.items():
        for name in estimators if len(some) else ():
            measured = truth.agreement(some[name].to_numpy(), some["retrained"].to_numpy(), some["removal"].to_numpy())
            if name in UNSCALED:
                measured |= dict.fromkeys([key for key in measured if key.startswith("r2_line")])
            rows.append({"scope": scope, "estimator": name, **measured})
    save_table(path_to_agreement, pl.DataFrame(rows, infer_schema_length=None).fill_nan(None))
    save_table(path_to_noise, truth.seed_noise(comparison))
    save_table(path_to_scores, pl.concat([truth.data_modelling_score(comparison, name) for name in estimators]))
    quality = retrained.filter(pl.col("instrument") == "quality")
    before = quality.filter(pl.col("removal") == FULL).select("seed", "key", pl.col("value").alias("before"))
    quality = quality.filter(pl.col("removal") != FULL).join(before, on=["seed", "key"], maintain_order="left")
    save_table(path_to_quality, quality.with_columns(change=pl.col("value") - pl.col("before")))


def _join(plan: pl.DataFrame, estimates: pl.DataFrame, retrained: pl.DataFrame, targets: list[str]) -> pl.DataFrame:
    names = {"key": "set"}
    after = retrained.filter(pl.col("instrument") == "weat", pl.col("removal") != FULL).rename(names)
    table = (
        plan.join(estimates, on="removal", maintain_order="left_right")
        .join(
            after.select("removal", "seed", "set", pl.col("value").alias("after")),
            on=["removal", "seed", "set"],
            maintain_order="left",
        )
        .with_columns(retrained=pl.col("before") - pl.col("after"))
    )
    further = retrained.filter(pl.col("instrument") == "continued").rename(names)
    if len(further):
        # Paired too: the full model is taken the same sweeps further, so that what it still drifts cancels.
        full = further.filter(pl.col("removal") == FULL).select("seed", "set", pl.col("value").alias("further"))
        value = further.select("removal", "seed", "set", pl.col("value").alias("continued"))
        table = table.join(value, on=["removal", "seed", "set"], how="left", maintain_order="left")
        table = table.join(full, on=["seed", "set"], how="left", maintain_order="left")
        table = table.with_columns(continued=pl.col("further") - pl.col("continued")).drop("further")
    own = (pl.col("set") == pl.col("target")) | ((pl.col("target") == truth.ALL) & pl.col("set").is_in(targets))
    return table.with_columns(targeted=own.fill_null(False))


def _over_seeds(table: pl.DataFrame, estimators: list[str]) -> pl.DataFrame:
    return table.group_by("removal", "set", maintain_order=True).agg(pl.col("retrained", *estimators).mean())


if __name__ == "__main__":
    from entry import run

    run(
        compare_ground_truth,
        snakemake.log,
        threads=snakemake.threads,
        path_to_plan=snakemake.input.plan,
        path_to_estimates=snakemake.input.estimates,
        path_to_retrained=snakemake.input.retrained,
        path_to_sets=snakemake.input.sets,
        targets=snakemake.params.targets,
        path_to_comparison=snakemake.output.comparison,
        path_to_table=snakemake.output.table,
        path_to_agreement=snakemake.output.agreement,
        path_to_noise=snakemake.output.noise,
        path_to_scores=snakemake.output.scores,
        path_to_quality=snakemake.output.quality,
    )
