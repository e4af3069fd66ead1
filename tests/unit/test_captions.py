"""Captions of the report are valid reStructuredText once their numbers are filled in."""

import re
from pathlib import Path

import docutils.core
import docutils.utils
import pytest

CAPTIONS = sorted((Path(__file__).resolve().parents[2] / "workflow" / "report").glob("*.rst"))


@pytest.mark.parametrize("path", CAPTIONS, ids=lambda path: path.stem)
def test_a_caption_renders_without_complaint(path):
    text = re.sub(r"\{%.*?%\}", "", path.read_text(encoding="utf-8"))
    text = re.sub(r"\{\{.*?\}\}", "7", text)
    said: list[str] = []

    class Listener:
        def write(self, message):
            said.append(message)

    docutils.core.publish_string(
        text, writer="html5", settings_overrides={"warning_stream": Listener(), "report_level": 2}
    )
    assert said == []
    assert len(text.split()) > 10, "a caption says what is shown, of how many, and how to read it"
