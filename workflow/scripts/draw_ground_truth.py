"""Draw the retrained against the estimated effects."""

from biasorigin.artefacts import load_table
from biasorigin.attribution.drawing import draw_ground_truth as draw
from biasorigin.figures import save_figure

TITLES = {
    "influence": "Published formula",
    "resolve": "Row solved again",
    "resolve_bias": "Row and bias solved again",
    "continued": "Finished further on the rest",
    "sum": "Sum of single effects",
}


def draw_ground_truth(
    path_to_comparison: str, path_to_agreement: str, estimator: str, paths_to_figure: list[str]
) -> None:
    """Write the figure: the published formula beside the study's own estimator."""
    names = list(dict.fromkeys(["influence", estimator]))
    figure = draw(load_table(path_to_comparison), load_table(path_to_agreement), names, TITLES)
    save_figure(figure, *paths_to_figure)


if __name__ == "__main__":
    from entry import run

    run(
        draw_ground_truth,
        snakemake.log,
        threads=snakemake.threads,
        path_to_comparison=snakemake.input.comparison,
        path_to_agreement=snakemake.input.agreement,
        estimator=snakemake.params.estimator,
        paths_to_figure=snakemake.output.figure,
    )
