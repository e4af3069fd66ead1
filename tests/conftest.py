"""Make the library and the scripts importable, as Snakemake does for a script."""

import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT / "workflow" / "scripts"))
