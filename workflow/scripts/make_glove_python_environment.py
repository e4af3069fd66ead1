"""Find or make an interpreter that has glove-python-binary."""

from pathlib import Path

from biasorigin.artefacts import save_text
from biasorigin.glove_python import find_interpreter, has_package, make_environment


def make_glove_python_environment(interpreter: str, path_to_environment: str) -> None:
    """Write the interpreter's path into interpreter.txt; one that lacks the package gets an environment around it."""
    folder = Path(path_to_environment).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    python, _ = find_interpreter(interpreter)
    if not has_package(python):
        python = make_environment(python, folder / "venv")
    save_text(folder / "interpreter.txt", f"{python}\n")


if __name__ == "__main__":
    from entry import run

    run(
        make_glove_python_environment,
        snakemake.log,
        interpreter=snakemake.params.interpreter,
        path_to_environment=snakemake.output.environment,
    )
