"""Say in a few lines what the study found and where to look, for the end of the run."""

from biasorigin.artefacts import load_json, save_text
from biasorigin.closing import closing_summary


def summarise_study(title: str, path_to_headlines: str, places: list[list[str]], path_to_summary: str) -> None:
    """Write the closing summary: the headline numbers, the scorecard's counts, and where to look."""
    save_text(path_to_summary, closing_summary(title, load_json(path_to_headlines), places))


if __name__ == "__main__":
    from entry import run

    run(
        summarise_study,
        snakemake.log,
        threads=snakemake.threads,
        title=snakemake.params.title,
        path_to_headlines=snakemake.input.headlines,
        places=snakemake.params.places,
        path_to_summary=snakemake.output.summary,
    )
