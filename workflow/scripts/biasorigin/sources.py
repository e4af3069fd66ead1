"""Getting outside files: from a mirror, a published package or an address, and never trusting one unchecked.

A file is moved into place only after its digest agrees, so a wrong or broken download leaves what was there before.
"""

import hashlib
import http.client
import logging
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import BinaryIO

from biasorigin.archives import open_member
from biasorigin.artefacts import scratch_beside, write_atomically
from biasorigin.errors import UserError

logger = logging.getLogger(__name__)

CHUNK = 1 << 20
WAITS = (1, 4, 15)  # seconds between the tries
TIMEOUT = 60  # seconds without an answer
PASSING = (408, 425, 429, 500, 502, 503, 504)  # HTTP answers that may be better next time


def fetch(name: str, source: dict, path: Path, mirror: Path | None = None, waits: tuple[float, ...] = WAITS) -> None:
    """Put the file of a `pypi` or `url` source at `path`, from the mirror if it is there, with the digest checked."""
    path.parent.mkdir(parents=True, exist_ok=True)
    expected = source["sha256"]
    found = in_mirror(mirror, source["file"], expected) if mirror else None
    if found:
        logger.info("%s: found in the mirror as %s", name, found.name)
        _copy(found, path)
    elif source["kind"] == "pypi":
        _fetch_wheel(name, source, path, waits)
    else:
        _fetch_address(name, source, path, waits)


def in_mirror(mirror: Path, file: str, expected: str | None) -> Path | None:
    """The mirror's file with the wanted digest, called by its digest or by its own name; else None."""
    if not mirror.is_dir():
        raise UserError(f"BIASORIGIN_MIRROR is {mirror}, which is not a folder. Correct or unset it.")
    for candidate in (mirror / expected if expected else None, mirror / file):
        if candidate and candidate.is_file():
            if expected in (None, sha256_of(candidate)):
                return candidate
            logger.warning("%s in the mirror has another sha256 than the source states: not used", candidate.name)
    return None


def sha256_of(path: Path) -> str:
    """The hexadecimal SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def check_digest(name: str, path: Path, expected: str | None) -> str:
    """The digest of a file; an error with both digests if it is not the expected one."""
    found = sha256_of(path)
    if expected is None:
        logger.warning("%s: no sha256 is stated for this source; that of the file is %s", name, found)
    elif found != expected:
        raise UserError(
            f"Source {name}: the file has sha256 {found}, expected {expected}. It is not used and any earlier file is "
            "kept. The download may be damaged, or the publisher changed it: check, then correct data/sources.yaml."
        )
    return found


def extract(name: str, path_to_archive: Path, member: str, path: Path) -> None:
    """Put one member of a zip file or wheel at `path`."""
    with (
        open_member(path_to_archive, member) as stream,
        write_atomically(path) as temporary,
        temporary.open("wb") as file,
    ):
        shutil.copyfileobj(stream, file, CHUNK)
    logger.info("%s: %s, %s bytes", name, member, f"{path.stat().st_size:,}")


def _copy(found: Path, path: Path) -> None:
    with write_atomically(path) as temporary:
        shutil.copyfile(found, temporary)


def _fetch_wheel(name: str, source: dict, path: Path, waits: tuple[float, ...]) -> None:
    requirement = f"{source['package']}=={source['version']}"
    with scratch_beside(path) as folder:
        # Wheels only: an sdist's own code would run.
        command = [sys.executable, "-m", "pip", "download", "--disable-pip-version-check", "--no-input", "--no-deps"]
        command += ["--only-binary", ":all:", "--dest", str(folder), requirement]
        for wait in (*waits, None):
            logger.info("%s: pip download %s", name, requirement)
            run = subprocess.run(command, capture_output=True, text=True, check=False)
            if run.returncode == 0:
                break
            reason = _last_error(run.stderr)
            if wait is None or "No matching distribution" in run.stderr:
                raise UserError(
                    f"Source {name}: pip could not download {requirement}: {reason} Check that pip reaches an index, "
                    f"or put {source['file']} into a folder and name that in BIASORIGIN_MIRROR."
                )
            logger.warning("%s: %s Trying again in %s s.", name, reason, wait)
            time.sleep(wait)
        wheel = folder / source["file"]
        if not wheel.is_file():
            got = ", ".join(sorted(file.name for file in folder.iterdir()))
            raise UserError(f"Source {name}: pip brought {got}, expected {source['file']}. Correct `file`.")
        check_digest(name, wheel, source["sha256"])
        wheel.replace(path)


def _last_error(text: str) -> str:
    lines = [line.removeprefix("ERROR: ") for line in text.splitlines() if line.startswith("ERROR")]
    return (lines[-1] if lines else "no reason given").rstrip(".") + "."


def _fetch_address(name: str, source: dict, path: Path, waits: tuple[float, ...]) -> None:
    partial = path.with_name(f".{path.name}.part")
    for wait in (*waits, None):
        if not source["sha256"]:
            # Nothing would tell if the rest were that of a newer version.
            partial.unlink(missing_ok=True)
        try:
            _download(name, source["url"], partial)
            break
        except (OSError, ValueError, http.client.HTTPException) as error:
            passing = not isinstance(error, urllib.error.HTTPError) or error.code in PASSING
            if wait is None or not passing:
                kept = "What arrived is kept and resumed" if source["sha256"] else "Without a sha256 it is not resumed"
                reason = str(error) or type(error).__name__
                raise UserError(
                    f"Source {name}: could not download {source['url']}: {reason}. {kept}; "
                    f"run again later, or put {source['file']} into a folder and name that in BIASORIGIN_MIRROR."
                ) from error
            logger.warning("%s: %s. Trying again in %s s.", name, error, wait)
            time.sleep(wait)
    try:
        check_digest(name, partial, source["sha256"])
    except UserError:
        partial.unlink()  # resuming a wrong file would never make it right
        raise
    partial.replace(path)


def _download(name: str, url: str, partial: Path) -> None:
    """Append what is missing to the partial file; start over if the server does not resume."""
    have = partial.stat().st_size if partial.exists() else 0
    request = urllib.request.Request(url, headers={"Range": f"bytes={have}-"} if have else {})
    try:
        answer = urllib.request.urlopen(request, timeout=TIMEOUT)
    except urllib.error.HTTPError as error:
        if have and error.code == 416:  # nothing is missing, or the file is another one: begin again
            partial.unlink()
            return _download(name, url, partial)
        raise
    with answer:
        resumed = have and answer.status == 206
        have = have if resumed else 0
        length = answer.headers.get("Content-Length")
        total = have + int(length) if length else None
        with partial.open("ab" if resumed else "wb") as file:
            have = _receive(name, answer, file, have, total)
    if total is not None and have != total:
        raise OSError(f"the connection ended after {have:,} of {total:,} bytes")


def _receive(name: str, answer: BinaryIO, file: BinaryIO, have: int, total: int | None) -> int:
    last = time.monotonic()
    while chunk := answer.read(CHUNK):
        file.write(chunk)
        have += len(chunk)
        if time.monotonic() - last > 5:
            last = time.monotonic()
            share = f" of {total / 1e6:,.0f}" if total else ""
            logger.info("%s: %.0f%s MB", name, have / 1e6, share)
    return have
