"""Write a made-up corpus with a planted association, for tests, demonstrations and measurements of scale."""

import json

from biasorigin.artefacts import write_atomically
from biasorigin.errors import UserError
from biasorigin.made_up import MadeUpSettings, make_up
from biasorigin.progress import track
from biasorigin.wordsets import load_word_sets


def make_up_corpus(name: str, settings: dict, paths_to_word_sets: list[str], path_to_documents: str) -> None:
    """Write JSON Lines with id, text, topic and planted (yes or no); the test names the names and attributes."""
    tests = load_word_sets(paths_to_word_sets).tests
    key = settings["test"]
    if key not in tests:
        raise UserError(f"Source {name}: sources.{name}.test is {key!r}; known tests: {', '.join(sorted(tests))}.")
    names, attributes = (
        tuple([word.lower() for word in one.words] for one in lists)
        for lists in (tests[key].targets, tests[key].attributes)
    )
    options = {option: value for option, value in settings.items() if option != "test"}
    made_up = MadeUpSettings(names=names, attributes=attributes, **options)
    with write_atomically(path_to_documents) as temporary, temporary.open("w", encoding="utf-8") as file:
        for document in track(make_up(made_up), f"Making up {name}", made_up.documents):
            planted = "yes" if document.planted else "no"
            line = {"id": document.id, "text": document.text, "topic": document.topic, "planted": planted}
            file.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    from entry import run

    run(
        make_up_corpus,
        snakemake.log,
        name=snakemake.wildcards.source,
        settings=snakemake.params.settings,
        paths_to_word_sets=snakemake.input.word_sets,
        path_to_documents=snakemake.output.documents,
    )
