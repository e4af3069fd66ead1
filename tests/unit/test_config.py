"""A wrong configuration costs one line that names the key and the nearest valid one."""

import copy
from pathlib import Path

import pytest
import yaml

from biasorigin.config import load_yaml, resolve
from biasorigin.errors import UserError

PROJECT = Path(__file__).resolve().parents[2]
SCHEMA = load_yaml(PROJECT / "workflow" / "schemas" / "config.schema.yaml")


def default():
    config = load_yaml(PROJECT / "config" / "config.yaml")
    return {**config, "sources": {**load_yaml(PROJECT / "data" / "sources.yaml"), **config["sources"]}}


def error_of(change):
    config = copy.deepcopy(default())
    change(config)
    with pytest.raises(UserError) as caught:
        resolve(config, SCHEMA)
    message = str(caught.value)
    assert "\n" not in message
    return message


def set_at(*path, value):
    def change(config):
        for key in path[:-1]:
            config = config[key]
        config[path[-1]] = value

    return change


def rename(*path, to):
    def change(config):
        for key in path[:-1]:
            config = config[key]
        config[to] = config.pop(path[-1])

    return change


def test_the_default_study_is_valid_and_its_sample_inherits():
    config = resolve(default(), SCHEMA)
    sample, whole = config["corpora"]["reviews_20"], config["corpora"]["reviews"]
    assert {**sample, "title": None, "fraction": None} == {**whole, "title": None, "fraction": None}
    assert (sample["fraction"], whole["fraction"]) == (0.2, 1.0)


@pytest.mark.parametrize("path", sorted((PROJECT / "config").glob("*.yaml")), ids=lambda path: path.stem)
def test_every_study_of_the_project_is_valid(path):
    from snakemake.utils import update_config

    config = default()
    update_config(config, load_yaml(path))
    resolve(config, SCHEMA)


def test_a_misspelled_key_is_named_with_its_nearest_neighbour():
    message = error_of(rename("corpora", "reviews", "min_count", to="min_cuont"))
    assert "corpora.reviews.min_cuont is not a known key. Did you mean min_count?" in message


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (set_at("corpora", "reviews", "fraction", value=0), "corpora.reviews.fraction is 0; expected more than 0"),
        (set_at("corpora", "reviews", "fraction", value=1.5), "corpora.reviews.fraction is 1.5; expected at most 1"),
        (set_at("corpora", "reviews", "format", value="cvs"), "Did you mean csv?"),
        (set_at("corpora", "reviews", "min_count", value="15"), "expected of type integer"),
        (set_at("corpora", "reviews", "source", value="movie_review"), "Did you mean movie_reviews?"),
        (set_at("corpora", "reviews_20", "like", value="review"), "Did you mean reviews?"),
        (set_at("corpora", "reviews", "like", value="reviews_20"), "Break the circle"),
        (set_at("corpora", "a/b", value={"like": "reviews"}), "expected text that matches"),
        (set_at("study", "corpora", value=["reviews"]), "Add reviews_20 to study.corpora"),
        (set_at("study", "embeddings", value=["glove_review"]), "Did you mean glove_reviews"),
        (set_at("embeddings", "glove_6b", "kind", value="pretraind"), "Did you mean pretrained?"),
        (set_at("sources", "mine", value={"kind": "local", "licence": "x", "citation": "x"}), "lacks the key path"),
    ],
)
def test_each_mistake_is_explained(change, expected):
    assert expected in error_of(change)


def test_yaml_that_cannot_be_read_is_one_line(tmp_path):
    path = tmp_path / "broken.yaml"
    path.write_text("a: [1, 2\nb: }")
    with pytest.raises(UserError) as caught:
        load_yaml(path)
    assert "\n" not in str(caught.value)
    assert "broken.yaml" in str(caught.value)


def test_yaml_cannot_make_objects(tmp_path):
    path = tmp_path / "object.yaml"
    path.write_text("!!python/object/apply:os.system ['true']")
    with pytest.raises(UserError, match="Correct the file"):
        load_yaml(path)


def test_every_key_of_the_default_study_is_commented():
    """A key is explained on its own line, on the line above, or by its parent's comment on the first entry."""
    text = (PROJECT / "config" / "config.yaml").read_text()
    top = [line for line in text.splitlines() if line and not line.startswith((" ", "#")) and line.endswith(":")]
    for line in top:
        before = text.split(f"\n{line}\n")[0].splitlines()[-1]
        assert before.startswith("#"), f"{line} has no comment above it"
    assert yaml.safe_load(text)
