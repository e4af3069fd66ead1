"""Effect sizes of a full corpus against a sample of it, and over a ladder of samples."""

import numpy as np
import polars as pl

MEASURED = ("effect_size", "greater")


def over_seeds(weat: pl.DataFrame) -> pl.DataFrame:
    """Mean, spread and range of the effect size over the seeds of each embedding and test.

    `spread` is the standard deviation over seeds (ddof 1); none with a single seed. Tests that could not be made in
    any seed keep a row without numbers.
    """
    return weat.group_by("embedding", "test", "title", maintain_order=True).agg(
        seeds=pl.len(),
        measured=pl.col("effect_size").count(),
        effect_size=pl.col("effect_size").mean(),
        spread=pl.col("effect_size").std(ddof=1),
        least=pl.col("effect_size").min(),
        most=pl.col("effect_size").max(),
        low=pl.col("low").mean(),
        high=pl.col("high").mean(),
        low_all_words=pl.col("low_all_words").mean(),
        high_all_words=pl.col("high_all_words").mean(),
        greater=pl.col("greater").mean(),
        p_one_sided=pl.col("p_one_sided").mean(),
        p_largest=pl.col("p_one_sided").max(),
        q_largest=pl.col("q").max(),
        target_words=pl.col("first_targets_used").first() + pl.col("second_targets_used").first(),
        problem=pl.col("problem").drop_nulls().first(),
    )


def compare_with_sample(weat: pl.DataFrame, full: str, sample: str) -> pl.DataFrame:
    """Table 6 of Intersectional Bias: changes from the full corpus to the sample, as shares of the sample's value.

    weat  rows of all seeds with the columns embedding, seed, test, effect_size, greater
    The means over seeds are compared. `noise` is the change to expect from seeds alone: two standard errors of the
    difference of the two means; `beyond_noise` says whether the change is larger.
    """
    means = weat.group_by("embedding", "test", "title", maintain_order=True).agg(
        seeds=pl.col("effect_size").count(),
        effect_size=pl.col("effect_size").mean(),
        variance=pl.col("effect_size").var(ddof=1),
        p=pl.col("greater").mean(),
    )
    joined = means.filter(pl.col("embedding") == full).join(
        means.filter(pl.col("embedding") == sample), on="test", suffix="_sample", maintain_order="left"
    )
    change = pl.col("effect_size") - pl.col("effect_size_sample")
    error = (pl.col("variance") / pl.col("seeds") + pl.col("variance_sample") / pl.col("seeds_sample")).sqrt()
    return joined.select(
        "test",
        "title",
        "seeds",
        "effect_size",
        "effect_size_sample",
        delta_effect_size=change.abs(),
        delta_p=(pl.col("p") - pl.col("p_sample")).abs(),
        effect_size_ratio=(change / pl.col("effect_size_sample")).abs(),
        p_ratio=pl.when(pl.col("p_sample") > 0).then(((pl.col("p") - pl.col("p_sample")) / pl.col("p_sample")).abs()),
        noise=2 * error,
    ).with_columns(beyond_noise=pl.col("delta_effect_size") > pl.col("noise"))


def ladder_agreement(ladder: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Which rungs of a ladder of samples give the effect sizes of the whole corpus: (by test and fraction, by test).

    ladder  fraction, seed, test, effect_size; fraction 1 is the whole corpus
    Two means over seeds agree when they differ by no more than two standard errors; the spread over seeds is pooled
    over all tests and fractions, because two or three seeds say little about it for one. `smallest` is the smallest
    fraction from which on all larger ones agree.
    """
    rungs = ladder.group_by("test", "fraction", maintain_order=True).agg(
        seeds=pl.col("effect_size").count(),
        effect_size=pl.col("effect_size").mean(),
        variance=pl.col("effect_size").var(ddof=1),
    )
    weights = (rungs["seeds"].cast(pl.Int64) - 1).clip(lower_bound=0)
    pooled = float((rungs["variance"].fill_null(0) * weights).sum() / max(1, weights.sum()))
    whole = rungs.filter(pl.col("fraction") == 1).select("test", whole="effect_size", whole_seeds="seeds")
    rungs = rungs.join(whole, on="test", how="left", maintain_order="left").with_columns(
        difference=pl.col("effect_size") - pl.col("whole"),
        noise=2 * (pooled / pl.col("seeds") + pooled / pl.col("whole_seeds")).sqrt(),
    )
    rungs = rungs.with_columns(agrees=pl.col("difference").abs() <= pl.col("noise"))
    sorted_rows = [rows.sort("fraction") for _, rows in rungs.group_by("test", maintain_order=True)]
    rungs = pl.concat([rungs.clear(), *sorted_rows])
    smallest = []
    for (test,), rows in rungs.group_by("test", maintain_order=True):
        ordered = rows.sort("fraction", descending=True)
        agreeing = np.cumprod(ordered["agrees"].fill_null(False).to_numpy())
        found = float(ordered["fraction"][int(agreeing.sum()) - 1]) if agreeing.any() else None
        smallest.append((test, found, ordered["whole"][0], float(np.sqrt(pooled))))
    by_test = pl.DataFrame(
        smallest,
        schema={"test": pl.String, "smallest": pl.Float64, "whole": pl.Float64, "seed_spread": pl.Float64},
        orient="row",
    )
    return rungs.drop("variance"), by_test
