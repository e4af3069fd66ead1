"""One style for every figure, and files whose bytes depend on nothing but the figure."""

import re
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
from matplotlib.ticker import LogFormatter

from biasorigin.artefacts import write_atomically

# Okabe and Ito's palette: distinguishable with every common colour vision deficiency.
COLOURS = {
    "blue": "#0072B2",
    "orange": "#E69F00",
    "green": "#009E73",
    "vermilion": "#D55E00",
    "purple": "#CC79A7",
    "sky": "#56B4E9",
    "yellow": "#F0E442",
    "black": "#000000",
}
CYCLE = [COLOURS[name] for name in ("blue", "vermilion", "green", "orange", "purple", "sky", "black")]
GREY = "#6B6B6B"
DIVERGING = "PuOr"
SEQUENTIAL = "cividis"
WIDTH = 6.5  # inches: the text width of a page

STYLE = {
    "figure.dpi": 100,
    "savefig.dpi": 200,
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "axes.labelsize": 9,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "legend.fontsize": 8,
    "legend.frameon": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#E3E3E3",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "axes.prop_cycle": matplotlib.cycler(color=CYCLE),
    "lines.linewidth": 1.5,
    "svg.hashsalt": "biasorigin",
    "svg.fonttype": "none",
    "text.parse_math": False,  # a title or a word with dollar signs is a text like others
    "pdf.fonttype": 42,
    "figure.constrained_layout.use": True,
}

_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")

_METADATA = {
    ".svg": {"Date": None, "Creator": "biasorigin"},
    ".pdf": {"CreationDate": None, "ModDate": None, "Creator": "biasorigin", "Producer": None},
    ".png": {"Software": "biasorigin"},
}


def new_figure(rows: int = 1, columns: int = 1, *, width: float = WIDTH, height: float = 3.6, **options):
    """A figure and its axes in the shared style; the options are those of `plt.subplots`."""
    plt.rcParams.update(STYLE)
    return plt.subplots(rows, columns, figsize=(width, height), **options)


def save_figure(figure: plt.Figure, *paths: Path | str) -> None:
    """Write the figure to each path (.svg, .pdf or .png) without dates or names, and close it."""
    for axis in [axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)]:
        for formatter in (axis.get_major_formatter(), axis.get_minor_formatter()):
            if isinstance(formatter, LogFormatter):
                _write_powers_plainly(formatter)
    for path in paths:
        ending = Path(path).suffix
        with write_atomically(path) as temporary:
            figure.savefig(temporary, format=ending[1:], metadata=_METADATA[ending], bbox_inches="tight")
            if ending == ".svg":
                _make_valid(temporary)
    plt.close(figure)


def _write_powers_plainly(formatter: LogFormatter) -> None:
    """Label the ticks of a logarithmic axis as 10⁴ instead of in the notation of formulas, which is switched off."""
    formulas = formatter.format_ticks
    formatter.format_ticks = lambda values: [_plain_power(text) for text in formulas(values)]


def _plain_power(formula: str) -> str:
    """10⁴ for the formula of ten to the power of four; any other text as it is."""
    inner = re.fullmatch(r"\$\\mathdefault\{(.*)\}\$", formula)
    if not inner:
        return formula
    text = inner[1].replace(r"\times", "×")
    return re.sub(r"\^\{([-−\d.]+)\}", lambda power: power[1].translate(_SUPERSCRIPT), text)


_SUPERSCRIPT = str.maketrans("0123456789-−.", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻·")


def _make_valid(path: Path) -> None:
    """Replace characters that XML cannot hold, which words of an outside embedding may have."""
    text = path.read_bytes().decode("utf-8")
    valid = _NOT_XML.sub("\ufffd", text)
    if valid != text:
        path.write_bytes(valid.encode("utf-8"))
