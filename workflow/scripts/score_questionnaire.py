"""Turn the answers that people gave to a questionnaire into accuracy and offensiveness, and make the rating form."""

from pathlib import Path

import polars as pl

from biasorigin.artefacts import load_table, save_json, save_table, save_text
from biasorigin.enumeration.form import form_html
from biasorigin.enumeration.questionnaire import ITEM_SCHEMA, rating_items, score_answers, score_ratings
from biasorigin.errors import UserError


def score_questionnaire(
    path_to_items: str,
    path_to_groups: str,
    path_to_answers: str,
    path_to_ratings: str | None,
    title: str,
    path_to_scores: str,
    path_to_scored: str,
    path_to_rating_form: str,
) -> None:
    """Read collected answers (worker, item, answer) and, once there are any, ratings; write table 3's figures."""
    items = pl.read_csv(path_to_items, schema=ITEM_SCHEMA).with_columns(pl.col("test").fill_null(""))
    agreement = score_answers(items, read_answers(path_to_answers))
    scores = {
        "workers": agreement.workers.height,
        "workers_qualified": int(agreement.workers["qualified"].sum()),
        "associations": agreement.items.height,
        "accuracy": agreement.accuracy,
    }
    scored = agreement.items
    if path_to_ratings:
        offensiveness = score_ratings(agreement, read_answers(path_to_ratings))
        scores["offensive_share_of_rated"] = offensiveness.share_of_rated
        scores["offensive_share_of_asked"] = offensiveness.share_of_asked
        scored = scored.join(offensiveness.items.drop("test", "prompt", "key"), on="item", how="left")
    save_json(path_to_scores, scores)
    save_table(path_to_scored, scored)
    examples = dict(load_table(path_to_groups).select("label", "examples").iter_rows())
    save_text(path_to_rating_form, form_html(f"{title}: ratings", rating_items(agreement), examples))


def read_answers(path: str) -> pl.DataFrame:
    """The answers in one CSV file, or in all CSV files of a folder."""
    files = sorted(Path(path).glob("*.csv")) if Path(path).is_dir() else [Path(path)]
    if not files:
        raise UserError(f"The folder {path} holds no .csv file with answers. Put the collected files there.")
    try:
        return pl.concat([pl.read_csv(file, infer_schema=False) for file in files]).fill_null("")
    except pl.exceptions.PolarsError as error:
        raise UserError(f"Could not read the answers in {path}: {str(error).splitlines()[0]}.") from error


if __name__ == "__main__":
    from entry import run

    run(
        score_questionnaire,
        snakemake.log,
        threads=snakemake.threads,
        path_to_items=snakemake.input.questions,
        path_to_groups=snakemake.input.groups,
        path_to_answers=snakemake.input.answers,
        path_to_ratings=snakemake.input.get("ratings"),
        title=snakemake.params.title,
        path_to_scores=snakemake.output.scores,
        path_to_scored=snakemake.output.scored,
        path_to_rating_form=snakemake.output.rating_form,
    )
