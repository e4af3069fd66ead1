"""Debias a file of word vectors with word lists of your own, and write it in word2vec's format.

    python workflow/scripts/debias_file.py --vectors vectors.bin --output debiased.bin
    python workflow/scripts/debias_file.py --vectors vectors.txt --lists mine.yaml --directions my_direction \\
        --seeds my_neutral_words --keep my_definitional_words --output debiased.txt

A list file has the form of those in config/word_sets: `lists` of words and `directions` (first and second words, or
pairs). The project's own lists can be named as well. See docs/measures/debiasing.md.
"""

import argparse
import json
import logging
from pathlib import Path

from biasorigin.artefacts import save_json, write_atomically
from biasorigin.embedding import Embedding
from biasorigin.errors import UserError
from biasorigin.mitigation.plan import KINDS, debias
from biasorigin.vector_files.contents import Policies
from biasorigin.vector_files.reading import FORMATS, read_vectors
from biasorigin.vector_files.writing import write_word2vec_binary, write_word2vec_text
from biasorigin.wordsets import load_word_sets

logger = logging.getLogger(__name__)
PROJECT_LISTS = Path(__file__).parents[2] / "config" / "word_sets"
WRITERS = {".bin": write_word2vec_binary, ".txt": write_word2vec_text, ".vec": write_word2vec_text}


def debias_file(
    path_to_vectors: str,
    file_format: str,
    paths_to_lists: list[str],
    path_to_output: str,
    path_to_facts: str | None,
    method: dict,
    seeds: dict,
) -> None:
    """Read, debias, write; the words and their order stay as they are. A zero vector stays a zero vector."""
    writer = WRITERS.get(Path(path_to_output).suffix)
    if writer is None:
        raise UserError(f"The output {path_to_output} should end in .bin (word2vec binary), .txt or .vec (text).")
    if Path(path_to_output).resolve() == Path(path_to_vectors).resolve():
        raise UserError("The output is the file to debias; give another name, so that the original is kept.")
    file = read_vectors(path_to_vectors, file_format, policies=Policies())
    cased = any(word != word.lower() for word in file.words)
    logger.info(
        "%s words of %d dimensions%s", f"{len(file.words):,}", file.vectors.shape[1], "" if cased else ", no case"
    )
    sets = load_word_sets([*sorted(PROJECT_LISTS.glob("*.yaml")), *paths_to_lists])
    result = debias(Embedding(file.words, file.vectors, cased=cased), sets, method, seeds)
    with write_atomically(path_to_output) as temporary:
        writer(temporary, file.words, result.vectors)
    facts = {"method": method, "seeds": seeds if method["kind"] == "sdp" else None, **result.facts}
    if result.choice is not None:
        facts["lambda_choice"] = result.choice.to_dicts()
    if path_to_facts:
        save_json(path_to_facts, facts)
    logger.info("%s written: %s", path_to_output, json.dumps(result.facts))


def parse_arguments(given: list[str] | None = None) -> dict:
    """The arguments of `debias_file` from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--vectors", required=True, help="word2vec binary or text, GloVe text, fastText .vec; plain or gzipped")
    add(
        "--format",
        default="auto",
        choices=[one for one in FORMATS if one != "npy"],
        help="default: told by the content",
    )
    add("--output", required=True, help="ends in .bin (binary), .txt or .vec (text)")
    add("--lists", nargs="*", default=[], metavar="FILE", help="YAML files of word lists and directions of your own")
    add("--method", default="sdp", choices=KINDS)
    add("--directions", nargs="+", help="biases to remove (default: he_she for sdp, else definitional_gender_pairs)")
    add("--seeds", nargs="+", default=["occupations"], help="lists of words that should be neutral (sdp)")
    add("--seed-words", type=int, default=0, help="add the words most associated with the directions up to this number")
    add("--keep", nargs="*", default=["gender_specific_words"], help="lists of words that carry the bias by definition")
    add("--equalise", nargs="*", default=["equalise_gender_pairs"], help="directions whose pairs are equalised (hard)")
    add("--components", type=int, default=1, help="principal components for each direction (hard, components)")
    add("--lambda", dest="weight", default="choose", help="weight of the bias term, or `choose` (default) (sdp)")
    add("--multiples", nargs="+", type=float, default=[0.001, 0.01, 0.1, 0.3, 1, 3, 10], help="to choose lambda from")
    add("--folds", type=int, default=5, help="of the choice of lambda")
    add("--facts", metavar="FILE", help="write what was done (lambda, certificate of optimality) as JSON")
    options = parser.parse_args(given)
    directions = options.directions or (["he_she"] if options.method == "sdp" else ["definitional_gender_pairs"])
    return {
        "path_to_vectors": options.vectors,
        "file_format": options.format,
        "paths_to_lists": options.lists,
        "path_to_output": options.output,
        "path_to_facts": options.facts,
        "method": {
            "kind": options.method,
            "directions": directions,
            "lambda": _weight(options.weight),
            "multiples": options.multiples,
            "folds": options.folds,
            "gap": 1e-11,
            "components": options.components,
            "keep": options.keep,
            "equalise": options.equalise,
        },
        "seeds": {
            "lists": options.seeds,
            "exclude": options.keep,
            "along": directions if options.seed_words else [],
            "total": options.seed_words,
            "training_share": 1.0,
            "salt": "biasorigin",
        },
    }


def _weight(text: str) -> str | float:
    if text == "choose":
        return text
    try:
        return float(text)
    except ValueError:
        raise SystemExit(f"Error: --lambda is {text!r}; expected a number, 0 or more, or the word choose.") from None


if __name__ == "__main__":
    from entry import run

    run(debias_file, **parse_arguments())
