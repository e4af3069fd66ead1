"""Summarise the differential bias: concentration (Tables 7, 9), overlap of sets (Table 8), coverage, intersections."""

import numpy as np
import polars as pl

from biasorigin.artefacts import load_array, load_table, save_table
from biasorigin.attribution import concentration, overlap

TOP_QUANTILES = (0.90, 0.95, 0.99)


def summarise_differential_bias(
    path_to_effects: str,
    path_to_sets: str,
    intersections: dict,
    path_to_summary: str,
    path_to_table_7: str,
    path_to_table_8: str,
    path_to_table_9: str,
    path_to_coverage: str,
    path_to_forward: str,
    path_to_intersections: str,
) -> None:
    """Write one table each; Table 8 holds all its quantiles, one below the other."""
    sets = load_table(path_to_sets)
    by_seed = np.asarray(load_array(path_to_effects))
    every, reported = tuple(sets["set"]), sets["reported"].to_numpy()
    keys = tuple(sets.filter(pl.col("reported"))["set"])
    mean_of_all = by_seed.mean(axis=0)
    mean, by_seed = mean_of_all[:, reported], by_seed[:, :, reported]

    shares = concentration.share_below_quantiles(mean)
    save_table(path_to_summary, concentration.summarise(mean, by_seed, keys))
    table_9 = {"quantile": concentration.QUANTILES, **dict(zip(keys, shares.T, strict=True))}
    save_table(path_to_table_9, pl.DataFrame(table_9))
    save_table(path_to_table_7, concentration.describe_shares(shares, concentration.QUANTILES, TOP_QUANTILES))
    correlations = [
        overlap.top_correlation(mean, keys, q).insert_column(0, pl.lit(q).alias("quantile")) for q in TOP_QUANTILES
    ]
    save_table(path_to_table_8, pl.concat(correlations))
    save_table(path_to_coverage, pl.concat([overlap.coverage(mean, keys, share) for share in (0.01, 0.05, 0.1)]))
    save_table(path_to_forward, overlap.forward_coverage(mean, keys, 0.01))
    save_table(path_to_intersections, _intersections(mean_of_all, every, intersections))


def _intersections(effects: np.ndarray, keys: tuple[str, ...], settings: dict) -> pl.DataFrame:
    """Each intersectional set regressed on the single axes, those of one axis alone, and all of them."""
    axes = {name: [key for key in members if key in keys] for name, members in settings["axes"].items()}
    groups = {**axes, "all": [key for members in axes.values() for key in members]}
    rows = []
    for target in settings["sets"]:
        for name, members in groups.items():
            if target in keys and members:
                found = overlap.regress_on_axes(effects, keys, target, members)
                rows += [
                    (target, name, found["documents"], found["r2"], one["axis"], *list(one.values())[1:])
                    for one in found["axes"]
                ]
    names = ["set", "axes", "documents", "r2", "axis", "coefficient", "r2_alone", "r2_lost_without"]
    kinds = [pl.String, pl.String, pl.Int64, pl.Float64, pl.String, pl.Float64, pl.Float64, pl.Float64]
    return pl.DataFrame(rows, schema=dict(zip(names, kinds, strict=True)), orient="row")


if __name__ == "__main__":
    from entry import run

    run(
        summarise_differential_bias,
        snakemake.log,
        threads=snakemake.threads,
        path_to_effects=snakemake.input.effects,
        path_to_sets=snakemake.input.sets,
        intersections=snakemake.params.intersections,
        path_to_summary=snakemake.output.summary,
        path_to_table_7=snakemake.output.table_7,
        path_to_table_8=snakemake.output.table_8,
        path_to_table_9=snakemake.output.table_9,
        path_to_coverage=snakemake.output.coverage,
        path_to_forward=snakemake.output.forward,
        path_to_intersections=snakemake.output.intersections,
    )
