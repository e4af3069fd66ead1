"""The questionnaire as one HTML file: no outside request, nothing shown before the content warning is accepted."""

import html
import json

import polars as pl

from biasorigin.enumeration.questionnaire import BETWEEN_CHOICES

WARNING = (
    "This questionnaire is about stereotypes. It shows word associations that a computer program learnt from text. "
    "Some are offensive: they may be racist, sexist or hostile to a religion, an age or an origin. They are neither "
    "facts nor the opinion of whoever gives you this form. You may stop at any time."
)
INTRODUCTIONS = {
    "qualification": "Which group does each name belong to? Each group is described by five of its names.",
    "matching": "Which group would these words, by the stereotypes of society, most be associated with? "
    "You are asked about stereotypes that exist, not about what you believe.",
    "rating": "How politically incorrect is each association? "
    "1: politically correct, inoffensive or just random. 7: politically incorrect, possibly very offensive.",
}
TITLES = {"qualification": "Part 1: names", "matching": "Part 2: words", "rating": "Ratings"}

STYLE = """
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
fieldset { border: 1px solid #bbb; border-radius: .3rem; margin: 1rem 0; padding: .6rem 1rem; }
legend { font-weight: 600; padding: 0 .3rem; }
label { display: block; margin: .15rem 0; } .scale label { display: inline-block; margin-right: 1rem; }
.warning { border-left: .4rem solid #D55E00; background: #FFF4EC; padding: 1rem; }
button { font: inherit; padding: .5rem 1rem; margin-top: 1rem; } #state { font-weight: 600; }
"""
SCRIPT = """
const form = document.getElementById("questions");
document.getElementById("accept").addEventListener("click", () => {
  document.getElementById("gate").hidden = true; form.hidden = false; form.querySelector("input").focus();
});
function field(text) { return '"' + String(text).replaceAll('"', '""') + '"'; }
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const data = new FormData(form), worker = data.get("worker").trim();
  const lines = ["worker,item,answer"];
  for (const item of ITEMS) if (data.get(item)) lines.push([worker, item, data.get(item)].map(field).join(","));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([lines.join("\\n") + "\\n"], { type: "text/csv" }));
  link.download = "answers.csv"; link.click(); URL.revokeObjectURL(link.href);
  document.getElementById("state").textContent =
    `${lines.length - 1} of ${ITEMS.length} answers saved to answers.csv. Please hand that file in.`;
});
"""


def form_html(title: str, items: pl.DataFrame, examples: dict[str, str]) -> str:
    """The page for the given items; answers are saved by the browser as answers.csv (worker, item, answer).

    items     as made by `make_questionnaire` or `rating_items`; the key is not written into the page
    examples  the illustrative names of each group label
    """
    parts = []
    for part in items["part"].unique(maintain_order=True).to_list():
        own = items.filter(pl.col("part") == part)
        fields = "\n".join(_field(item, examples) for item in own.iter_rows(named=True))
        parts.append(f"<h2>{TITLES[part]}</h2>\n<p>{html.escape(INTRODUCTIONS[part])}</p>\n{fields}")
    # A closing tag inside the script would end it; item names come from us, but the page must not rely on that.
    names = json.dumps(items["item"].to_list()).replace("</", "<\\/")
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(title)}</title>
<style>{STYLE}</style>
</head>
<body>
<h1>{html.escape(title)}</h1>
<div id="gate" class="warning" role="region" aria-label="Content warning">
<h2>Content warning</h2>
<p>{html.escape(WARNING)}</p>
<button type="button" id="accept">I have read this and want to go on</button>
</div>
<form id="questions" hidden>
<p><label>Your worker name: <input name="worker" required autocomplete="off"></label></p>
{"".join(parts)}
<button type="submit">Save my answers</button>
<p id="state" role="status"></p>
</form>
<noscript><p>This form needs JavaScript to save the answers.</p></noscript>
<script>const ITEMS = {names};{SCRIPT}</script>
</body>
</html>
"""


def _field(item: dict, examples: dict[str, str]) -> str:
    name = html.escape(item["item"], quote=True)
    prompt = html.escape(item["prompt"])
    if item["part"] == "rating":
        group = html.escape(examples.get(item["key"], item["key"]))
        options = "".join(_option(name, str(value), str(value)) for value in range(1, 8))
        return f'<fieldset class="scale"><legend>{prompt}: {group}</legend>{options}</fieldset>'
    choices = item["choices"].split(BETWEEN_CHOICES)
    options = "".join(_option(name, choice, examples.get(choice, choice)) for choice in choices)
    return f"<fieldset><legend>{prompt}</legend>{options}</fieldset>"


def _option(name: str, value: str, text: str) -> str:
    value = html.escape(value, quote=True)
    return f'<label><input type="radio" name="{name}" value="{value}"> {html.escape(text)}</label>'
