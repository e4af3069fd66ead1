"""Take a picture of the explorer, open at the document that raises a bias most, with a browser of the machine."""

import shutil
import subprocess
import tempfile
from pathlib import Path
from urllib.parse import urlencode

from biasorigin.artefacts import load_table, write_atomically
from biasorigin.errors import UserError

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
QUIET = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--hide-scrollbars",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def picture_explorer(
    path_to_page: str, path_to_top: str, embedding: str, width: int, height: int, path_to_picture: str
) -> None:
    """Write a PNG of the Documents view; `path_to_top` is attribution's table of top documents (set, document)."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        raise UserError(f"A picture needs one of the browsers {', '.join(BROWSERS)}; none is installed.")
    first = load_table(path_to_top).row(0, named=True)
    place = urlencode({"embedding": embedding, "set": first["set"], "doc": first["document"]})
    with tempfile.TemporaryDirectory() as profile, write_atomically(path_to_picture) as temporary:
        command = [browser, *QUIET, f"--user-data-dir={profile}", f"--window-size={width},{height}"]
        command += ["--virtual-time-budget=8000", f"--screenshot={temporary}"]
        command.append(f"{Path(path_to_page).resolve().as_uri()}#documents?{place}")
        try:
            subprocess.run(command, check=True, capture_output=True, timeout=120)
        except subprocess.SubprocessError as error:
            reason = f"{browser} took no picture ({type(error).__name__})"
            raise UserError(f"{reason}. Open {path_to_page} in it by hand, or use another browser.") from error


if __name__ == "__main__":
    from entry import run

    run(
        picture_explorer,
        snakemake.log,
        threads=snakemake.threads,
        path_to_page=snakemake.input.page,
        path_to_top=snakemake.input.top,
        embedding=snakemake.params.embedding,
        width=snakemake.params.width,
        height=snakemake.params.height,
        path_to_picture=snakemake.output.picture,
    )
