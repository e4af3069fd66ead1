"""Figures: what a reader sees on the axes and in the titles."""

from biasorigin.figures import new_figure, save_figure


def test_powers_are_written_plainly_and_dollars_are_dollars(tmp_path):
    figure, axes = new_figure()
    axes.plot([1e-3, 1e4], [1, 2e6])
    axes.set(xscale="log", yscale="log", title="$5 and $6")
    save_figure(figure, tmp_path / "figure.svg")
    text = (tmp_path / "figure.svg").read_text(encoding="utf-8")
    assert "mathdefault" not in text
    for label in ("10⁻³", "10⁴", "10⁶", "$5 and $6"):
        assert f">{label}<" in text, label
