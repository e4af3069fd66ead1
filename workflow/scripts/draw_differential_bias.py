"""Draw how concentrated a bias is, how sets overlap, and how the bias falls as documents are removed."""

import numpy as np

from biasorigin.artefacts import load_array, load_table
from biasorigin.attribution.drawing import draw_concentration, draw_overlap, draw_removal_curves
from biasorigin.figures import save_figure


def draw_differential_bias(
    path_to_effects: str,
    path_to_sets: str,
    path_to_table_8: str,
    path_to_curves: str,
    paths_to_concentration: list[str],
    paths_to_overlap: list[str],
    paths_to_curves: list[str],
) -> None:
    """Write each figure in each of its formats."""
    sets = load_table(path_to_sets)
    reported = sets["reported"].to_numpy()
    effects = np.asarray(load_array(path_to_effects))[:, :, reported]
    save_figure(draw_concentration(effects, sets.filter(reported)["set"].to_list()), *paths_to_concentration)
    save_figure(draw_overlap(load_table(path_to_table_8)), *paths_to_overlap)
    titles = dict(zip(sets["set"], sets["title"], strict=True))
    save_figure(draw_removal_curves(load_table(path_to_curves), titles), *paths_to_curves)


if __name__ == "__main__":
    from entry import run

    run(
        draw_differential_bias,
        snakemake.log,
        threads=snakemake.threads,
        path_to_effects=snakemake.input.effects,
        path_to_sets=snakemake.input.sets,
        path_to_table_8=snakemake.input.table_8,
        path_to_curves=snakemake.input.curves,
        paths_to_concentration=snakemake.output.concentration,
        paths_to_overlap=snakemake.output.overlap,
        paths_to_curves=snakemake.output.curves,
    )
