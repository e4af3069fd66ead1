"""Is the estimate true? Remove documents, train again, compare.

A removal is a list of documents; it is retrained with the same seed, the same order and the same vocabulary as the
full model, so that only the documents differ (a paired comparison). Effects are before minus after, as everywhere.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from scipy.stats import rankdata

from biasorigin.errors import UserError

ALL = "all"
PLAN_SCHEMA = {
    "removal": pl.String,
    "target": pl.String,
    "kind": pl.String,
    "size": pl.Int64,
    "documents": pl.List(pl.Int64),
}


@dataclass(frozen=True)
class PlanSettings:
    """Which removals are tried.

    sizes      numbers of documents, for most raising and most lowering ones
    random     numbers of documents removed at random, as a control
    subsets    how many random parts of the corpus are removed for the linear data-modelling score
    fraction   share of the documents that each of these parts holds
    together   remove the most raising (lowering) documents of all sets in one go instead of set by set:
               one retraining then checks every set
    seed       of the random choices
    """

    sizes: Sequence[int] = (30, 100)
    random: Sequence[int] = (100,)
    subsets: int = 0
    fraction: float = 0.1
    together: bool = True
    seed: int = 1


def plan_removals(effects: np.ndarray, keys: tuple[str, ...], sets: list[str], settings: PlanSettings) -> pl.DataFrame:
    """The removals to retrain, from the estimated single effects (documents, tests); see PLAN_SCHEMA."""
    documents = len(effects)
    largest = max([*settings.sizes, *settings.random, 0])
    if largest > documents:
        raise UserError(f"Ground truth: {largest:,} documents cannot be removed from {documents:,}. Lower the sizes.")
    removals: list[tuple] = []
    columns = [keys.index(key) for key in sets]
    for size in settings.sizes:
        for kind, sign in (("raising", -1.0), ("lowering", 1.0)):
            chosen = {
                key: np.argsort(sign * effects[:, column], kind="stable")[:size]
                for key, column in zip(sets, columns, strict=True)
            }
            if settings.together:
                chosen = {ALL: np.unique(np.concatenate(list(chosen.values())))}
            removals += [(f"{key}-{kind}-{size}", key, kind, size, np.sort(some)) for key, some in chosen.items()]
    for size in settings.random:
        rng = np.random.default_rng([settings.seed, 0, size])
        some = np.sort(rng.choice(documents, size, replace=False))
        removals.append((f"random-{size}", None, "random", size, some))
    for number in range(settings.subsets):
        size = round(settings.fraction * documents)
        rng = np.random.default_rng([settings.seed, 1, number])
        removals.append((f"subset-{number}", None, "subset", size, np.sort(rng.choice(documents, size, replace=False))))
    return pl.DataFrame([(*rest, some.tolist()) for *rest, some in removals], schema=PLAN_SCHEMA, orient="row")


def agreement(
    estimated: np.ndarray, retrained: np.ndarray, clusters: np.ndarray, resamples: int = 500, seed: int = 1
) -> dict[str, float]:
    """How well estimates agree with retraining, each with a 95 % interval over resampled removals.

    r2         squared correlation
    r2_line    share of the retrained effects' variance that the estimates themselves explain (1 − SSE / SST): unlike
               r2 it also punishes a wrong scale; can be negative
    slope      of retrained on estimated effects by least squares with intercept; above 1: the estimate is too small
    sign       share with the same sign
    rank       Spearman's correlation
    """
    clusters = np.asarray(clusters)
    names = np.unique(clusters)
    members = [np.flatnonzero(clusters == name) for name in names]
    result = {"pairs": len(estimated), "removals": len(names), **_measures(estimated, retrained)}
    rng = np.random.default_rng(seed)
    drawn = []
    for _ in range(resamples if len(names) > 2 else 0):
        chosen = np.concatenate([members[k] for k in rng.integers(len(names), size=len(names))])
        drawn.append(list(_measures(estimated[chosen], retrained[chosen]).values()))
    bounds = np.nanquantile(np.array(drawn), [0.025, 0.975], axis=0) if drawn else np.full((2, 5), np.nan)
    for position, name in enumerate(("r2", "r2_line", "slope", "sign", "rank")):
        result[f"{name}_low"], result[f"{name}_high"] = map(float, bounds[:, position])
    return result


def _measures(estimated: np.ndarray, retrained: np.ndarray) -> dict[str, float]:
    names = ("r2", "r2_line", "slope", "sign", "rank")
    if len(estimated) < 3 or np.ptp(estimated) == 0 or np.ptp(retrained) == 0:
        return dict.fromkeys(names, float("nan"))
    x, y = estimated - estimated.mean(), retrained - retrained.mean()
    correlation = float(x @ y / np.sqrt((x @ x) * (y @ y)))
    ranks = [rankdata(values) for values in (estimated, retrained)]
    values = (
        correlation**2,
        float(1 - ((retrained - estimated) ** 2).sum() / (y @ y)),
        float(x @ y / (x @ x)),
        float(np.mean(np.sign(estimated) == np.sign(retrained))),
        float(np.corrcoef(*ranks)[0, 1]),
    )
    return dict(zip(names, values, strict=True))


def seed_noise(comparison: pl.DataFrame) -> pl.DataFrame:
    """How far retrained effects lie apart between seeds, paired (each seed against its own full model) and unpaired.

    One row per kind of removal: standard deviation over the seeds of the paired effect, and of all differences
    between a full model of one seed and a reduced model of another; null with one seed.
    """
    rows = []
    for (kind,), some in comparison.group_by("kind", maintain_order=True):
        paired, unpaired = [], []
        for _, one in some.group_by("removal", "set", maintain_order=True):
            if len(one) < 2:
                continue
            before, after = one["before"].to_numpy(), one["after"].to_numpy()
            difference = before[:, None] - after[None, :]
            paired.append(np.diag(difference).var(ddof=1))
            off = difference[~np.eye(len(before), dtype=bool)]
            unpaired.append(((off - np.diag(difference).mean()) ** 2).mean())
        rows.append(
            {
                "kind": kind,
                "cases": len(paired),
                "paired_sd": float(np.sqrt(np.mean(paired))) if paired else None,
                "unpaired_sd": float(np.sqrt(np.mean(unpaired))) if unpaired else None,
            }
        )
    return pl.DataFrame(
        rows, schema={"kind": pl.String, "cases": pl.Int64, "paired_sd": pl.Float64, "unpaired_sd": pl.Float64}
    )


def data_modelling_score(comparison: pl.DataFrame, estimator: str) -> pl.DataFrame:
    """Linear data-modelling score (Park et al. 2023): for each set, Spearman's correlation over random subsets
    between estimated and retrained effects, averaged over seeds first."""
    rows = []
    subsets = comparison.filter(pl.col("kind") == "subset")
    means = subsets.group_by("set", "removal", maintain_order=True).agg(pl.col("retrained", estimator).mean())
    for (key,), some in means.group_by("set", maintain_order=True):
        score = _measures(some[estimator].to_numpy(), some["retrained"].to_numpy())["rank"]
        rows.append({"set": key, "estimator": estimator, "subsets": len(some), "score": score})
    return pl.DataFrame(
        rows, schema={"set": pl.String, "estimator": pl.String, "subsets": pl.Int64, "score": pl.Float64}
    )
