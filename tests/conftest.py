"""Make the library and the scripts importable, as Snakemake does for a script."""

import sys
from pathlib import Path

import hypothesis
import threadpoolctl

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT / "workflow" / "scripts"))

# A shared machine pauses when it likes: how long an example took says nothing about the code.
hypothesis.settings.register_profile("biasorigin", deadline=None, print_blob=True)
hypothesis.settings.load_profile("biasorigin")

# As in a rule: results must not depend on how many threads BLAS has, and two workers share the machine.
BLAS_LIMIT = threadpoolctl.threadpool_limits(1)
